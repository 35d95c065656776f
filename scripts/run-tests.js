// Runs the chosen tests, called by `start-tests.js` under the pinned Node. Tests whose tools are missing are reported as skipped,
// by name; with CI=true a missing tool is a failure, so that no test is left out unnoticed.
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sortByTools } from './system-tools.js'
import { fail, root } from './bootstrap.js'

/** One more than the cores of a small machine: a good part of most files is waiting. */
const CONCURRENT_FILES = 3
const TIMEOUT_MS = 120_000
const LONG_TIMEOUT_MS = 1_800_000
const everything = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.js']
const long = 'packages/*/test/long/**/*.test.ts'
const reporter = 'scripts/skipped-tests.js'
/** Every test file is a process, and most load the same modules: each is compiled once for all of them. */
const compileCache = join(root, 'node_modules/.cache/compile')

const given = process.argv.slice(2)
const isLong = given.includes('--long')
const flags = given.filter((arg) => arg.startsWith('-') && arg !== '--long')
const patterns = given.filter((arg) => !arg.startsWith('-'))
const files = chosenFiles()

const { advice, env, runnable, skipped } = sortByTools(files)
if (skipped.length > 0 && process.env.CI === 'true') fail(`${summary()}\nWith CI=true no test may be skipped.`)
const result = spawnSync(process.execPath, testArgs(), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env, SKIPPED_TESTS: JSON.stringify(skipped) },
})
if (skipped.length > 0) console.log(`\n${summary()}`)
process.exit(result.status ?? 1)

function chosenFiles() {
  const find = (list) => [...new Set(list.flatMap((pattern) => globSync(pattern, { cwd: root })))]
  // Node runs every file that looks like a test when it is given none, so no pattern may be dropped.
  const unmatched = patterns.filter((pattern) => find(asPatterns(pattern)).length === 0)
  if (unmatched.length > 0)
    fail(
      `No test file matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}. Write a flag as --flag=value.`,
    )
  if (patterns.length > 0) return find(patterns.flatMap(asPatterns))
  const longFiles = find([long])
  return isLong ? longFiles : find(everything).filter((file) => !longFiles.includes(file))
}

function asPatterns(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return ['ts', 'js'].map((ending) => `${path.replace(/[\\/]$/, '')}/**/*.test.${ending}`)
}

function testArgs() {
  const timeout = `--test-timeout=${isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS}`
  const skips = skipped.length > 0 ? [reporter] : []
  // After the last flag: one that lacks its value is an error then, and does not take a file for it.
  return [`--test-concurrency=${isLong ? 1 : CONCURRENT_FILES}`, timeout, ...flags, '--test', ...runnable, ...skips]
}

function summary() {
  const lines = skipped.map(({ file, reason }) => `  ${file}: ${reason}`)
  return `Skipped (${skipped.length} of ${files.length} test files):\n${lines.join('\n')}\n${advice}`
}
