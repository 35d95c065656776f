// The adaptive controller as a whole: levels and actions of an operator, slow start, and invariants under any faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { testLane } from '#fixtures/lanes/lanes.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { adaptivePolicy } from './adaptive-policy.ts'
import type { LaneCounts } from './counts.ts'
import { operate } from './operate.ts'
import type { Outcome } from './outcome.ts'
import { CIRCUITS, laneDefaults } from './settings.ts'
import { startState } from './state.ts'

const policy = adaptivePolicy(laneDefaults)
const NOTHING: LaneCounts = {
  cells: [],
  inFlight: 0,
  bucket: 25,
  failuresRunning: 0,
  successesRunning: 0,
  probes: { epoch: 1, taken: 0, passed: 0, failed: 0, lost: 0 },
}
const retry = { kind: 'retry', cost: 5 } as const

test('an idle lane has level normal and no limit', () => {
  const { level, phase, limit, bucket, bucketMax } = testLane().view()
  assert.deepEqual(
    { level, phase, limit, bucket, bucketMax },
    { level: 'normal', phase: 'closed', limit: null, bucket: 25, bucketMax: 25 },
  )
})

test('throttling raises the level to high at once, and it returns to normal only after a healthy time', () => {
  const { calls, view, advance } = testLane()
  calls(400, 20_000, () => 'success')
  calls(60, 3000, (index) => (index % 3 === 0 ? 'overload' : 'success'))
  assert.equal(view().level, 'high')
  calls(80, 4000, () => 'success')
  assert.equal(view().level, 'high')
  calls(800, 40_000, () => 'success')
  advance(500)
  assert.deepEqual([view().level, view().limit], ['normal', null])
})

test('when half of the calls fail, the retry bucket is drained and the level rises', () => {
  const { calls, call, view, advance } = testLane()
  calls(100, 5000, () => 'success')
  for (let round = 0; round < 20; round += 1) {
    calls(4, 200, (index) => (index % 2 === 0 ? 'fault' : 'success'))
    call('fault', retry)
  }
  advance(500)
  assert.equal(view().level, 'high')
})

test('in an outage retries stop by themselves, long before a constant budget would stop them', () => {
  const { call, calls, advance } = testLane()
  calls(300, 10_000, () => 'success')
  let retries = 0
  for (let round = 0; round < 300; round += 1) {
    call('fault')
    if (call('fault', retry) === 'fault') retries += 1
    advance(20)
  }
  assert.ok(retries <= 12, `${retries} retries`)
})

test('retries are never more than a tenth of the first attempts, except for a few that are always allowed', () => {
  const { call, advance } = testLane()
  let retries = 0
  for (let round = 0; round < 400; round += 1) {
    call('success')
    if (call('success', { kind: 'retry', cost: 0 }) === 'success') retries += 1
    advance(25)
  }
  assert.ok(retries <= 45 && retries >= 30, `${retries} retries`)
})

test('after an outage the limit starts at half the usual number in flight, without retries, and doubles while healthy', () => {
  const lane = testLane()
  for (let second = 0; second < 30; second += 1) {
    const under = Array.from({ length: 40 }, () => lane.take())
    lane.advance(1000)
    for (const answer of under) if (answer.kind === 'permit') lane.lane.report(answer.id, 'success', lane.now())
  }
  lane.calls(120, 6000, () => 'fault')
  lane.advance(10_000)
  for (const stage of [1, 3, 10]) {
    for (let probe = 0; probe < stage; probe += 1) lane.call('success')
    lane.advance(500)
  }
  assert.deepEqual([lane.view().phase, lane.view().level, lane.view().limit], ['recovering', 'recovery', 20])
  assert.equal(lane.call('success', retry), 'no-retries')
  lane.advance(500)
  lane.calls(10, 500, () => 'success')
  assert.deepEqual([lane.view().phase, lane.view().limit], ['closed', 40])
})

test('a recovered lane leaves slow start even with a few failures or without calls', () => {
  for (const isBusy of [true, false]) {
    const lane = testLane()
    lane.trip()
    lane.advance(5000)
    for (const stage of [1, 3, 10]) {
      for (let probe = 0; probe < stage; probe += 1) lane.call('success')
      lane.advance(500)
    }
    assert.equal(lane.view().phase, 'recovering')
    if (isBusy) lane.calls(1100, 11_000, (index) => (index % 20 === 0 ? 'overload' : 'success'))
    else lane.advance(11_000)
    assert.equal(lane.view().phase, 'closed')
  }
})

test('a lane that an operator forced open stays open until the next action, and shows by whom and when', () => {
  const { lane, now, view, call, advance } = testLane()
  const mark = { action: 'force-open', by: 'aya', at: now() } as const
  lane.operate(mark)
  advance(120_000)
  assert.deepEqual([view().level, call('success'), view().operator], ['open', 'open', mark])
  const reset = { action: 'reset', by: 'ken', at: now() } as const
  lane.operate(reset)
  advance(500)
  assert.deepEqual([view().phase, call('success'), view().operator], ['closed', 'success', reset])
})

test('a reset closes an open lane, and the same failures do not open it again', () => {
  const { lane, now, view, trip, advance } = testLane()
  trip()
  lane.operate({ action: 'reset', by: 'aya', at: now() })
  advance(1000)
  assert.equal(view().phase, 'closed')
})

test('a disabled controller lets everything pass except retries beyond their budget', () => {
  const { lane, now, call, calls, view } = testLane()
  lane.operate({ action: 'disable', by: 'aya', at: now() })
  const outcomes = calls(200, 10_000, () => 'overload')
  assert.ok(outcomes.every((outcome) => outcome === 'overload'))
  assert.deepEqual([view().phase, view().limit], ['closed', null])
  for (let index = 0; index < 5; index += 1) call('fault', retry)
  assert.equal(call('fault', retry), 'retry-bucket')
})

test('results of calls that were in flight during an operator’s action are ignored', () => {
  const { lane, now, take, view, advance } = testLane()
  const under = Array.from({ length: 3 }, () => take())
  lane.operate({ action: 'reset', by: 'aya', at: now() })
  for (const answer of under) if (answer.kind === 'permit') lane.report(answer.id, 'fault', now())
  advance(500)
  assert.equal(view().phase, 'closed')
})

test('the state of another policy is replaced by a new one in a new epoch', () => {
  const next = policy.tick({ ...startState('reference', NOON), epoch: 7 }, NOTHING, { now: NOON, float: 0 })
  assert.deepEqual([next.policy, next.epoch, next.phase.kind], ['adaptive', 8, 'closed'])
})

test('a state never goes back in time, even if the clocks of two ticking nodes differ', () => {
  const ticked = policy.tick(startState('adaptive', NOON), NOTHING, { now: NOON + 5000, float: 0 })
  assert.equal(policy.tick(ticked, NOTHING, { now: NOON, float: 0 }).tickedAt, NOON + 5000)
})

test('a tick modifies neither its state nor its counts, and every state survives JSON', () => {
  const anyPart = fc.constantFrom('force-open', 'reset', 'disable', 'tick' as const)
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 20 }), (parts) => {
      let state = Object.freeze(startState('adaptive', NOON))
      for (const [index, part] of parts.entries()) {
        const at = NOON + index * 500
        state = Object.freeze(
          part === 'tick'
            ? policy.tick(state, Object.freeze({ ...NOTHING, failuresRunning: 3 }), { now: at, float: 0.3 })
            : operate(state, { action: part, by: 'x', at }),
        )
        assert.deepEqual(JSON.parse(JSON.stringify(state)), state)
      }
    }),
  )
})

test('search, session store and Redis have their own circuits with the same rules', () => {
  for (const [dependency, count] of [
    ['search', 5],
    ['sessions', 10],
    ['redis', 15],
  ] as const) {
    const { call, advance, view } = testLane({
      policy: adaptivePolicy({ ...laneDefaults, circuit: CIRCUITS[dependency] }),
    })
    for (let failure = 0; failure < count; failure += 1) {
      assert.equal(view().phase, 'closed')
      call('fault')
      if (failure < 3) call('success')
      else call('neutral')
    }
    advance(500)
    assert.equal(view().phase, 'open', dependency)
  }
})

interface Step {
  readonly kind: 'call' | 'retry' | 'die' | 'wait'
  readonly outcome: Outcome
  readonly ms: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('call', 'call', 'call', 'retry', 'die', 'wait'),
  outcome: fc.constantFrom('success', 'overload', 'silent', 'fault', 'fault', 'neutral'),
  ms: fc.nat(2000),
})

test('under any faults an epoch has at most fourteen probes, and the lane recovers afterwards', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 150 }),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (steps, float) => {
        const lane = testLane({ float: () => float })
        const probes = new Map<number, number>()
        for (const { kind, outcome, ms } of steps) {
          if (kind === 'wait') lane.advance(ms * 5)
          const answer = kind === 'wait' ? undefined : lane.take(kind === 'retry' ? retry : undefined)
          if (answer?.kind === 'permit') {
            const { isProbe, epoch } = answer.permit
            if (isProbe) probes.set(epoch, (probes.get(epoch) ?? 0) + 1)
            if (kind !== 'die') lane.lane.report(answer.id, outcome, lane.now())
          }
          lane.advance(ms / 10)
          reached.add(lane.view().phase)
        }
        assert.ok(
          [...probes.values()].every((count) => count <= 14),
          'too many probes',
        )

        // Healthy again: with a call every half second for some time, every call passes and no permit stays in use.
        for (let call = 0; call < 200; call += 1) {
          lane.calls(1, 500, () => 'success')
          reached.add(lane.view().phase)
        }
        assert.deepEqual(new Set(lane.calls(10, 5000, () => 'success')), new Set(['success']))
        const { phase, level, inFlight } = lane.view()
        assert.deepEqual([phase, level, inFlight], ['closed', 'normal', 0])
      },
    ),
    { numRuns: 60 },
  )
  assert.deepEqual([...reached].sort(), ['closed', 'half-open', 'open', 'recovering'])
})

test('with a question every four seconds, an outage of a minute costs at most twelve attempts and recovery is quick', () => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const lane = testLane({ float: seededFloats(seed) })
      let attempts = 0
      const ask = (outcome: Outcome) => {
        const tries = [undefined, retry, retry].map((kind) => () => lane.call(outcome, kind))
        for (const attempt of tries) {
          const done = attempt()
          if (done !== outcome) return
          attempts += 1
          if (outcome === 'success') return
          lane.advance(200)
        }
      }
      for (let second = 0; second < 60; second += 4) {
        const from = lane.now()
        ask('fault')
        lane.advance(4000 - (lane.now() - from))
      }
      assert.ok(attempts <= 12, `${attempts} attempts`)
      let waitedMs = 0
      for (attempts = 0; attempts === 0 && waitedMs < 60_000; waitedMs += 4000) {
        ask('success')
        lane.advance(4000)
      }
      assert.ok(waitedMs - 4000 <= 10_000, `${waitedMs} ms`)
    }),
  )
})

test('time refills the retry bucket of a lane with little traffic', () => {
  const { call, view, advance } = testLane()
  for (let index = 0; index < 5; index += 1) call('neutral', retry)
  assert.equal(view().bucket, 0)
  advance(10_000)
  assert.equal(view().bucket, 5)
  advance(40_000)
  assert.deepEqual([view().bucket, view().level], [25, 'normal'])
})

test('a reset fills the retry bucket', () => {
  const { lane, now, call, view } = testLane()
  for (let index = 0; index < 5; index += 1) call('neutral', retry)
  assert.equal(view().bucket, 0)
  lane.operate({ action: 'reset', by: 'aya', at: now() })
  assert.equal(view().bucket, 25)
})
