// Runs small test files as `npm test` does: in groups and in order; one that fails once passes the run and is named, one that fails
// twice fails it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const RUNNER = join(import.meta.dirname, 'run-processes.js')
const IMPORTS = "import { test } from 'node:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n"
const FAILS = `${IMPORTS}test('fails', () => { throw new Error('on purpose') })`
const once = (act) =>
  `${IMPORTS}test('once', () => {
    if (existsSync(import.meta.filename + '.mark')) return
    writeFileSync(import.meta.filename + '.mark', '')
    ${act}
  })`
const FAILS_ONCE = once("throw new Error('once')")
const DIES_ONCE = once('process.exit(3)')

function runGroups(context, sources) {
  const cwd = mkdtempSync(join(tmpdir(), 'mangaassist-runner-'))
  context.after(() => rmSync(cwd, { recursive: true, force: true }))
  const files = sources.map((source, index) => {
    const file = `${'fedcba'[index]}.test.mjs`
    writeFileSync(join(cwd, file), source)
    return file
  })
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  return (groups) => {
    const TEST_PROCESSES = JSON.stringify({ concurrency: 1, groups: groups(files) })
    const options = { cwd, encoding: 'utf8', env: { ...env, TEST_PROCESSES } }
    const { status, stdout } = spawnSync(process.execPath, [RUNNER], options)
    const unstable = /^Unstable, .*: (.*)$/m.exec(stdout)?.[1]
    return { status, stdout, files, isRepeated: stdout.includes('Running again'), unstable }
  }
}

const together = (files) => [files]
const apart = (files) => files.map((file) => [file])

const passing = (name) => `import { test } from 'node:test'\ntest('${name} in ' + process.pid, () => {})`
const pidsIn = (stdout) => [...stdout.matchAll(/✔ \w+ in (\d+)/g)].map(([, pid]) => pid)

test('groups run in the order given, the files of one in one process', (context) => {
  const run = runGroups(context, [passing('first'), passing('second'), passing('third')])
  const { status, stdout } = run(([f, e, d]) => [[f], [e, d]])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /first[^]*second[^]*third[^]*tests 3/)
  const [first, second, third] = pidsIn(stdout)
  assert.notEqual(first, second)
  assert.equal(second, third)
})

test('the hooks of a file in a shared process apply to its own tests only', (context) => {
  const hooked = `import { after, before, beforeEach, test } from 'node:test'
    before(() => console.log('hook: before'))
    beforeEach(() => console.log('hook: each'))
    after(() => console.log('hook: after'))
    test('has hooks', () => console.log('hook: test'))`
  const plain = "import { test } from 'node:test'\ntest('has none', () => console.log('hook: none'))"
  const { status, stdout } = runGroups(context, [plain, hooked, plain])(together)
  assert.equal(status, 0, stdout)
  const said = [...stdout.matchAll(/hook: (\w+)/g)].map(([, word]) => word)
  assert.deepEqual(said, ['none', 'before', 'each', 'test', 'after', 'none'])
})

test('a failure in a shared process names its file, and one that cannot be loaded does not stop the rest', (context) => {
  const run = runGroups(context, ["import './nothing.js'", FAILS, passing('third')])
  const { files, status, stdout } = run(together)
  assert.equal(status, 1)
  assert.match(stdout, new RegExp(`test at .*${files[1]}:3:1\\n✖ fails`))
  assert.match(stdout, /✖ file:.*f\.test\.mjs[^]*Cannot find module/)
  assert.match(stdout, /pass 1\n/)
  assert.match(stdout, /fail 2\n/)
})

for (const [name, source, groups] of [
  ['by itself', FAILS_ONCE, apart],
  ['in a group', FAILS_ONCE, together],
  ['whose process died', DIES_ONCE, apart],
])
  test(`a file ${String(name)} that fails once runs again, and is named as unstable`, (context) => {
    const { files, status, unstable } = runGroups(context, [passing('first'), source])(groups)
    assert.deepEqual([status, unstable], [0, files[1]])
  })

test('a file that fails twice fails the run, and nothing runs again when all pass', (context) => {
  const { files, status, isRepeated, unstable } = runGroups(context, [FAILS, FAILS_ONCE])(together)
  assert.deepEqual([status, isRepeated, unstable], [1, true, files[1]])
  const passed = runGroups(context, [passing('first')])(apart)
  assert.deepEqual([passed.status, passed.isRepeated], [0, false])
})

test('a group whose process died, a missing file, and more than five failed files fail the run', (context) => {
  assert.equal(runGroups(context, [DIES_ONCE, passing('second')])(together).status, 1)
  const missing = (files) => [[...files, 'missing.test.mjs']]
  assert.equal(runGroups(context, [passing('first')])(missing).status, 1)
  const { status, isRepeated } = runGroups(context, Array(6).fill(FAILS_ONCE))(apart)
  assert.deepEqual([status, isRepeated], [1, false])
})
