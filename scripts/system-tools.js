// The programs the tests use and npm does not carry: Redis, Chromium and a font with Japanese in it.
// Found on this machine, else installed where that is ours to do (root, with apt-get), else asked for.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail } from './bootstrap.js'

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const tools = [
  { debian: 'redis-server', find: () => process.env.REDIS_SERVER ?? onPath(['redis-server']) },
  { debian: 'chromium', find: () => process.env.CHROMIUM ?? onPath(chromiumNames) ?? macChromium() },
  { debian: 'fonts-noto-cjk', find: japaneseFont },
]

/** Returns the environment that tells the tests where the programs are. */
export function ensureSystemTools() {
  const missing = missingPackages()
  if (missing.length > 0) install(missing)
  const [redis, chromium] = tools
  return { REDIS_SERVER: redis.find(), CHROMIUM: chromium.find() }
}

function missingPackages() {
  return tools.filter((tool) => tool.find() === undefined).map((tool) => tool.debian)
}

function install(packages) {
  const list = packages.join(' ')
  const instruction = `apt-get install -y --no-install-recommends ${list}`
  const needs = `The tests need these Debian packages (or their like): ${list}.`
  if (process.getuid?.() !== 0 || onPath(['apt-get']) === undefined) {
    fail(
      `${needs}\nInstall them, for example as root with: ${instruction}\nPrograms that are not on PATH can be named in REDIS_SERVER and CHROMIUM.`,
    )
  }
  console.log(`Installing ${list} (apt-get) …`)
  const output = [aptGet(['update']), aptGet(['install', '-y', '--no-install-recommends', ...packages])].join('')
  // What counts is that the programs are there: apt-get also fails when a service it starts cannot run here.
  if (missingPackages().length > 0) fail(`${output}\n${needs}\nThis did not install them: ${instruction}`)
}

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', args, { encoding: 'utf8', env })
  return `${result.stdout}${result.stderr}`
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function macChromium() {
  return ['Google Chrome', 'Chromium']
    .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
    .find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// macOS brings Japanese fonts along, and has no fc-list to ask.
function japaneseFont() {
  if (process.platform === 'darwin') return 'system'
  const fonts = spawnSync('fc-list', [':lang=ja', 'family'], { encoding: 'utf8' })
  return fonts.stdout?.trim() ? 'system' : undefined
}
