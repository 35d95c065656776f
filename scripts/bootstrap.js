// Prepares what every script needs: the packages, the built web pages, and a Node that runs TypeScript. Plain
// JavaScript that runs on Node 20, because this is what fetches Node 24. Each step leaves a stamp of its inputs and
// does nothing while the stamp matches.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNode, nodeAdvice } from '../packages/server/bin/find-node.js'
import { exclusively } from './exclusively.js'
import { digest, fail, readIfThere, root } from './workspace.js'

export { ensureInstalled } from './install.js'
export { fail, root } from './workspace.js'

const webStamp = join(root, 'packages/web/dist/.stamp')
const BUILD_MS_MAX = 300_000
const webSources = ['packages/web', 'packages/client/src', 'packages/protocol/src']

export function ensureWebBuilt() {
  const wanted = webDigest()
  const isBuilt = () => readIfThere(webStamp) === wanted
  if (!isBuilt()) exclusively(() => isBuilt() || buildWeb(wanted))
}

function buildWeb(stamp) {
  console.log('Building the web pages …')
  const options = { stdio: 'pipe', encoding: 'utf8', timeout: BUILD_MS_MAX, killSignal: 'SIGKILL' }
  const build = runTool('vite', ['build'], { cwd: join(root, 'packages/web'), ...options })
  const output = `${build.stdout}${build.stderr}${build.error?.message ?? ''}`
  if (build.status !== 0) fail(`${output}\nThe web pages could not be built (see above).`)
  writeFileSync(webStamp, stamp)
}

/** The path of a Node that runs our TypeScript. */
export function pinnedNode() {
  return findNode() ?? fail(nodeAdvice())
}

/** Runs the command line of an installed package under the pinned Node. */
export function runTool(name, args, options = {}) {
  return spawnSync(pinnedNode(), [toolPath(name), ...args], { cwd: root, stdio: 'inherit', ...options })
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

function toolPath(name) {
  const packages = { tsc: 'typescript' }
  const folder = join(root, 'node_modules', packages[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}
