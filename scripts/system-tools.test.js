// Which test files need which program, what happens without it, and that tests without a program always run.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { adviceFor, modulesOf } from './system-tools.js'
import { root } from './workspace.js'

const PLAIN = 'scripts/install.test.js'
const REDIS = 'packages/server/src/adapters/redis/rate-chunks/rate-chunks.test.ts'
const BROWSER = 'packages/web/test/markdown.test.ts'

/** Runs tests as on a machine without the programs and without apt-get. */
function runTests(files, env) {
  const {
    NODE_TEST_CONTEXT: _context,
    REDIS_SERVER: _redis,
    REDIS_CLI: _cli,
    CHROMIUM: _chromium,
    ...rest
  } = process.env
  const args = [join(root, 'scripts/run-tests.js'), '--test-reporter=spec', ...files]
  const options = { cwd: root, encoding: 'utf8', env: { ...rest, PATH: '/nowhere', CI: '', ...env } }
  const { status, stderr, stdout } = spawnSync(process.execPath, args, options)
  return { status, output: `${stdout}${stderr}` }
}

test('a test needs the modules that it imports, also through a fixture, but not those of type imports', () => {
  const needs = (file, module) => [...modulesOf(file)].some((found) => found.replaceAll('\\', '/').endsWith(module))
  assert.ok(needs(REDIS, 'stores/redis-server.ts'))
  assert.ok(needs(BROWSER, 'playwright-core'))
  assert.ok(!needs('packages/server/src/lib/text/nearest.test.ts', 'stores/redis-server.ts'))
  assert.ok(!needs('packages/server/src/adapters/sqlite/ledger/ledger.test.ts', 'stores/redis-server.ts'))
})

test('without the programs their tests are skipped by name, with the install command, and the rest passes', () => {
  const { output, status } = runTests([PLAIN, REDIS, BROWSER])
  assert.equal(status, 0, output)
  assert.match(output, new RegExp(`﹣ ${REDIS}.*needs Redis`))
  assert.match(output, new RegExp(`  ${BROWSER}: needs Chromium .* and a Japanese font`))
  assert.match(output, /apt-get install -y --no-install-recommends redis-server chromium fonts-noto-cjk/)
  assert.match(output, /skipped 2/)
})

test('with CI=true a missing program is a failure', () => {
  const { output, status } = runTests([PLAIN, REDIS], { CI: 'true' })
  assert.equal(status, 1)
  assert.match(output, new RegExp(`${REDIS}: needs Redis[^]*no test may be skipped`))
})

test('a test that needs no program runs without any, with CI=true too', () => {
  const { output, status } = runTests([PLAIN], { CI: 'true' })
  assert.equal(status, 0, output)
  assert.doesNotMatch(output, /apt-get/)
})

test('the path of a program in its variable is used', () => {
  const { output } = runTests([REDIS], { REDIS_SERVER: '/nowhere/redis-server' })
  assert.match(output, /\/nowhere\/redis-server cannot be run: install redis-server, or name it in REDIS_SERVER/)
})

test('a type that is imported over several lines needs nothing', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-tools-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'some.test.ts')
  const imports = ['import type {', '  Redis,', "} from './fixtures/redis-server.ts'", "import { a } from './other.ts'"]
  writeFileSync(file, imports.join('\n'))
  assert.deepEqual([...modulesOf(file)], [join(folder, 'other.ts')])
})

test('the documents need the shell and the program that their readers type commands with', () => {
  const { output } = runTests(['packages/server/test/e2e/documents.test.ts'])
  assert.match(output, /documents\.test\.ts: needs Redis .* and bash and curl/)
})

test('the advice fits the system', () => {
  const missing = [
    { name: 'Redis', debian: 'redis-server', brew: 'redis' },
    { name: 'redis-cli', debian: 'redis-tools', brew: 'redis' },
  ]
  assert.match(adviceFor('linux', missing), /Debian or Ubuntu: sudo apt-get install .* redis-server redis-tools$/)
  assert.match(adviceFor('darwin', missing), /brew install redis$/)
  assert.match(adviceFor('win32', missing), /install Redis, redis-cli, and put the programs on PATH\.$/)
})

for (const [what, args] of Object.entries({
  alone: ['packages/server/src/nothing.test.ts'],
  'beside a right one': [PLAIN, 'packages/server/src/nothing.test.ts'],
  'as the value of a flag': ['--test-name-pattern', 'packages/server/src/nothing.test.ts', PLAIN],
}))
  test(`a name that matches no test is an error, ${what}`, () => {
    const { output, status } = runTests(args)
    assert.equal(status, 1)
    assert.match(
      output,
      /^No test file matches "packages\/server\/src\/nothing\.test\.ts"\. Write a flag as --flag=value\.$/m,
    )
    assert.doesNotMatch(output, /pass \d/)
  })

test('a flag without its value is an error and does not take a file as its value', () => {
  const { output, status } = runTests(['--test-name-pattern', PLAIN])
  assert.notEqual(status, 0)
  assert.match(output, /--test-name-pattern requires an argument/)
  assert.doesNotMatch(output, /pass \d/)
})

test('Node takes no script for a test when it gets no files', () => {
  const looksLikeTest = /^test\.[cm]?js$|^test-.*\.[cm]?js$|[._-]test\.[cm]?js$/
  const taken = readdirSync(join(root, 'scripts')).filter((name) => looksLikeTest.test(name))
  assert.deepEqual(
    taken.filter((name) => !name.endsWith('.test.js')),
    [],
  )
})
