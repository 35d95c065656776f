// The programs that tests use and npm does not install. A test needs a program if it is, or imports directly or
// indirectly, a certain module. The program is found on this machine, else installed if allowed (root, with apt-get).
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, dirname, extname, join, resolve } from 'node:path'

const APT_MS_MAX = 600_000
const FONTS_MS_MAX = 60_000
const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The path of a found tool is passed to the tests in `variable`. `debian` and `brew` are its packages, where there are any. */
const tools = [
  {
    name: 'Redis',
    debian: 'redis-server',
    brew: 'redis',
    module: /\/(stores\/redis-server|bench\/cluster\/redis)\.ts$/,
    variable: 'REDIS_SERVER',
    find: () => process.env.REDIS_SERVER ?? onPath(['redis-server']),
  },
  {
    name: 'redis-cli',
    debian: 'redis-tools',
    brew: 'redis',
    module: /\/stores\/redis-cluster\.ts$/,
    variable: 'REDIS_CLI',
    find: () => process.env.REDIS_CLI ?? onPath(['redis-cli']),
  },
  {
    name: 'an emulator of DynamoDB (dynoxide)',
    module: /\/(stores\/dynamo-server|bench\/cluster\/dynamo)\.ts$/,
    variable: 'DYNAMODB_EMULATOR',
    find: () => process.env.DYNAMODB_EMULATOR ?? packagedEmulator() ?? onPath(['dynoxide']),
  },
  {
    name: 'Chromium',
    debian: 'chromium',
    brew: 'google-chrome',
    module: /^playwright-core$/,
    variable: 'CHROMIUM',
    find: () => process.env.CHROMIUM ?? onPath(chromiumNames) ?? macChromium(),
  },
  {
    name: 'nginx',
    debian: 'nginx-light',
    brew: 'nginx',
    module: /\/test\/long\/nginx\.test\.ts$/,
    find: () => onPath(['nginx']),
  },
  {
    name: 'openssl',
    debian: 'openssl',
    brew: 'openssl',
    module: /\/test\/long\/(nginx|redis-kinds)\.test\.ts$/,
    find: () => onPath(['openssl']),
  },
  {
    name: 'promtool',
    debian: 'prometheus',
    brew: 'prometheus',
    module: /\/test\/long\/(promtool|prometheus)\.test\.ts$/,
    find: () => onPath(['promtool']),
  },
  {
    name: 'Prometheus',
    debian: 'prometheus',
    brew: 'prometheus',
    module: /\/test\/long\/prometheus\.test\.ts$/,
    find: () => onPath(['prometheus']),
  },
  {
    name: 'Java',
    debian: 'default-jre-headless',
    module: /\/test\/long\/dynamodb-local\.test\.ts$/,
    find: () => onPath(['java']),
  },
  {
    name: 'ip',
    debian: 'iproute2',
    module: /\/test\/long\/dynamodb-local\.test\.ts$/,
    find: () => onPath(['ip']),
  },
  {
    name: 'unshare',
    debian: 'util-linux',
    module: /\/test\/long\/dynamodb-local\.test\.ts$/,
    find: () => onPath(['unshare']),
  },
  {
    name: 'bash',
    debian: 'bash',
    brew: 'bash',
    module: /\/documents\/reader-shell\.ts$|\/test\/long\/dynamodb-local\.test\.ts$/,
    find: () => onPath(['bash']),
  },
  {
    name: 'curl',
    debian: 'curl',
    brew: 'curl',
    module: /\/documents\/reader-shell\.ts$|\/test\/long\/dynamodb-local\.test\.ts$/,
    find: () => onPath(['curl']),
  },
  { name: 'a Japanese font', debian: 'fonts-noto-cjk', module: /^playwright-core$/, find: japaneseFont },
]

/**
 * Sorts test files into those that can run and those that lack a tool, after installing what may be installed. `env`
 * has the paths of the tools; `advice` says how to install the missing ones.
 */
export function sortByTools(files) {
  const needs = new Map(files.map((file) => [file, toolsOf(file)]))
  const needed = tools.filter((tool) => [...needs.values()].some((some) => some.includes(tool)))
  const absent = needed.filter((tool) => tool.find() === undefined)
  const missing = absent.length > 0 ? installed(absent) : []
  const env = {}
  for (const { find, variable } of needed) if (variable && find()) env[variable] = find()
  const lacks = (file) => needs.get(file).filter((tool) => missing.includes(tool))
  return {
    env,
    runnable: files.filter((file) => lacks(file).length === 0),
    skipped: files
      .filter((file) => lacks(file).length > 0)
      .map((file) => ({ file, reason: `needs ${lacks(file).map(named).join(' and ')}` })),
    advice: adviceFor(process.platform, missing),
  }
}

/** How to install the tools on such a machine. */
export function adviceFor(platform, missing) {
  const named = (manager) => [...new Set(missing.flatMap((tool) => tool[manager] ?? []))].join(' ')
  if (platform === 'linux' && named('debian') !== '')
    return `To run them, on Debian or Ubuntu: sudo apt-get install -y --no-install-recommends ${named('debian')}`
  if (platform === 'darwin' && named('brew') !== '') return `To run them, with Homebrew: brew install ${named('brew')}`
  return `To run them, install ${missing.map(({ name }) => name).join(', ')}, and put the programs on PATH.`
}

/** Every module that a file loads, directly or through another file of ours: packages by name, files by path. */
export function modulesOf(file, seen = new Set()) {
  for (const module of directModulesOf(file)) {
    if (seen.has(module)) continue
    seen.add(module)
    if (extname(module) === '.ts') modulesOf(module, seen)
  }
  return seen
}

// Includes files that are named but not imported: tests start workers and processes from them.
const direct = new Map()
function directModulesOf(file) {
  if (direct.has(file)) return direct.get(file)
  const text = isReadable(file) ? readFileSync(file, 'utf8').replaceAll(/^import type [^']*'[^'\n]*'/gm, '') : ''
  const names = text.matchAll(/'((?:\.{1,2}\/|#)[^'\n]*\.ts|@mangaassist\/[^'\n]*|playwright-core)'/g)
  const modules = [...names].map(([, name]) => pathOf(name, file))
  direct.set(file, modules)
  return modules
}

/** Whether a test file needs a program that npm does not carry. */
export function needsTool(file) {
  return toolsOf(file).length > 0
}

function toolsOf(file) {
  const modules = [file, ...modulesOf(file)].map((module) => module.replaceAll('\\', '/'))
  return tools.filter((tool) => modules.some((module) => tool.module.test(module)))
}

// `#x` is `src/x` of the package that the file belongs to, and `#fixtures/x` is `test/fixtures/x`; another package of ours is
// addressed by its name, without the ending.
function pathOf(specifier, file) {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier)
  const [, other, inside] = /^@mangaassist\/([a-z]+)\/(.+)$/.exec(specifier) ?? []
  if (other !== undefined)
    return join('packages', other, inside.startsWith('fixtures/') ? 'test' : 'src', `${inside}.ts`)
  if (!specifier.startsWith('#')) return specifier
  const [packageFolder] = resolve(file).split(/[\\/](?:src|test)[\\/]/)
  return join(packageFolder, specifier.startsWith('#fixtures/') ? 'test' : 'src', specifier.slice(1))
}

/** Installs what it may, and returns what is still missing. */
function installed(absent) {
  if (process.getuid?.() === 0 && onPath(['apt-get'])) {
    const packages = [...new Set(absent.flatMap(({ debian }) => debian ?? []))]
    if (packages.length === 0) return absent
    console.log(`Installing ${packages.join(' ')} (apt-get) …`)
    const output = [aptGet(['update']), aptGet(['install', '-y', '--no-install-recommends', ...packages])].join('')
    // Only the presence of the programs counts: apt-get also fails when a service that it starts cannot run here.
    if (absent.some((tool) => tool.find() === undefined)) console.error(output)
  }
  return absent.filter((tool) => tool.find() === undefined)
}

function named({ name, variable }) {
  return variable ? `${name} (on PATH, or named in ${variable})` : name
}

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', args, { encoding: 'utf8', env, timeout: APT_MS_MAX, killSignal: 'SIGKILL' })
  return `${result.stdout}${result.stderr}${result.error?.message ?? ''}`
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = process.platform === 'win32' ? ['.exe'] : ['']
  return names
    .flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`))))
    .find(isExecutable)
}

/** npm installs it where it exists; on other machines the tests that need it are skipped. */
function packagedEmulator() {
  return [resolve('node_modules', '@dynoxide', `${process.platform}-${process.arch}`, 'dynoxide')].find(isExecutable)
}

function macChromium() {
  return ['Google Chrome', 'Chromium']
    .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
    .find(isExecutable)
}

function isExecutable(path) {
  return canAccess(path, constants.X_OK)
}

function isReadable(path) {
  return canAccess(path, constants.R_OK)
}

function canAccess(path, mode) {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

// macOS and Windows include Japanese fonts, and have no fc-list.
function japaneseFont() {
  if (process.platform !== 'linux') return 'system'
  const fonts = spawnSync('fc-list', [':lang=ja', 'family'], { encoding: 'utf8', timeout: FONTS_MS_MAX })
  return fonts.stdout?.trim() ? 'system' : undefined
}
