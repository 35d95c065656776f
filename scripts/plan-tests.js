// Which test files a run consists of, in which order they start, and which of them share a process. Starting a process and loading
// the same modules costs a small test more than its work.
import { readFileSync } from 'node:fs'

const BESIDE_CODE = /^packages\/[^/]+\/src\//
/** Tests of commands run whole servers and fleets. */
const COMMANDS = /^packages\/(server\/src\/cli|simulation\/src\/commands)\//
const LONG = /^packages\/[^/]+\/test\/long\//
/** The files that the same one matches, the first that does, share a process, unless one needs its own. */
const SHARED = [
  /^packages\/bookseller\/src\//,
  /^packages\/client\/src\//,
  ...['aws', 'memory', 'redis', 'sqlite', '.*'].map((folder) => serverSources(`adapters/${folder}`)),
  ...['app', 'cli/commands', 'cli', 'config', 'domain', 'edge', 'lib', 'ports', 'resilience'].map(serverSources),
  ...['services', 'stores', 'turn', 'wiring'].map(serverSources),
  /^packages\/server\/test\/app-[^/]+$/,
  /^packages\/server\/test\/[^/]+$/,
  /^packages\/simulation\/src\//,
  /^packages\/web\/src\//,
]
/** Half a minute or more each, so they start first: started last, one would run by itself at the end. */
export const LONGEST = [
  'packages/server/test/e2e/documents.test.ts',
  'packages/server/test/e2e/lifecycle.test.ts',
  'packages/server/test/e2e/import.test.ts',
  'packages/simulation/test/swarm.test.ts',
  'packages/server/test/e2e/console.test.ts',
  'packages/server/test/e2e/console-screens.test.ts',
  'packages/server/test/e2e/dynamodb.test.ts',
  'packages/server/test/e2e/local-cluster.test.ts',
  'packages/web/test/chat.test.ts',
]
/** They change what all files of a process see. The hooks of a file are its own in a shared process too. */
const NEEDS_OWN_PROCESS = [
  /import \{[^}]*\bmock\b[^}]*\} from 'node:test'/,
  /\.mock\.|\bprocess\.(env|chdir|on|once)\b|\bglobalThis\b|'node:(child_process|worker_threads)'/,
]

/** The files of `npm run test:unit`: beside the code, without a tool, and not of a command. */
export function unitFiles(files, needsTool) {
  return files.filter((file) => BESIDE_CODE.test(slashed(file)) && !COMMANDS.test(slashed(file)) && !needsTool(file))
}

export function isLong(file) {
  return LONG.test(slashed(file))
}

/** Groups of files in the order in which they start; each group is one process. */
export function processesOf(files, textOf = (file) => readFileSync(file, 'utf8')) {
  const shared = new Map(SHARED.map((pattern) => [pattern, []]))
  const alone = []
  for (const file of files) {
    const place = SHARED.find((pattern) => pattern.test(slashed(file)))
    const isAlone = place === undefined || NEEDS_OWN_PROCESS.some((pattern) => pattern.test(textOf(file)))
    if (isAlone) alone.push([file])
    else shared.get(place).push(file)
  }
  const groups = [...shared.values()].filter((group) => group.length > 0)
  // Many of one file each are left for the end, so that no process runs by itself then.
  const besideCode = alone.filter(isBesideCode)
  const others = alone.filter((group) => !isBesideCode(group)).toSorted((one, other) => rankOf(one) - rankOf(other))
  const longest = others.filter((group) => rankOf(group) < LONGEST.length)
  return [...longest, ...groups, ...others.slice(longest.length), ...besideCode]
}

function serverSources(folder) {
  return new RegExp(`^packages/server/src/${folder}/`)
}

function isBesideCode([file]) {
  return BESIDE_CODE.test(slashed(file))
}

function rankOf([file]) {
  const rank = LONGEST.indexOf(slashed(file))
  return rank === -1 ? LONGEST.length : rank
}

function slashed(file) {
  return file.replaceAll('\\', '/')
}
