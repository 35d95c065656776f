// What every script needs before it can do its work: the packages, the built web pages, and a Node that runs
// TypeScript. Plain JavaScript that runs on Node 20, because this is what fetches Node 24.
// Each step leaves a stamp of what it was made from and does nothing while the stamp still matches.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const NODE_MAJOR_MIN = 24
const installStamp = join(root, 'node_modules', '.mangaassist-stamp')
const webStamp = join(root, 'packages/web/dist/.stamp')
const webSources = ['packages/web', 'packages/client/src', 'packages/protocol/src']

/** Ends the script with a message a person can act on. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

export function ensureInstalled() {
  const wanted = installDigest()
  if (readIfThere(installStamp) === wanted) return
  if (!installedByHand()) install()
  writeFileSync(installStamp, wanted)
}

export function ensureWebBuilt() {
  const wanted = webDigest()
  if (readIfThere(webStamp) === wanted) return
  console.log('Building the web pages …')
  const build = runTool('vite', ['build'], { cwd: join(root, 'packages/web'), stdio: 'pipe', encoding: 'utf8' })
  if (build.status !== 0) fail(`${build.stdout}${build.stderr}\nThe web pages could not be built (see above).`)
  writeFileSync(webStamp, wanted)
}

/** The path of a Node that runs our TypeScript: the one from the lockfile, else this process's own. */
export function pinnedNode() {
  const pinned = join(root, 'node_modules', '.bin', 'node')
  if (existsSync(pinned) && majorOf(pinned) >= NODE_MAJOR_MIN) return pinned
  if (majorOf(process.execPath) >= NODE_MAJOR_MIN) return process.execPath
  return fail(nodeAdvice())
}

/** Runs the command line of an installed package under the pinned Node. */
export function runTool(name, args, options = {}) {
  return spawnSync(pinnedNode(), [toolPath(name), ...args], { cwd: root, stdio: 'inherit', ...options })
}

function install() {
  console.log('Installing packages (npm ci) …')
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  // Under `npm start` this very npm is asked; its own messages are shown only when it fails.
  const [command, first] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []]
  const options = { cwd: root, stdio: 'pipe', encoding: 'utf8', shell: process.platform === 'win32' }
  const result = spawnSync(command, [...first, ...args], options)
  if (result.status === 0) return
  fail(
    `${result.stdout ?? ''}${result.stderr ?? result.error?.message}\nThe packages could not be installed (see above).`,
  )
}

// The running Node's version is left out on purpose: the first start of a fresh clone runs under the system's
// Node and the second under the pinned one, and that must not look like a change.
function installDigest() {
  return digest([readFileSync(join(root, 'package-lock.json')), `${process.platform} ${process.arch}`])
}

// npm keeps its own record of what it installed. Somebody who ran `npm install` by hand needs no second one.
function installedByHand() {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'))
  if (record === undefined) return false
  const installed = JSON.parse(record).packages
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    return found ? found.version === entry.version : !neededHere(entry)
  })
}

function neededHere(entry) {
  if (!entry.optional && !entry.devOptional) return true
  return (entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !isOtherLibc(entry)) ?? false
}

function isOtherLibc(entry) {
  if (!entry.libc) return false
  const glibc = process.report?.getReport().header.glibcVersionRuntime !== undefined
  return !entry.libc.includes(glibc ? 'glibc' : 'musl')
}

function webDigest() {
  const files = webSources.flatMap((folder) => filesUnder(join(root, folder)))
  const inOrder = files.sort((one, other) => (one < other ? -1 : 1))
  const parts = inOrder.flatMap((file) => [file.slice(root.length), readFileSync(file)])
  return digest([...parts, readFileSync(join(root, 'package-lock.json'))])
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name.endsWith('.test.ts')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function majorOf(node) {
  if (realpathSync(node) === realpathSync(process.execPath)) return Number.parseInt(process.versions.node)
  // A Node for another machine cannot be run at all: it counts as none.
  try {
    return Number.parseInt(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1))
  } catch {
    return 0
  }
}

function toolPath(name) {
  const packages = { tsc: 'typescript' }
  const folder = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

function nodeAdvice() {
  const carried = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  const fix = carried
    ? 'It comes with the packages as an optional dependency: delete node_modules and run this again, without --omit=optional.'
    : 'Install it from nodejs.org or with your version manager, then run this again.'
  return `MangaAssist needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. ${fix}`
}
