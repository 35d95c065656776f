// The import law of docs/architecture.md: edge → turn, queries → ports, domain → lib, protocol. Adapters know ports, only
// composition roots know adapters, stages do not know each other, and nothing goes round in a circle.
import { importsOf, isTestCode, resolveImport, SERVER } from './source-file.ts'
import type { SourceFile, Violation } from './source-file.ts'

/** What each layer may import besides itself. A file is of the layer of its folder, or of `rootLayers`. */
const law: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib', 'protocol'],
  ports: ['domain', 'lib', 'protocol'],
  config: ['lib'],
  adapters: ['ports', 'domain', 'lib', 'protocol'],
  turn: ['config', 'ports', 'domain', 'lib', 'protocol'],
  queries: ['config', 'ports', 'domain', 'lib', 'protocol'],
  app: ['turn', 'queries', 'config', 'ports', 'domain', 'lib', 'protocol'],
  edge: ['app', 'turn', 'queries', 'config', 'ports', 'domain', 'lib', 'protocol'],
  simulator: ['ports', 'domain', 'lib'],
  wiring: ['app', 'edge', 'adapters', 'config', 'ports', 'domain', 'lib', 'protocol'],
  main: ['wiring', 'app', 'edge', 'adapters', 'config', 'ports', 'domain', 'lib', 'protocol'],
  // The fleet in virtual time: a composition root over simulated stores and providers.
  fleet: ['app', 'edge', 'turn', 'adapters', 'config', 'ports', 'domain', 'lib', 'protocol'],
  cli: ['main', 'simulator', 'fleet', 'wiring', 'adapters', 'config', 'ports', 'domain', 'lib', 'protocol', 'client'],
}

const rootLayers: Readonly<Record<string, string>> = {
  'main.ts': 'main',
  'app.ts': 'app',
  'answering.ts': 'app',
  'app-gauges.ts': 'app',
  'app-ports.ts': 'app',
  'ladder.ts': 'app',
  'lane-health.ts': 'app',
  'lane-pressure.ts': 'app',
  'lane-watch.ts': 'app',
  'upkeep.ts': 'app',
  'pressure.ts': 'app',
  'turn-places.ts': 'app',
  'model-probes.ts': 'app',
  'probe-models.ts': 'app',
  'config.ts': 'config',
  'define-config.ts': 'config',
  'installation.ts': 'config',
  'load-config.ts': 'config',
  'load-config': 'config',
}

/** Where a technology may be imported; the rest of the program does not know that it is there. */
const technologies: readonly { readonly packages: RegExp; readonly places: readonly string[] }[] = [
  { packages: /^(fastify|@fastify\/.*|ws)$/, places: ['edge/', 'wiring/'] },
  { packages: /^node:sqlite$/, places: ['adapters/sqlite/'] },
  { packages: /^@redis\//, places: ['adapters/redis/'] },
  { packages: /^pino$/, places: ['adapters/system/'] },
  { packages: /^jose$/, places: ['adapters/jose/'] },
  { packages: /^(@aws-sdk|@smithy)\//, places: ['adapters/aws/bedrock/', 'simulator/'] },
  { packages: /^(ai$|@ai-sdk\/)/, places: ['adapters/ai-sdk/'] },
  { packages: /^yaml$/, places: ['wiring/', 'simulator/', 'fleet/scenario/'] },
]

export function importViolations(files: readonly SourceFile[]): Violation[] {
  return serverCode(files).flatMap((file) =>
    importsOf(file).flatMap((request) => [
      ...lawViolations(file.path, request),
      ...technologyViolations(file.path, request),
    ]),
  )
}

export function cycleViolations(files: readonly SourceFile[]): Violation[] {
  const edges = new Map(
    serverCode(files).map((file) => [
      file.path,
      importsOf(file).flatMap((request) => resolveImport(file.path, request) ?? []),
    ]),
  )
  const done = new Set<string>()
  const found: Violation[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1)
      found.push({ path, what: `imports itself by way of ${[...trail.slice(start + 1), path].join(' → ')}` })
    if (start !== -1 || done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return found
}

function lawViolations(path: string, request: string): Violation[] {
  const from = layerOf(path)
  const target = resolveImport(path, request)
  const to = target === undefined ? packageLayer(request) : layerOf(target)
  if (to === undefined) return []
  if (from === undefined) return [{ path, what: 'is in no layer that the import law knows' }]
  if (target !== undefined && isTestCode(target)) return [{ path, what: `imports the test code ${request}` }]
  if (from === to) return target === undefined ? [] : neighbourViolations(path, target)
  return law[from]?.includes(to) ? [] : [{ path, what: `imports ${request}: ${from} may not know ${to}` }]
}

// Inside a layer: a stage knows no sibling stage, an adapter no other technology.
function neighbourViolations(path: string, target: string): Violation[] {
  const layer = layerOf(path)
  if (layer !== 'turn' && layer !== 'adapters') return []
  const [own, other] = [path, target].map((file) => /^[^/]+\/([^/]+)\//.exec(file.slice(SERVER.length))?.[1])
  if (own === undefined || other === undefined || own === other) return []
  return [{ path, what: `imports its sibling ${other}: ${layer}/${own} may not know it` }]
}

function technologyViolations(path: string, request: string): Violation[] {
  const technology = technologies.find(({ packages }) => packages.test(request))
  const inside = path.slice(SERVER.length)
  if (!technology || technology.places.some((place) => inside.startsWith(place))) return []
  return [{ path, what: `imports ${request}, which belongs in ${technology.places.join(' and ')}` }]
}

function layerOf(path: string): string | undefined {
  if (!path.startsWith(SERVER)) return path.startsWith('packages/') ? path.split('/')[1] : undefined
  const first = path.slice(SERVER.length).split('/')[0] ?? ''
  return rootLayers[first] ?? (Object.hasOwn(law, first) ? first : undefined)
}

function packageLayer(request: string): string | undefined {
  return /^@mangaassist\/([a-z]+)/.exec(request)?.[1]
}

function serverCode(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => path.startsWith(SERVER) && !isTestCode(path))
}
