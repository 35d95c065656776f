// The import law of docs/architecture.md: edge → app → turn, services → ports, domain → lib, and packages by `packageLaw`.
// Adapters know ports, only composition roots know adapters, stages do not know each other, and there are no cycles.
import { importsOf, isTestCode, resolveImport, SERVER } from './source-file.ts'
import type { SourceFile, Violation } from './source-file.ts'

/** What each layer of the server may import besides itself. A file's layer is its folder; `main.ts` is its own. */
const law: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib', 'bookseller', 'protocol'],
  ports: ['domain', 'lib', 'bookseller', 'protocol'],
  stores: ['ports', 'domain', 'lib', 'protocol'],
  config: ['domain', 'lib'],
  adapters: ['ports', 'domain', 'lib', 'bookseller', 'protocol'],
  resilience: ['ports', 'domain', 'lib', 'bookseller', 'protocol'],
  turn: ['config', 'ports', 'domain', 'lib', 'bookseller', 'protocol'],
  services: ['config', 'stores', 'ports', 'domain', 'lib', 'bookseller', 'protocol'],
  app: ['turn', 'services', 'config', 'stores', 'ports', 'domain', 'lib', 'bookseller', 'protocol'],
  edge: ['app', 'turn', 'services', 'config', 'ports', 'domain', 'lib', 'bookseller', 'protocol'],
  wiring: [
    'app',
    'edge',
    'adapters',
    'resilience',
    'config',
    'stores',
    'ports',
    'domain',
    'lib',
    'bookseller',
    'protocol',
  ],
  'main.ts': ['wiring', 'app', 'edge', 'adapters', 'config', 'ports', 'domain', 'lib', 'protocol'],
  cli: ['main.ts', 'wiring', 'adapters', 'config', 'ports', 'domain', 'lib', 'bookseller', 'protocol', 'client'],
}

/** What the other packages may import of ours. */
const packageLaw: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  client: ['protocol'],
  bookseller: ['protocol'],
  simulation: ['server', 'bookseller', 'protocol'],
  react: [],
  // The public types of the element, which the element implements.
  web: ['client', 'protocol', 'react'],
}

/**
 * The stages of a turn. Within `turn/` each stage imports only its own files and `turn.ts`. The other folders of `turn/`
 * serve the turn, and some of them use a stage; a stage gets them from the assembly.
 */
const stages = new Set(['admission', 'context', 'routing', 'invocation', 'delivery', 'settlement'])
const HANDED_ON = `${SERVER}turn/turn.ts`

/** Where a technology may be imported; no other code may import it. */
const technologies: readonly { readonly packages: RegExp; readonly places: readonly string[] }[] = [
  { packages: /^(fastify|@fastify\/.*|ws)$/, places: ['edge/', 'wiring/'] },
  { packages: /^node:sqlite$/, places: ['adapters/sqlite/'] },
  { packages: /^@redis\//, places: ['adapters/redis/'] },
  { packages: /^pino$/, places: ['adapters/system/'] },
  { packages: /^@opentelemetry\//, places: ['adapters/otlp/'] },
  { packages: /^jose$/, places: ['adapters/jose/'] },
  { packages: /^@opensearch-project\//, places: ['adapters/opensearch/'] },
  { packages: /^(@aws-sdk|@smithy)\//, places: ['adapters/aws/'] },
  { packages: /^(ai$|@ai-sdk\/)/, places: ['adapters/ai-sdk/'] },
  { packages: /^yaml$/, places: ['wiring/'] },
]

export function importViolations(files: readonly SourceFile[]): Violation[] {
  const ofServer = serverCode(files).flatMap((file) =>
    importsOf(file).flatMap((request) => [
      ...lawViolations(file.path, request),
      ...technologyViolations(file.path, request),
    ]),
  )
  return [...ofServer, ...packageViolations(files)]
}

function isKnown(other: string | undefined, known: readonly string[]): boolean {
  return other === undefined || known.includes(other)
}

function packageViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const own = /^packages\/([a-z]+)\/src\//.exec(file.path)?.[1]
    const known = own === undefined || isTestCode(file.path) ? undefined : packageLaw[own]
    if (known === undefined) return []
    return importsOf(file)
      .filter((request) => !isKnown(packageLayer(request), [...known, own ?? '']))
      .map((request) => ({ path: file.path, what: `imports ${request}: packages/${own} may not know it` }))
  })
}

export function cycleViolations(files: readonly SourceFile[]): Violation[] {
  const edges = new Map(
    files
      .filter(({ path }) => isAcyclic(path))
      .map((file) => [file.path, importsOf(file).flatMap((request) => resolveImport(file.path, request) ?? [])]),
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

function isAcyclic(path: string): boolean {
  return /^packages\/(server|bookseller|simulation)\/src\//.test(path) && !isTestCode(path)
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

// Inside a layer: a stage knows no other stage, and an adapter no other technology.
function neighbourViolations(path: string, target: string): Violation[] {
  const layer = layerOf(path)
  if (layer !== 'turn' && layer !== 'adapters') return []
  const [own, other] = [path, target].map((file) => /^[^/]+\/([^/]+)\//.exec(file.slice(SERVER.length))?.[1])
  if (own === undefined || own === other) return []
  const isFree = layer === 'turn' ? !stages.has(own) || target === HANDED_ON : other === undefined
  if (isFree) return []
  return [{ path, what: `imports its sibling ${other ?? target}: ${layer}/${own} may not know it` }]
}

function technologyViolations(path: string, request: string): Violation[] {
  const technology = technologies.find(({ packages }) => packages.test(request))
  const inside = path.slice(SERVER.length)
  if (!technology || technology.places.some((place) => inside.startsWith(place))) return []
  return [{ path, what: `imports ${request}, which belongs in ${technology.places.join(' and ')}` }]
}

export function layerOf(path: string): string | undefined {
  if (!path.startsWith(SERVER)) return path.startsWith('packages/') ? path.split('/')[1] : undefined
  const first = path.slice(SERVER.length).split('/')[0] ?? ''
  return Object.hasOwn(law, first) ? first : undefined
}

function packageLayer(request: string): string | undefined {
  return /^@mangaassist\/([a-z]+)/.exec(request)?.[1]
}

function serverCode(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => path.startsWith(SERVER) && !isTestCode(path))
}
