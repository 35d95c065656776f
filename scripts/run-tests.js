// Runs the chosen tests, called by `start-tests.js` under the pinned Node. Tests whose tools are missing are reported as skipped,
// by name; with CI=true a missing tool is a failure, so that no test is left out unnoticed.
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { needsTool, sortByTools } from './system-tools.js'
import { isLong, processesOf, unitFiles } from './plan-tests.js'
import { fail, root } from './bootstrap.js'

/** One more than the cores of a small machine: most files spend much time waiting. */
const CONCURRENT_FILES = 3
const TIMEOUT_MS = 120_000
const LONG_TIMEOUT_MS = 1_800_000
const everything = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.js']
const reporter = 'scripts/skipped-tests.js'
/** Every test file is a process, and most load the same modules: each is compiled once for all of them. */
const compileCache = join(root, 'node_modules/.cache/compile')

const given = process.argv.slice(2)
const kind = given.includes('--long') ? 'long' : given.includes('--unit') ? 'unit' : 'usual'
const flags = given.filter((arg) => arg.startsWith('-') && arg !== '--long' && arg !== '--unit')
const patterns = given.filter((arg) => !arg.startsWith('-'))
const files = chosenFiles()

const { advice, env, runnable, skipped } = sortByTools(files)
if (skipped.length > 0 && process.env.CI === 'true') fail(`${summary()}\nWith CI=true no test may be skipped.`)
// Flags are of the command line of `node --test`, and a person who names files wants each by itself.
const isPlanned = kind !== 'long' && flags.length === 0 && patterns.length === 0
const plan = {
  concurrency: CONCURRENT_FILES,
  groups: isPlanned ? [...processesOf(runnable), ...skips().map((file) => [file])] : [],
}
const result = spawnSync(process.execPath, isPlanned ? plannedArgs() : testArgs(), {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    ...env,
    SKIPPED_TESTS: JSON.stringify(skipped),
    TEST_PROCESSES: JSON.stringify(plan),
  },
})
if (skipped.length > 0) console.log(`\n${summary()}`)
if (kind === 'unit') console.log(`\n${leftOut()}`)
process.exit(result.status ?? 1)

function find(list) {
  return [...new Set(list.flatMap((pattern) => globSync(pattern, { cwd: root })))]
}

function chosenFiles() {
  // Node runs every file that looks like a test when it is given none, so no pattern may be dropped.
  const unmatched = patterns.filter((pattern) => find(asPatterns(pattern)).length === 0)
  if (unmatched.length > 0)
    fail(
      `No test file matches ${unmatched.map((one) => JSON.stringify(one)).join(', ')}. Write a flag as --flag=value.`,
    )
  if (patterns.length > 0) return find(patterns.flatMap(asPatterns))
  const all = find(everything)
  if (kind === 'long') return all.filter(isLong)
  const usual = all.filter((file) => !isLong(file))
  return kind === 'unit' ? unitFiles(usual, needsTool) : usual
}

function asPatterns(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return ['ts', 'js'].map((ending) => `${path.replace(/[\\/]$/, '')}/**/*.test.${ending}`)
}

function testArgs() {
  const timeout = `--test-timeout=${kind === 'long' ? LONG_TIMEOUT_MS : TIMEOUT_MS}`
  const concurrency = `--test-concurrency=${kind === 'long' ? 1 : CONCURRENT_FILES}`
  // After the last flag: one that lacks its value is an error then, and does not take a file for it.
  return [concurrency, timeout, ...flags, '--test', ...runnable, ...skips()]
}

function plannedArgs() {
  return [`--test-timeout=${TIMEOUT_MS}`, 'scripts/run-processes.js']
}

function skips() {
  return skipped.length > 0 ? [reporter] : []
}

function leftOut() {
  const count = find(everything).length - files.length
  return `Left out: ${count} test files that need a tool, are of a command or of scripts, or are in a folder test/ (npm test, npm run test:long).`
}

function summary() {
  const lines = skipped.map(({ file, reason }) => `  ${file}: ${reason}`)
  return `Skipped (${skipped.length} of ${files.length} test files):\n${lines.join('\n')}\n${advice}`
}
