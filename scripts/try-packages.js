// `npm run test:packages`: installs the packed packages into empty projects, as a user does, and uses them: the server
// and the client under Node 20, 22 and 24, each with its npm, the client in a bundle, and the types of all. A file or
// dependency that is missing from a tarball fails it. `--packed` tests what is in release/ without packing.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root, runTool } from './bootstrap.js'
import {
  askingConsumer,
  browserConsumer,
  elementConsumer,
  loadAll,
  nodeConsumer,
  plainConfig,
  reactConsumer,
  typedConfig,
  wrongConfig,
} from './package-consumers.js'
import { npm } from './npm.js'
import { describePack, packAll, readJson, release } from './pack.js'
import { fetchNode, fetchNpm } from './toolchains.js'

const toolchains = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.3', npm: '10.9.9' },
  { node: '24.21.0', npm: '11.21.1' },
]
const browserConsumerSettings = {
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom'],
  types: [],
  file: 'browser.ts',
  source: browserConsumer,
}
const consumers = [
  { module: 'nodenext', lib: ['es2023'], types: ['node'], file: 'node.ts', source: nodeConsumer },
  browserConsumerSettings,
]
/** Bundle sizes of the client in a page: for shoppers, and for operators. */
const bundles = [
  { name: 'client', source: "export { createClient } from '@mangaassist/client'\n", gzipBytesMax: 8000 },
  {
    name: 'admin client',
    source: "export { createAdminClient } from '@mangaassist/client/admin'\n",
    gzipBytesMax: 2000,
  },
]
/** The oldest and the newest React that the component supports, with their types. */
const reactVersions = [
  { react: '18.3.1', types: '18' },
  { react: '19.3.1', types: '19' },
]
const readyWithinMs = 60_000
const stopWithinMs = 30_000
const answerWithinMs = 30_000
/** An installation with an empty cache takes minutes. */
const stepMsMax = 600_000
const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']

const startedMs = performance.now()
const home = mkdtempSync(join(tmpdir(), 'mangaassist-packages-'))
try {
  await testAll(process.argv.includes('--packed') ? packedBefore() : packAll())
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function testAll(packed) {
  for (const one of packed) done(describePack(one))
  const { client, protocol, react, server, simulation } = Object.fromEntries(
    packed.map((one) => [one.name, one.tarball]),
  )
  assertContents(packed.find(({ name }) => name === 'server').files)
  const [oldest] = toolchains.map(openToolchain)
  const app = project('client', { type: 'module' })
  const { '@types/node': node, '@types/ws': types, ws } = readJson('package.json').devDependencies
  oldest.npm(app, ['install', protocol, client, `ws@${ws}`, `@types/ws@${types}`, `@types/node@${node}`])
  done(`the client is installed by npm ${oldest.version.npm}`)
  checkTypes(app, consumers)
  for (const bundle of bundles) checkBundle(app, bundle)
  tryLoneClient(oldest, client)
  for (const version of reactVersions) tryReact(oldest, react, version)
  for (const toolchain of toolchains.map(openToolchain)) await tryServer(toolchain, { server, simulation }, app)
  console.log(`All packages work (${seconds()} s).`)
}

function openToolchain(version) {
  const node = fetchNode(version.node)
  const cli = fetchNpm(version.npm)
  // The environment of the npm that runs this script, such as its PATH or workspace, must not help.
  const own = /^(?:npm_(?!config_)|npm_config_(?:local_)?prefix$|INIT_CWD$|MANGA)/i
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  const env = { ...Object.fromEntries(inherited), PATH: [dirname(node), ...paths].join(delimiter), ...ownCache() }
  return {
    version,
    node,
    env,
    npmCli: cli,
    npm: (cwd, args) => run(node, [cli, ...quietly, ...args], { cwd, env }),
  }
}

/**
 * npx stores its installations in the cache folder and would reuse them for a newer tarball; only downloads are shared.
 */
function ownCache() {
  const cache = join(home, 'cache')
  if (!existsSync(cache)) {
    const shared = join(npm(['config', 'get', 'cache']).stdout.trim(), '_cacache')
    mkdirSync(cache)
    mkdirSync(shared, { recursive: true })
    symlinkSync(shared, join(cache, '_cacache'), 'junction')
  }
  return { npm_config_cache: cache }
}

/** An empty folder outside the workspace, with a manifest when one is given. */
function project(name, manifest) {
  const folder = join(home, name)
  mkdirSync(folder)
  if (manifest !== undefined) write(folder, 'package.json', JSON.stringify({ private: true, ...manifest }))
  return folder
}

// ── what is in the server's tarball

function assertContents(files) {
  const here = (folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const pages = here('packages/web/dist').filter((name) => /\.\w+$/.test(name) && !/\.(?:map|stamp)$/.test(name))
  const wanted = [
    'package.json',
    'README.md',
    'LICENSE',
    'bin/mangaassist.js',
    'dist/cli/main.js',
    'dist/config/define-config.d.ts',
    ...[
      'bundled-turns.csv',
      'catalogue.jsonl',
      'embedders.yaml',
      'faq.yaml',
      'models.yaml',
      'prompts/bookseller.ja.md',
      'releases.csv',
      'tokenizers.json',
      'understanding/complexity.bin',
      'understanding/faq.bin',
      'understanding/weights.bin',
      'vectors/words.bin',
      'vectors/NOTICE',
    ].map((name) => `data/${name}`),
    'evaluation/questions/held-out.jsonl',
    ...['metrics.md', 'prometheus-alerts.yml', 'cloudwatch-alarms.json', 'grafana-models.json'].map(
      (name) => `monitoring/${name}`,
    ),
    ...here('packages/server/src/edge/contracts/docs').map((name) => `dist/edge/contracts/docs/${name}`),
    ...pages.map((name) => `web/${name}`),
  ]
  const missing = wanted.filter((name) => !files.includes(name))
  const foreign = files.filter((name) => /\.test\.|\.contract\.|\btesting\/|(?<!\.d)\.ts$|\.map$|\/swarm\//.test(name))
  assert(missing.length === 0, `The server's tarball lacks ${missing.join(', ')}`)
  assert(foreign.length === 0, `The server's tarball has ${foreign.join(', ')}, which it must not`)
  done('the server’s tarball has its data and pages, and no sources or tests')
}

// ── the client

/** A page that uses only the client installs only the client: no other package of ours is requested from a registry. */
function tryLoneClient({ env, node, npm: install, version }, tarball) {
  const alone = project('client-alone', { type: 'module' })
  install(alone, ['install', tarball])
  checkTypes(alone, [browserConsumerSettings])
  const loaded = run(
    node,
    ['--eval', 'import("@mangaassist/client").then(({ createClient }) => console.log(typeof createClient))'],
    { cwd: alone, env },
  )
  assert(loaded.trim() === 'function', `The client alone loads as ${loaded}`)
  done(`the client is installed alone by npm ${version.npm}`)
}

/** With each React that is supported: the types compile, and a server renders the tag. */
function tryReact({ env, node, npm: install }, tarball, { react, types }) {
  const app = project(`react-${Number.parseInt(react)}`, { type: 'module' })
  const packages = [
    `react@${react}`,
    `react-dom@${react}`,
    `@types/react@${types}`,
    `@types/react-dom@${Number.parseInt(react)}`,
  ]
  install(app, ['install', tarball, ...packages])
  const settings = { ...browserConsumerSettings, skipLibCheck: true }
  checkTypes(app, [{ ...settings, file: 'shop.ts', source: reactConsumer }])
  checkTypes(app, [{ ...settings, file: 'element.ts', source: elementConsumer, target: 'es2022' }])
  const render = `const { createElement } = await import('react'); const { renderToString } = await import('react-dom/server');
    const { MangaAssist } = await import('@mangaassist/react'); console.log(renderToString(createElement(MangaAssist, { theme: 'dark' })))`
  const printed = run(node, ['--input-type=module', '--eval', render], { cwd: app, env }).trim()
  assert(printed === '<manga-assist theme="dark"></manga-assist>', `React ${react} renders ${printed}`)
  done(`the component works with React ${react}`)
}

function checkTypes(app, settings) {
  const strict = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true, target: 'es2022' }
  for (const { file, source, ...options } of settings) {
    write(app, file, source)
    write(app, 'tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [file] }))
    assert(runTool('tsc', ['--project', app]).status === 0, `The types do not compile in ${file}`)
    done(`the types compile with moduleResolution ${options.moduleResolution ?? options.module}, skipLibCheck off`)
  }
}

function checkBundle(app, { name, source, gzipBytesMax }) {
  write(app, 'entry.js', source)
  const build = { lib: { entry: './entry.js', formats: ['es'], fileName: 'bundle' }, outDir: 'bundle', minify: true }
  write(app, 'vite.config.mjs', `export default ${JSON.stringify({ logLevel: 'warn', build })}`)
  assert(runTool('vite', ['build'], { cwd: app }).status === 0, `The ${name} could not be bundled`)
  const bundle = readFileSync(join(app, 'bundle/bundle.js'))
  const bytes = gzipSync(bundle).length
  assert(!/typebox|~kind/i.test(bundle.toString()), `The schemas of the protocol are in the bundle of the ${name}`)
  assert(bytes <= gzipBytesMax, `The bundle of the ${name} has ${bytes} bytes gzipped, more than ${gzipBytesMax}`)
  done(`the ${name} is a bundle of ${bytes} bytes gzipped, without the schemas`)
}

async function tryClient({ env, node, version }, app, url) {
  const bare = Number.parseInt(version.node) < 22
  write(app, 'ask.js', askingConsumer(bare))
  const [answer, refusal] = run(node, ['ask.js', url], { cwd: app, env }).trim().split('\n').slice(-2)
  assert(answer === 'stop verified', `The client ended with ${answer}`)
  assert(refusal === 'AdminError UNAUTHENTICATED', `The admin client with a wrong token printed ${refusal}`)
  if (bare) {
    const lone = 'import("@mangaassist/client").then((m) => m.createClient({ url: "http://127.0.0.1" }))'
    const { status, stderr } = spawnSync(node, ['--eval', lone], {
      cwd: app,
      env,
      encoding: 'utf8',
      timeout: stepMsMax,
    })
    assert(
      status !== 0 && /no WebSocket .* option webSocket/.test(stderr),
      `No error about the missing WebSocket: ${stderr}`,
    )
  }
  done(
    `Node ${version.node}: the client gets a whole answer, the admin client is refused with a wrong token${bare ? ', and says when a WebSocket is missing' : ''}`,
  )
}

// ── the server

async function tryServer(toolchain, { server: tarball, simulation }, app) {
  const { version } = toolchain
  const major = Number.parseInt(version.node)
  // `npm init` writes commonjs. On Node 22 nothing is installed: npx runs the tarball in an empty folder.
  const folder = project(`server-${major}`, major === 22 ? undefined : { type: major === 20 ? 'commonjs' : undefined })
  const fromTarball = major === 22 ? ['--yes', `--package=${tarball}`] : []
  // A Node that is new enough needs none of the optional Node packages.
  if (major !== 22) toolchain.npm(folder, ['install', ...(major === 24 ? ['--omit=optional'] : []), tarball])
  write(folder, 'mangaassist.config.ts', major === 22 ? plainConfig : typedConfig)
  const command = (...args) => ['exec', ...fromTarball, '--', 'mangaassist', ...args]
  assert(/Usage: mangaassist/.test(toolchain.npm(folder, command('--help'))), '--help says nothing')
  done(`Node ${version.node}, npm ${version.npm}: ${major === 22 ? 'npx runs the tarball' : 'the server is installed'}`)
  const server = await start(toolchain, folder, command('serve'))
  try {
    await checkServing(server.url, folder)
    done(`Node ${version.node}: it serves pages, contracts and answers, with ./data/local and ./mangaassist.config.ts`)
    await tryClient(toolchain, app, server.url)
  } finally {
    await server.stop()
  }
  if (major === 20) checkCommands(toolchain, folder, simulation)
  if (major === 24) checkInstalled(toolchain, folder)
}

async function start({ env, node, npmCli }, cwd, args) {
  const options = { cwd, env: { ...env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'], detached: true }
  const child = spawn(node, [npmCli, ...quietly, ...args], options)
  // npm does not wait for its child processes; the pipe closes when the last of them has ended.
  const ended = new Promise((resolve) => child.once('close', resolve))
  const killAfter = (ms) => setTimeout(() => process.kill(-child.pid, 'SIGKILL'), ms)
  const timer = killAfter(readyWithinMs)
  const url = await new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
      const [, address] = /ready at (\S+)/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error(`The server did not start: ${printed}`)))
  })
  clearTimeout(timer)
  return {
    url,
    async stop() {
      process.kill(-child.pid, 'SIGTERM')
      const bound = killAfter(stopWithinMs)
      await ended
      clearTimeout(bound)
    },
  }
}

async function checkServing(url, folder) {
  const text = async (path, init) => {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(answerWithinMs), ...init })
    assert(response.ok, `${path} answers ${response.status}`)
    return response.text()
  }
  const page = await text('/')
  const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
  assert(assets.length >= 2, 'The page names no assets')
  for (const path of [...assets, '/widget.js', '/docs', '/docs/docs.js', '/openapi.json', '/readyz']) await text(path)
  const body = JSON.stringify({ message: '進撃の巨人が好きなら次は何を読む？' })
  const asked = await text('/api/chat', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  assert(JSON.parse(asked).data.products.length > 0, `No series in the answer ${asked}`)
  const { requestsPerMinute } = JSON.parse(await text('/api/quota')).data
  assert(requestsPerMinute.limit === 21, 'The configuration of the current folder was not read')
  assert(existsSync(join(folder, 'data/local/mangaassist.sqlite')), 'DATA_DIR is not in the current folder')
}

function checkCommands({ env, node, npm: install }, folder, simulation) {
  const bin = 'node_modules/@mangaassist/server/bin/mangaassist.js'
  const output = (...args) => run(node, [bin, ...args], { cwd: folder, env })
  assert(output('search', 'ベルセルク').includes('ベルセルク'), 'search finds nothing')
  const { status, stderr } = spawnSync(node, [bin, 'fleet', '--list'], { cwd: folder, env, encoding: 'utf8' })
  const isNamed = /npm install @mangaassist\/simulation/.test(stderr)
  assert(status === 1 && isNamed, `fleet without its package says ${stderr}`)
  install(folder, ['install', simulation])
  assert(output('fleet', '--list').includes('throttle'), 'fleet knows no scenario')
  assert(/Usage: mangaassist sim/.test(output('sim', '--help')), 'sim has no help')
  assert(/blip/.test(output('fleet', '--scenario', 'blip', '--nodes', '2')), 'fleet simulates nothing')
  done('search runs; fleet and sim name the package to install, and run with it')
}

/** Loads every module of the package once, so that a missing one is found here and not by an operator. */
function checkInstalled({ env, node }, folder) {
  write(folder, 'load-all.mjs', loadAll)
  const count = run(node, ['load-all.mjs'], { cwd: folder, env }).trim()
  done(`all ${count} modules of the server load`)
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, module: 'nodenext', types: [] }
  write(folder, 'wrong.ts', wrongConfig)
  const files = ['mangaassist.config.ts', 'wrong.ts']
  write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, lib: ['es2023'] }, files }))
  assert(runTool('tsc', ['--project', folder]).status === 0, 'The types of the configuration do not compile')
  done('the types of @mangaassist/server/config compile, and refuse a wrong setting')
}

// ── small tools

function packedBefore() {
  return ['protocol', 'client', 'react', 'server', 'simulation'].map((name) => {
    const tarball = join(release, `mangaassist-${name}-${readJson(`packages/${name}/package.json`).version}.tgz`)
    const files = run('tar', ['-tzf', tarball])
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''))
    return { name, tarball, files, size: readFileSync(tarball).length, unpackedSize: 0 }
  })
}

function run(command, args, options) {
  const bounds = { timeout: stepMsMax, killSignal: 'SIGKILL' }
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', ...bounds, ...options })
  if (status === 0) return stdout
  throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`)
}

function write(folder, name, text) {
  writeFileSync(join(folder, name), text)
}

function assert(holds, message) {
  if (!holds) throw new Error(message)
}

function done(what) {
  console.log(`✓ ${what} (${seconds()} s)`)
}

function seconds() {
  return ((performance.now() - startedMs) / 1000).toFixed(0)
}
