// Work with a deadline: it leaves no timer and no listener.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { listenersOf } from '#fixtures/time/streams.ts'
import { LATE, withDeadline } from './with-deadline.ts'

const never = () => new Promise<never>(() => {})

function setUp() {
  const clock = manualClock()
  const controller = new AbortController()
  const { signal } = controller
  const nothingLeft = () => assert.deepEqual([clock.timers(), listenersOf(signal)], [0, 0])
  return { clock, controller, limit: { ms: 100, signal }, nothingLeft }
}

test('work that is done in time gives its value and leaves no timer and no listener', async () => {
  const { clock, limit, nothingLeft } = setUp()
  assert.equal(await withDeadline(clock, limit, async () => 'done'), 'done')
  nothingLeft()
})

test('work that fails in time gives its error and leaves nothing', async () => {
  const { clock, limit, nothingLeft } = setUp()
  await assert.rejects(
    withDeadline(clock, limit, () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  nothingLeft()
})

test('work that throws synchronously leaves nothing either', async () => {
  const { clock, limit, nothingLeft } = setUp()
  const work = (): Promise<void> => {
    throw new Error('at once')
  }
  await assert.rejects(withDeadline(clock, limit, work), /at once/)
  nothingLeft()
})

test('at the deadline the work’s signal aborts, and the caller does not wait for work that ignores it', async () => {
  const { clock, limit, nothingLeft } = setUp()
  let seen: AbortSignal | undefined
  const result = withDeadline(clock, limit, (signal) => {
    seen = signal
    return never()
  })
  await clock.advance(99)
  assert.equal(seen?.aborted, false)
  await clock.advance(1)
  assert.equal(await result, LATE)
  assert.equal(seen?.aborted, true)
  nothingLeft()
})

test('a failure after the deadline is not an unhandled rejection', async () => {
  const { clock, limit } = setUp()
  const result = withDeadline(clock, limit, async () => {
    await clock.sleep(500)
    throw new Error('late')
  })
  await clock.advance(100)
  assert.equal(await result, LATE)
  await clock.advance(500)
})

test('an abort of the caller ends the wait at once, and reaches the work with its reason', async () => {
  const { clock, controller, limit, nothingLeft } = setUp()
  let seen: AbortSignal | undefined
  const result = withDeadline(clock, limit, (signal) => {
    seen = signal
    return never()
  })
  controller.abort(new Error('stop'))
  assert.equal(await result, LATE)
  assert.match(String(seen?.reason), /stop/)
  nothingLeft()
})

test('with a signal that is already aborted the work is not started', async () => {
  const { clock, controller, limit, nothingLeft } = setUp()
  controller.abort()
  let begun = false
  const work = async () => {
    begun = true
  }
  assert.equal(await withDeadline(clock, limit, work), LATE)
  assert.equal(begun, false)
  nothingLeft()
})
