// Runs groups of test files in the order given, each group in a process of its own, for `run-tests.js`. The command line of
// `node --test` sorts its files and starts a process for each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

const { concurrency, groups } = JSON.parse(process.env.TEST_PROCESSES ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'mangaassist-tests-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const files = groups.map((group, index) => (group.length === 1 ? resolve(group[0]) : written(group, index)))
run({ files, concurrency })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)

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
