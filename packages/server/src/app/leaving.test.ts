// The end of a node: how long it is a lame duck, what happens in which order, and what a cut ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { createLeaving } from './leaving.ts'

interface Given {
  readonly lameDuckMs?: number
  readonly drainMs?: number
  readonly hasOthers?: boolean
  /** How long the registry takes to answer. */
  readonly announceMs?: number
}

function setUp({ announceMs = 0, drainMs = 20_000, hasOthers = true, lameDuckMs }: Given = {}) {
  const clock = manualClock()
  const began = clock.now()
  const steps: string[] = []
  const note = (step: string) => void steps.push(`${step} ${clock.now() - began}`)
  const state = { ended: 7, left: 2 }
  const leaving = createLeaving({
    clock,
    config: { server: { ...testConfig.server, drainMs, ...(lameDuckMs === undefined ? {} : { lameDuckMs }) } },
    gate: { drain: () => {}, close: (others) => note(`closed ${others}`), closed: () => undefined },
    nodes: { hasOthers: () => hasOthers, drain: async () => void (announceMs > 0 && (await clock.sleep(announceMs))) },
    turns: {
      ended: () => state.ended,
      async drain(ms, cut) {
        note(`drain ${ms}`)
        await clock.sleep(ms, cut).catch(() => note('cut'))
        return state.left
      },
    },
    before: async () => note('before'),
    after: async () => note('after'),
  })
  return { clock, leaving, state, steps }
}

/** How long the lame duck lasts. */
async function lasts(given: Given): Promise<number> {
  const { clock, leaving } = setUp(given)
  const from = clock.now()
  let until: number | undefined
  const over = leaving.lameDuck().then(() => (until = clock.now()))
  await clock.advance(60_000)
  await over
  return (until ?? Infinity) - from
}

test('a node with others is a lame duck for 5 s, one alone for no time, and a configured time counts for both', async () => {
  assert.equal(await lasts({}), 5000)
  assert.equal(await lasts({ hasOthers: false }), 0)
  assert.equal(await lasts({ hasOthers: false, lameDuckMs: 3000 }), 3000)
  assert.equal(await lasts({ lameDuckMs: 0 }), 0)
  assert.equal(await lasts({ drainMs: 800 }), 800)
})

test('the time that the registry takes is part of the lame duck', async () => {
  assert.equal(await lasts({ announceMs: 2000 }), 5000)
  assert.equal(await lasts({ announceMs: 9000 }), 9000)
})

test('the drain closes the gate, and gives running turns until drainMs after the signal', async () => {
  const { clock, leaving, state, steps } = setUp()
  const lame = leaving.lameDuck()
  await clock.advance(5000)
  assert.deepEqual([await lame, steps], [5000, []])
  state.ended += 4
  const drained = leaving.drain()
  assert.deepEqual(steps, ['closed true 5000'])
  await clock.advance(14_999)
  assert.equal(steps.at(-1), 'drain 15000 5000')
  state.ended += 1
  await clock.advance(1)
  assert.deepEqual(await drained, { ended: 5, left: 2 })
  assert.deepEqual(steps, ['closed true 5000', 'before 5000', 'drain 15000 5000', 'after 20000'])
})

test('a cut ends the lame duck, and the wait for running turns', async () => {
  const { clock, leaving, steps } = setUp()
  const lame = leaving.lameDuck()
  await clock.advance(1000)
  leaving.cut()
  await clock.advance(0)
  await lame
  await leaving.drain()
  assert.deepEqual(steps, ['closed true 1000', 'before 1000', 'drain 19000 1000', 'cut 1000', 'after 1000'])
})

test('a drain without a lame duck begins with itself', async () => {
  const { clock, leaving, state } = setUp({ hasOthers: false })
  const drained = leaving.drain()
  state.ended += 1
  await clock.advance(20_000)
  assert.deepEqual(await drained, { ended: 1, left: 2 })
})
