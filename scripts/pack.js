// `npm run pack`: builds the packages for publication, in release/. The workspace runs TypeScript and needs no build;
// each package is staged in its own folder with JavaScript, types and a manifest, then packed. An import of a file that
// is not in its package fails.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, ensureWebBuilt, fail, pinnedNode, root, runTool } from './bootstrap.js'
import { npm, outputOf } from './npm.js'

export const release = join(root, 'release')

const dataFiles =
  'bundled-turns.csv catalogue.jsonl embedders.yaml faq.yaml models.yaml prompts releases.csv tokenizers.json understanding vectors'.split(
    ' ',
  )
const evaluationFiles = ['questions', 'utterances', 'complexity', 'faq', 'conversations']
/** The layers of the server that `@mangaassist/simulation` imports. They are not a public API. */
const simulated = [
  'adapters',
  'app',
  'cli',
  'config',
  'domain',
  'edge',
  'lib',
  'ports',
  'resilience',
  'stores',
  'wiring',
]
const common = ['README.md', 'LICENSE']

/** The files that the libraries export, by the name of the export. */
const libraries = {
  protocol: { '.': 'src/index.ts', './admin': 'src/admin/index.ts' },
  client: { '.': 'src/index.ts', './admin': 'src/admin.ts' },
  react: { '.': 'src/index.ts', './element': 'src/element.ts' },
}

/** In the order in which they are built and published: each needs the types of those before it. */
const packages = [
  {
    name: 'protocol',
    entries: Object.values(libraries.protocol),
    typedEntries: Object.values(libraries.protocol),
    target: 'es2022',
    manifest: () => library(libraries.protocol),
  },
  {
    name: 'client',
    entries: Object.values(libraries.client),
    typedEntries: Object.values(libraries.client),
    target: 'es2022',
    manifest: client,
    stage: (folder) => stageLibraries(folder, ['protocol']),
  },
  {
    name: 'react',
    entries: Object.values(libraries.react),
    typedEntries: Object.values(libraries.react),
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    manifest: () => library(libraries.react),
  },
  {
    name: 'bookseller',
    entries: sourcesOf('bookseller'),
    typedEntries: [],
    target: 'esnext',
    manifest: bookseller,
  },
  {
    name: 'server',
    entries: ['src/cli/main.ts', 'src/config/define-config.ts', ...usedBySimulation()],
    typedEntries: ['src/config/define-config.ts'],
    target: 'esnext',
    manifest: server,
    stage: stageServer,
  },
  {
    name: 'simulation',
    entries: ['src/commands/commands.ts', 'src/vendor/start-simulator.ts'],
    typedEntries: [],
    target: 'esnext',
    manifest: simulation,
    stage: stageSimulation,
  },
]

/** Builds and packs all packages; returns name, folder, tarball path and npm's file list for each. */
export function packAll() {
  ensureInstalled()
  ensureWebBuilt()
  rmSync(release, { recursive: true, force: true })
  return packages.map((described) => {
    const folder = join(release, described.name)
    compile(described, folder)
    for (const file of common)
      copy(file === 'LICENSE' ? file : `packages/${described.name}/${file}`, join(folder, file))
    described.stage?.(folder)
    writeManifest(described, folder)
    const missing = brokenImports(folder)
    if (missing.length > 0) fail(`These imports lead out of ${described.name} or nowhere:\n${missing.join('\n')}`)
    return pack(described.name, folder)
  })
}

/** Compiles only what the entries reach, so neither tests nor benchmark code. */
function compile({ name, entries, typedEntries, target, lib = ['es2023'] }, folder) {
  const built = join(release, 'build', name)
  // A library is checked against the functions of the oldest Node that it supports. The server is not checked again:
  // tsc reports an error because it does not rewrite its `#` imports, and the manifest's import map resolves them.
  const checks = target === 'esnext' ? { noCheck: true } : { lib }
  const paths = { noEmit: false, rootDir: root, outDir: built }
  const options = { target, ...checks, ...paths, rewriteRelativeImportExtensions: true }
  emit(name, entries, { ...options, declaration: false })
  if (typedEntries.length > 0) emit(name, typedEntries, { ...options, declaration: true, emitDeclarationOnly: true })
  const dist = join(folder, 'dist')
  cpSync(join(built, 'packages', name, 'src'), dist, { recursive: true })
  // tsc rewrites the extensions of relative imports in JavaScript only.
  rewrite(filesUnder(dist, '.d.ts'), (source) =>
    source.replaceAll(/((?:from |import\()(['"])\.[^'"\n]*)\.ts(?=\2)/g, '$1.js'),
  )
}

function emit(name, entries, options) {
  const config = join(release, 'build', `tsconfig.${name}.json`)
  const paths = Object.fromEntries(
    Object.entries(libraries).flatMap(([other, exported]) =>
      Object.entries(exported).map(([path, entry]) => [
        `@mangaassist/${other}${path.slice(1)}`,
        [`./../${other}/${builtFrom(entry)}.d.ts`],
      ]),
    ),
  )
  const files = entries.map((entry) => join(root, 'packages', name, entry))
  mkdirSync(dirname(config), { recursive: true })
  const compilerOptions = { ...options, paths: name === 'protocol' ? {} : paths, allowImportingTsExtensions: true }
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }))
  if (runTool('tsc', ['--project', config]).status !== 0) fail(`@mangaassist/${name} could not be built (see above).`)
}

function stageServer(folder) {
  for (const file of dataFiles) copy(`data/${file}`, join(folder, 'data', file))
  for (const file of evaluationFiles) copy(`packages/bookseller/evaluation/${file}`, join(folder, 'evaluation', file))
  copy('packages/server/bin', join(folder, 'bin'))
  copy('packages/server/src/edge/contracts/docs', join(folder, 'dist/edge/contracts/docs'))
  copy('packages/web/dist', join(folder, 'web'), (path) => !/\.(?:stamp|map)$/.test(path))
  writeMonitoring(join(folder, 'monitoring'))
  stageLibraries(folder, ['protocol', 'client', 'bookseller'])
  // In the workspace the data is two folders further up.
  rewrite(filesUnder(join(folder, 'dist'), '.js'), (source, file) => {
    const up = relative(dirname(file), join(folder, 'data')).split(sep).join('/')
    return source.replaceAll(/(?<=from ')(?:\.\.\/)+data(?=\/)/g, up)
  })
}

/** What an operator's own monitoring loads, with the default settings; printed by the commands, so that no copy grows old. */
function writeMonitoring(folder) {
  const dashboards = ['traffic', 'models', 'money', 'stores']
  const printed = [
    ['metrics.md', 'metrics'],
    ['prometheus-alerts.yml', 'alarms', '--prometheus'],
    ['cloudwatch-alarms.json', 'alarms', '--cloudwatch'],
    ...dashboards.map((name) => [`grafana-${name}.json`, 'alarms', '--grafana', name]),
  ]
  // Neither a configuration file nor the environment of the machine that packs may change what is printed.
  const cwd = mkdtempSync(join(tmpdir(), 'mangaassist-pack-'))
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MANGA_')))
  const command = join(root, 'packages/server/bin/mangaassist.js')
  mkdirSync(folder, { recursive: true })
  for (const [file, ...args] of printed) {
    const { status, stderr, stdout } = spawnSync(pinnedNode(), [command, ...args], { cwd, env, encoding: 'utf8' })
    if (status !== 0) fail(`${stderr}\nmangaassist ${args.join(' ')} failed.`)
    writeFileSync(join(folder, file), stdout)
  }
  rmSync(cwd, { recursive: true })
}

function stageSimulation(folder) {
  copy('packages/simulation/scenarios', join(folder, 'scenarios'))
  stageLibraries(folder, ['protocol', 'bookseller'])
}

/** Without their own bundled copies: one copy is enough. */
function stageLibraries(folder, names) {
  for (const name of names) {
    const from = join(release, name)
    const filter = (path) => path !== join(from, 'node_modules')
    cpSync(from, join(folder, 'node_modules/@mangaassist', name), { recursive: true, filter })
  }
}

function writeManifest({ name, manifest }, folder) {
  const { private: _private, devDependencies: _unused, ...described } = readJson(`packages/${name}/package.json`)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...described, ...manifest(described) }, null, 2)}\n`)
}

function library(exported) {
  const entries = Object.entries(exported).map(([path, entry]) => [
    path,
    { types: `./${builtFrom(entry)}.d.ts`, default: `./${builtFrom(entry)}.js` },
  ])
  return { exports: { ...Object.fromEntries(entries), './package.json': './package.json' }, files: ['dist'] }
}

function builtFrom(entry) {
  return entry.replace(/^src\//, 'dist/').replace(/\.ts$/, '')
}

// A package bundles the libraries that it needs: one file installs it, and no package name is looked up that someone
// else may own in the registry.
function client(described) {
  // npm does not install the dependencies of a bundled package, so they are listed here too.
  const dependencies = { ...described.dependencies, ...readJson('packages/protocol/package.json').dependencies }
  return { ...library(libraries.client), dependencies, bundleDependencies: ['@mangaassist/protocol'] }
}

// The Node packages are the same optional dependencies as in the workspace.
function server(described) {
  return {
    exports: {
      './config': { types: './dist/config/define-config.d.ts', default: './dist/config/define-config.js' },
      ...Object.fromEntries(simulated.map((layer) => [`./${layer}/*`, `./dist/${layer}/*.js`])),
    },
    imports: { '#*.ts': { types: './dist/*.d.ts', default: './dist/*.js' } },
    files: ['bin', 'data', 'dist', 'evaluation', 'monitoring', 'web'],
    bundleDependencies: ['@mangaassist/bookseller', '@mangaassist/client', '@mangaassist/protocol'],
    optionalDependencies: described.optionalDependencies,
  }
}

// Not published on its own: the packages that use it bundle it.
function bookseller() {
  return { exports: { './*': './dist/*.js' }, files: ['dist'] }
}

// The installed server is a peer dependency: it is the server that is simulated.
function simulation({ dependencies: { '@mangaassist/server': version, ...dependencies } }) {
  return {
    exports: { './commands': './dist/commands/commands.js', './vendor': './dist/vendor/start-simulator.js' },
    files: ['dist', 'scenarios'],
    dependencies,
    peerDependencies: { '@mangaassist/server': version },
    bundleDependencies: ['@mangaassist/bookseller', '@mangaassist/protocol'],
  }
}

function usedBySimulation() {
  const sources = sourcesOf('simulation').map((name) => readFileSync(join(root, 'packages/simulation', name), 'utf8'))
  const names = sources.flatMap((source) => [...source.matchAll(/'@mangaassist\/server\/([^']+)'/g)])
  return [...new Set(names.map(([, inside]) => `src/${inside}.ts`))]
}

function sourcesOf(name) {
  const isOurs = (path) => !/\.test\.ts$|\btesting[\\/]/.test(path)
  return filesUnder(join(root, 'packages', name, 'src'), '.ts')
    .filter(isOurs)
    .map((path) => relative(join(root, 'packages', name), path))
}

/** Relative and `#` imports that do not resolve to a file of the package. */
function brokenImports(folder) {
  return [...filesUnder(join(folder, 'dist'), '.js'), ...filesUnder(join(folder, 'dist'), '.d.ts')].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from|import)[ (]['"]([.#][^'"\n]*)['"]/g)]
      .map(([, request]) => ({ request, target: targetOf(request, path, folder) }))
      .filter(({ target }) => !target.startsWith(folder + sep) || !existsSync(target))
      .map(({ request }) => `${relative(release, path)} imports ${request}`),
  )
}

function targetOf(request, from, folder) {
  const target = request.startsWith('.') ? resolve(dirname(from), request) : join(folder, 'dist', request.slice(1))
  return target.replace(/\.[jt]s$/, from.endsWith('.d.ts') ? '.d.ts' : '.js')
}

function pack(name, folder) {
  const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${release}`]
  const result = npm(args, { cwd: folder })
  if (result.status !== 0) fail(`${outputOf(result)}\n@mangaassist/${name} could not be packed.`)
  const [{ filename, files, size, unpackedSize }] = Object.values(JSON.parse(result.stdout))
  return { name, folder, tarball: join(release, filename), files: files.map(({ path }) => path), size, unpackedSize }
}

export function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function copy(from, to, filter = () => true) {
  cpSync(join(root, from), to, { recursive: true, filter })
}

function filesUnder(folder, ending) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}

function rewrite(files, change) {
  for (const file of files) {
    const source = readFileSync(file, 'utf8')
    const changed = change(source, file)
    if (changed !== source) writeFileSync(file, changed)
  }
}

export function describePack({ files, size, tarball, unpackedSize }) {
  const kB = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`
  return `${relative(root, tarball)}: ${files.length} files, ${kB(size)} packed, ${kB(unpackedSize)} unpacked`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const packed of packAll()) console.log(describePack(packed))
}
