// Runs groups of test files in the order given, each group in a process of its own, for `run-tests.js`. The command line of
// `node --test` sorts its files and starts a process for each. A few files that fail run once more, one at a time: those that pass
// then are named as unstable, and only those that fail again fail the run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** More failed files than this are no accident of a busy machine. */
const REPEATED_FILES_MAX = 5

const { concurrency, groups } = JSON.parse(process.env.TEST_PROCESSES ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'mangaassist-tests-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const known = new Set(groups.flat().map((file) => resolve(file)))
const failed = await failedFiles(
  groups.map((group, index) => (group.length === 1 ? resolve(group[0]) : written(group, index))),
  concurrency,
)
const isRepeatable = failed.length <= REPEATED_FILES_MAX && failed.every((file) => known.has(file))
if (failed.length > 0) process.exitCode = isRepeatable && (await passWhenRepeated()) ? 0 : 1

async function passWhenRepeated() {
  console.log(`\nRunning again, one at a time: ${named(failed)}\n`)
  const failedAgain = await failedFiles(failed, 1)
  const unstable = failed.filter((file) => !failedAgain.includes(file))
  if (unstable.length > 0) console.log(`\nUnstable, failed once and passed when run again: ${named(unstable)}`)
  return failedAgain.length === 0
}

/** Files with a failed test: of a group the file in it, and the group itself only when its process did not run to its end. */
async function failedFiles(files, atOnce) {
  const found = new Set()
  const report = run({ files, concurrency: atOnce })
    .on('test:fail', ({ file, name, todo }) => {
      if (todo === undefined || todo === false) found.add(fileOf({ file, name }))
    })
    .compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  return [...found]
}

function fileOf({ file, name }) {
  if (name.startsWith('file:')) return fileURLToPath(name)
  return file ?? resolve(name)
}

function named(files) {
  return files.map((file) => file.replace(`${process.cwd()}/`, '')).join(', ')
}

/**
 * A file that loads the others, each in a suite: then the hooks of one do not apply to the rest. One that cannot be loaded is a failed
 * test with its name, and the rest runs.
 */
function written(group, index) {
  const path = join(folder, `group-${index}.test.mjs`)
  const urls = group.map((file) => pathToFileURL(resolve(file)).href)
  const lines = [
    "import { suite, test } from 'node:test'",
    `for (const url of ${JSON.stringify(urls)})`,
    '  suite(url, () => import(url).catch((error) => void test(url, () => { throw error })))',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}
