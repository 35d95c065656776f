// The console's poller, with timers and a tab that the test controls.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createPoller } from './poller.ts'
import type { PollJob, PollResult } from './poller.ts'

function scripted() {
  const timers = new Map<number, { readonly run: () => void; readonly ms: number }>()
  const tab = { isHidden: false }
  let next = 1
  const poller = createPoller({
    isHidden: () => tab.isHidden,
    setTimer(run, ms) {
      timers.set(next, { run, ms })
      return next++
    },
    clearTimer: (timer) => void timers.delete(timer),
  })
  return {
    poller,
    tab,
    waits: () => [...timers.values()].map(({ ms }) => ms),
    fire() {
      const [[id, { run }] = [0, { run: () => {} }]] = timers
      timers.delete(id)
      run()
    },
  }
}

function jobOf(everyMs: number | null) {
  const calls: { readonly signal: AbortSignal; end(result: PollResult): Promise<void> }[] = []
  const job: PollJob = {
    everyMs,
    run(signal) {
      const { promise, resolve } = Promise.withResolvers<PollResult>()
      calls.push({
        signal,
        async end(result) {
          resolve(result)
          await promise
          await Promise.resolve()
        },
      })
      return promise
    },
  }
  return { job, calls }
}

const OK = { isOk: true } as const

test('a job is polled at once, and again after its interval, one request at a time', async () => {
  const { fire, poller, waits } = scripted()
  const { calls, job } = jobOf(5000)
  poller.start(job)
  poller.pollNow()
  assert.deepEqual([calls.length, waits()], [1, []])
  await calls[0]?.end(OK)
  assert.deepEqual(waits(), [5000])
  fire()
  assert.equal(calls.length, 2)
})

test('no job is polled more often than once a second', async () => {
  const { poller, waits } = scripted()
  const { calls, job } = jobOf(10)
  poller.start(job)
  await calls[0]?.end(OK)
  assert.deepEqual(waits(), [1000])
})

test('a hidden tab asks nothing; when it is shown again, what was due is polled once', async () => {
  const { fire, poller, tab, waits } = scripted()
  const { calls, job } = jobOf(5000)
  poller.start(job)
  await calls[0]?.end(OK)
  tab.isHidden = true
  poller.visibilityChanged()
  fire()
  assert.deepEqual([calls.length, waits()], [1, []])
  tab.isHidden = false
  poller.visibilityChanged()
  poller.visibilityChanged()
  assert.equal(calls.length, 2)
})

test('after failures it waits longer each time, up to a minute, and as long as the server asked', async () => {
  const { fire, poller, waits } = scripted()
  const { calls, job } = jobOf(5000)
  poller.start(job)
  const seen: number[] = []
  for (let failed = 0; failed < 5; failed += 1) {
    await calls.at(-1)?.end({ isOk: false, retryAfterMs: 0 })
    seen.push(...waits())
    fire()
  }
  assert.deepEqual(seen, [10_000, 20_000, 40_000, 60_000, 60_000])
  await calls.at(-1)?.end({ isOk: false, retryAfterMs: 90_000 })
  assert.deepEqual(waits(), [90_000])
  fire()
  await calls.at(-1)?.end(OK)
  assert.deepEqual(waits(), [5000])
})

test('a new job cancels the request of the old one, whose late answer schedules nothing', async () => {
  const { poller, waits } = scripted()
  const [first, second] = [jobOf(5000), jobOf(null)]
  poller.start(first.job)
  poller.start(second.job)
  assert.equal(first.calls[0]?.signal.aborted, true)
  await first.calls[0]?.end(OK)
  assert.deepEqual(waits(), [])
  await second.calls[0]?.end(OK)
  assert.deepEqual(waits(), [])
})
