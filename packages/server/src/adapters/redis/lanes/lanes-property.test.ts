// Runs random histories on lanes in a real Redis and in memory, which is the oracle: whichever of two nodes is asked,
// answers and states are the same. Rare states must have been reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { adaptivePolicy } from '#domain/lane/adaptive-policy.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import { referencePolicy } from '#domain/lane/reference-policy.ts'
import { laneDefaults } from '#domain/lane/settings.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { random } from '#fixtures/lanes/shared-lanes.ts'
import { twoLaneNodes } from '#fixtures/lanes/two-lane-nodes.ts'
import { memoryLanes } from '../../memory/lanes.ts'
import { memoryTelemetry } from '../../memory/telemetry.ts'
import { redisLanes } from './lanes.ts'

const RUNS = 30
const LEASE_MS = 4000
/** Low, so that a few calls reach the limits, and probes pass in a few steps. */
const settings = {
  ...laneDefaults,
  probeStages: [1, 1],
  limit: { ...laneDefaults.limit, floor: 2 },
  retry: { ...laneDefaults.retry, countFloor: 2, bucketMin: 12 },
}
const policies: ReadonlyMap<string, LanePolicy> = new Map([
  ['adaptive', adaptivePolicy(settings)],
  ['reference', referencePolicy({ ...settings, circuit: { failures: 5, rate: 0.5, windowMs: 10_000, openMs: 2000 } })],
])

const lane = fc.constantFrom(...policies.keys())
const PERMITS = 12
const nameOf = (number: number) => `permit_${number}`
const permitId = fc.nat(PERMITS - 1).map(nameOf)
const outcome = fc.constantFrom<Outcome>('success', 'success', 'overload', 'silent', 'fault', 'neutral')
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('permit' as const), lane, permitId }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('retry' as const),
      lane,
      permitId,
      class: fc.constantFrom('throttled', 'timeout', 'unavailable'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('served' as const), lane, permitId }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('report' as const), lane, permitId, outcome }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('burst' as const), lane, outcome, count: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crowd' as const), lane }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('shed' as const), lane }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('operate' as const),
      lane,
      action: fc.constantFrom('force-open', 'disable', 'reset', 'reset', 'reset', 'reset'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(30).map((part) => part * 100) }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const burst = (of: string, ended: Outcome): Step => ({ kind: 'burst', lane: of, outcome: ended, count: 8 })
const wait = (ms: number): Step => ({ kind: 'wait', ms })
/** Sequences that random steps seldom produce: an outage and recovery, many throttled calls, retries, a broken answer. */
const outage = (of: string): Step[] => [
  { kind: 'operate', lane: of, action: 'reset' },
  burst(of, 'fault'),
  wait(500),
  wait(2500),
  burst(of, 'success'),
  wait(500),
  burst(of, 'success'),
  wait(500),
]
const throttle = (of: string): Step[] => [
  { kind: 'operate', lane: of, action: 'reset' },
  burst(of, 'success'),
  wait(500),
  burst(of, 'overload'),
  wait(500),
  { kind: 'crowd', lane: of },
]
const neutral = (of: string, number: number): Step => ({
  kind: 'report',
  lane: of,
  permitId: nameOf(number),
  outcome: 'neutral',
})
const retryOf = (of: string, number: number): Step => ({
  kind: 'retry',
  lane: of,
  permitId: nameOf(number),
  class: 'throttled',
})
const retries = (of: string): Step[] => [
  { kind: 'operate', lane: of, action: 'reset' },
  burst(of, 'success'),
  burst(of, 'success'),
  wait(500),
  ...[0, 1, 2, 3].map((number) => neutral(of, number)),
  ...[0, 1, 2].map((number) => retryOf(of, number)),
  // To the exact end of the window in which retries are counted.
  wait(10_000),
  ...[0, 1, 2].map((number) => neutral(of, number)),
  retryOf(of, 3),
]
const brokenOff = (of: string): Step[] => [
  { kind: 'operate', lane: of, action: 'reset' },
  neutral(of, 0),
  { kind: 'permit', lane: of, permitId: nameOf(0) },
  { kind: 'served', lane: of, permitId: nameOf(0) },
  { kind: 'report', lane: of, permitId: nameOf(0), outcome: 'fault' },
]
const history = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: step.map((one) => [one]) },
      { weight: 1, arbitrary: lane.map(outage) },
      { weight: 1, arbitrary: lane.map(throttle) },
      { weight: 1, arbitrary: lane.map(retries) },
      { weight: 1, arbitrary: lane.map(brokenOff) },
    ),
    { minLength: 40, maxLength: 100 },
  )
  .map((parts) => parts.flat())

async function perform(lanes: Lanes, one: Step, number: number): Promise<unknown> {
  switch (one.kind) {
    case 'permit':
      return lanes.permit(one.lane, { id: one.permitId, ask: { kind: 'first' } })
    case 'retry': {
      const after = { class: one.class, tookMs: 100 }
      return lanes.permit(one.lane, { id: one.permitId, ask: { kind: 'retry', after } })
    }
    case 'served':
      return lanes.served(one.lane, one.permitId, LEASE_MS)
    case 'report':
      return lanes.report(one.lane, one.permitId, one.outcome)
    case 'burst': {
      const answers: unknown[] = []
      for (let index = 0; index < one.count; index += 1) {
        const id = `burst_${number}_${index}`
        answers.push(await lanes.permit(one.lane, { id, ask: { kind: 'first' } }))
        await lanes.report(one.lane, id, one.outcome)
      }
      return answers
    }
    case 'crowd': {
      const asks = Array.from({ length: PERMITS }, (_, index) => nameOf(index))
      const answers: unknown[] = []
      for (const id of asks) answers.push(await lanes.permit(one.lane, { id, ask: { kind: 'first' } }))
      return answers
    }
    case 'shed':
      return lanes.shed(one.lane)
    case 'operate':
      return lanes.operate(one.lane, one.action, 'Aiko')
    case 'wait':
      return lanes.tick()
  }
}

async function assertAlike(
  pair: { ours: Lanes; oracle: Lanes; clock: ManualClock },
  steps: readonly Step[],
  met: Set<string>,
) {
  const { ours, oracle, clock } = pair
  for (const [number, one] of steps.entries()) {
    if (one.kind === 'wait') await clock.advance(one.ms)
    const [answer, expected] = [await perform(ours, one, number), await perform(oracle, one, number)]
    assert.deepEqual(answer, expected, JSON.stringify(one))
    for (const name of policies.keys()) {
      const view = await oracle.peek(name)
      assert.deepEqual(await ours.peek(name), view, `${name} after ${JSON.stringify(one)}`)
      met.add(view.phase)
      if (view.limit !== null) met.add('limited')
    }
    for (const refused of [expected].flat() as readonly { why?: string }[])
      if (refused?.why !== undefined) met.add(refused.why)
  }
}

const redisFor = cleanRedis()

test('lanes: Redis and memory give the same answers to any history, whichever node is asked', async (context) => {
  let clock = manualClock()
  const redis = await redisFor(context, { ...clock, now: () => clock.now() })
  const met = new Set<string>()
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      clock = manualClock()
      await redis.command(undefined, 'FLUSHALL')
      const common = { clock, random, policies, leaseMs: LEASE_MS }
      const oracle = memoryLanes(common)
      const telemetry = memoryTelemetry()
      const [one, two] = ['node_1', 'node_2'].map((nodeId) => redisLanes({ ...common, redis, telemetry, nodeId }))
      if (one === undefined || two === undefined) throw new Error('there are two nodes')
      const ours = twoLaneNodes(one, two)
      await ours.tick()
      await oracle.tick()
      await assertAlike({ ours, oracle, clock }, steps, met)
      assert.deepEqual(telemetry.counted, [])
    }),
    { numRuns: RUNS },
  )
  const rare = ['open', 'half-open', 'recovering', 'closed', 'limited', 'saturated', 'probing', 'no-retries']
  assert.deepEqual(
    [...rare, 'retry-cap', 'retry-bucket'].filter((one) => !met.has(one)),
    [],
  )
})
