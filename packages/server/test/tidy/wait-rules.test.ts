// The rule of waits finds each way to pause or to poll without a bound, and leaves other loops and timers alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exemptFiles, waitViolations } from './wait-rules.ts'

const found = (source: string, path = 'packages/server/src/lib/some.test.ts') =>
  waitViolations([{ path, source }]).map(({ what }) => what.split(':')[0])

const PAUSES = [
  "import { setTimeout as sleep } from 'node:timers/promises'",
  "import { setTimeout } from 'node:timers/promises'",
  "import { scheduler } from 'node:timers/promises'",
  "import timers from 'node:timers/promises'",
  "import * as timers from 'node:timers/promises'",
  'await new Promise((resolve) => setTimeout(resolve, 500))',
]
for (const source of PAUSES)
  test(`a test may not pause: ${source}`, () => assert.deepEqual(found(source), ['pauses with setTimeout']))

const LOOPS = [
  'while (!isSo()) await settle()',
  'while (await asked());',
  'do { await pull() } while (!isEnded)',
  'for (;;) { await once(socket, 1) }',
  "for (let status = ''; status !== 'ready';) status = await readyz()",
]
for (const source of LOOPS)
  test(`a test may not poll without a bound: ${source}`, () =>
    assert.deepEqual(found(source), ['awaits in a loop without a bound']))

test('a test may sleep in virtual time and not in real time', () => {
  assert.deepEqual(found('await systemClock().sleep(500)'), ['sleeps on the real clock'])
  assert.deepEqual(found('const clock = systemClock()\nawait clock.sleep(500)'), ['sleeps on the real clock'])
  assert.deepEqual(found('const clock = manualClock()\nvoid clock.sleep(500)'), [])
})

test('bounded loops, loops that do not wait, and immediates are allowed', () => {
  const innocent = [
    "import { setImmediate } from 'node:timers/promises'",
    'for (let round = 0; round < 5; round += 1) await settle()',
    'for await (const part of stream) parts.push(part)',
    'while (list.length < 20) list.push(async () => await work())',
    "t.mock.timers.enable({ apis: ['setTimeout'] })",
    "await waitUntil('a reply', () => replies > 0)",
  ]
  for (const source of innocent) assert.deepEqual(found(source), [], source)
})

test('the rule applies to tests and to code that only they use, except for exempt files', () => {
  const [loop = ''] = LOOPS
  assert.equal(found(loop, 'packages/web/test/some.ts').length, 1)
  assert.equal(found(loop, 'packages/server/src/ports/clock/contract.ts').length, 1)
  for (const path of ['packages/server/src/lib/some.ts', 'bench/some.ts', ...exemptFiles])
    assert.deepEqual(found(loop, path), [], path)
})
