// Which tests are quick, which share a process, and in which order all start.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { needsTool } from './system-tools.js'
import { isLong, LONGEST, processesOf, unitFiles } from './plan-tests.js'
import { root } from './workspace.js'

const PURE = 'packages/server/src/domain/refusal.test.ts'
const PURE_TOO = 'packages/server/src/domain/budget/day.test.ts'
const OTHER_FOLDER = 'packages/server/src/lib/text/csv.test.ts'
const SOCKETS = 'packages/server/src/adapters/openai/model.test.ts'
const TOGETHER = 'packages/server/test/rates.test.ts'
const PROCESSES = 'packages/server/test/e2e/chat.test.ts'
const WINDOWS = 'packages\\server\\src\\domain\\refusal.test.ts'

const plan = (files, text = '') => processesOf(files, () => text)

test('quick tests are beside the code, need no tool and are not of a command', () => {
  const command = 'packages/server/src/cli/commands/chat.test.ts'
  const redis = 'packages/server/src/adapters/redis/ledger/ledger.test.ts'
  const files = [PURE, SOCKETS, TOGETHER, command, redis, 'scripts/install.test.js', WINDOWS]
  assert.deepEqual(unitFiles(files, needsTool), [PURE, SOCKETS, WINDOWS])
  assert.ok(needsTool(redis) && !needsTool(SOCKETS))
})

test('a quick run says in one line what it leaves out', () => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const args = ['scripts/run-tests.js', '--unit', 'scripts/install.test.js']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /\nLeft out: \d{3} test files that .*\n$/)
})

test('long tests are in a folder of their own', () => {
  assert.ok(isLong('packages/server/test/long/soak.test.ts') && isLong('packages\\server\\test\\long\\soak.test.ts'))
  assert.ok(!isLong(TOGETHER))
})

test('files of one folder share a process, others have their own, and what takes long starts first', () => {
  const [longest = '', next = ''] = LONGEST
  const files = [SOCKETS, PURE, OTHER_FOLDER, next, PURE_TOO, PROCESSES, longest]
  assert.deepEqual(plan(files), [[longest], [next], [SOCKETS], [PURE, PURE_TOO], [OTHER_FOLDER], [PROCESSES]])
  assert.deepEqual(plan([WINDOWS, PURE_TOO]), [[WINDOWS, PURE_TOO]])
})

test('the files that start first exist', () => {
  assert.deepEqual(
    LONGEST.filter((file) => !existsSync(join(root, file))),
    [],
  )
})

test('a file with hooks shares a process', () => {
  assert.deepEqual(plan([PURE, PURE_TOO], "import { after, test } from 'node:test'"), [[PURE, PURE_TOO]])
})

for (const text of [
  "import { mock, test } from 'node:test'",
  't.mock.timers.enable()',
  'process.env.PORT = 1',
  'globalThis.fetch = fake',
  "import { spawn } from 'node:child_process'",
])
  test(`a file that could change another has its own process: ${text}`, () => {
    assert.deepEqual(plan([PURE, PURE_TOO], text), [[PURE], [PURE_TOO]])
  })
