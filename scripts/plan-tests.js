// Which test files a run consists of, in which order they start, and which of them share a process. Starting a process and loading
// the same modules costs a small test more than its work.
import { readFileSync } from 'node:fs'

const BESIDE_CODE = /^packages\/[^/]+\/src\//
/** Tests of commands run whole servers and fleets. */
const COMMANDS = /^packages\/(server\/src\/cli|simulation\/src\/commands)\//
const LONG = /^packages\/[^/]+\/test\/long\//
/** The files of each share a process, unless one needs its own. */
const SHARED_FOLDERS = [
  'packages/bookseller/src/',
  ...['adapters/memory', 'app', 'config', 'domain', 'edge', 'lib', 'resilience', 'services', 'turn'].map(
    (folder) => `packages/server/src/${folder}/`,
  ),
]
/** Hooks of a file would apply to every file of its process; the others change what all files of a process see. */
const NEEDS_OWN_PROCESS = [
  /import \{[^}]*\b(before|after|beforeEach|afterEach|mock)\b[^}]*\} from 'node:test'/,
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
  const shared = new Map(SHARED_FOLDERS.map((folder) => [folder, []]))
  const alone = []
  for (const file of files) {
    const folder = SHARED_FOLDERS.find((start) => slashed(file).startsWith(start))
    const isAlone = folder === undefined || NEEDS_OWN_PROCESS.some((pattern) => pattern.test(textOf(file)))
    if (isAlone) alone.push([file])
    else shared.get(folder).push(file)
  }
  const groups = [...shared.values()].filter((group) => group.length > 0)
  // The longest first, so that none is left running by itself at the end: tests in `test/`, then the shared processes.
  const [besideCode, others] = [alone.filter(isBesideCode), alone.filter((group) => !isBesideCode(group))]
  return [...others, ...groups, ...besideCode]
}

function isBesideCode([file]) {
  return BESIDE_CODE.test(slashed(file))
}

function slashed(file) {
  return file.replaceAll('\\', '/')
}
