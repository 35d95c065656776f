// Which test files need which program, what happens without it, and that one without any is never held up.
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

/** On a machine that has none of the programs, nor an apt-get to install them with. */
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
  return { status, said: `${stdout}${stderr}` }
}

test('a test needs what it imports, also through a fixture, and not what it only takes a type from', () => {
  const needs = (file, module) => [...modulesOf(file)].some((found) => found.replaceAll('\\', '/').endsWith(module))
  assert.ok(needs(REDIS, 'stores/redis-server.ts'))
  assert.ok(needs(BROWSER, 'playwright-core'))
  assert.ok(!needs('packages/server/src/lib/text/nearest.test.ts', 'stores/redis-server.ts'))
  assert.ok(!needs('packages/server/src/adapters/sqlite/ledger/ledger.test.ts', 'stores/redis-server.ts'))
})

test('without the programs their tests are skipped by name, with the command that gets them, and the rest passes', () => {
  const { said, status } = runTests([PLAIN, REDIS, BROWSER])
  assert.equal(status, 0, said)
  assert.match(said, new RegExp(`﹣ ${REDIS}.*needs Redis`))
  assert.match(said, new RegExp(`  ${BROWSER}: needs Chromium .* and a Japanese font`))
  assert.match(said, /apt-get install -y --no-install-recommends redis-server chromium fonts-noto-cjk/)
  assert.match(said, /skipped 2/)
})

test('with CI=true a missing program is a failure', () => {
  const { said, status } = runTests([PLAIN, REDIS], { CI: 'true' })
  assert.equal(status, 1)
  assert.match(said, new RegExp(`${REDIS}: needs Redis[^]*no test may be skipped`))
})

test('a test that needs no program runs without any, with CI=true too', () => {
  const { said, status } = runTests([PLAIN], { CI: 'true' })
  assert.equal(status, 0, said)
  assert.doesNotMatch(said, /apt-get/)
})

test('a program that is named in its variable is used from there', () => {
  const { said } = runTests([REDIS], { REDIS_SERVER: '/nowhere/redis-server' })
  assert.match(said, /\/nowhere\/redis-server cannot be run: install redis-server, or name it in REDIS_SERVER/)
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
  const { said } = runTests(['packages/server/test/e2e/documents.test.ts'])
  assert.match(said, /documents\.test\.ts: needs Redis .* and bash and curl/)
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
  test(`a name that no test has is an error, ${what}`, () => {
    const { said, status } = runTests(args)
    assert.equal(status, 1)
    assert.match(
      said,
      /^No test file matches "packages\/server\/src\/nothing\.test\.ts"\. Write a flag as --flag=value\.$/m,
    )
    assert.doesNotMatch(said, /pass \d/)
  })

test('a flag without its value is an error, and takes no file for it', () => {
  const { said, status } = runTests(['--test-name-pattern', PLAIN])
  assert.notEqual(status, 0)
  assert.match(said, /--test-name-pattern requires an argument/)
  assert.doesNotMatch(said, /pass \d/)
})

test('no script is taken for a test by a Node that is given no files', () => {
  const looksLikeTest = /^test\.[cm]?js$|^test-.*\.[cm]?js$|[._-]test\.[cm]?js$/
  const taken = readdirSync(join(root, 'scripts')).filter((name) => looksLikeTest.test(name))
  assert.deepEqual(
    taken.filter((name) => !name.endsWith('.test.js')),
    [],
  )
})
