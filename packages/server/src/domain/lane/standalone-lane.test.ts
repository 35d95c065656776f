// The lane of a standalone node: its share of the cluster's limit, with a slow start, and never less strict than the last state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST } from '#fixtures/lanes/lanes.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { adaptivePolicy } from './adaptive-policy.ts'
import type { LocalLane } from './local-lane.ts'
import { referencePolicy } from './reference-policy.ts'
import { laneDefaults } from './settings.ts'
import { standaloneLane } from './standalone-lane.ts'
import type { LastSeen } from './standalone-lane.ts'
import { startState } from './state.ts'
import type { Phase } from './state.ts'

const common = { since: NOON - 60_000, openedMs: 2000, goodInFlight: 30, goodWaitMs: 30 }
const closed = (limit: number | null): Phase => ({
  ...common,
  kind: 'closed',
  limit,
  pace: null,
  unsaturatedSince: NOON,
  cutAt: 0,
})
const seen = (phase: Phase, over: Partial<LastSeen> = {}): LastSeen => ({
  state: { ...startState('adaptive', NOON - 60_000), phase },
  inFlight: 20,
  nodes: 4,
  ...over,
})
const begin = (last?: LastSeen, policy = adaptivePolicy(laneDefaults), float = 0.5) =>
  standaloneLane(policy, last, { now: NOON, float: () => float })
function passes(lane: LocalLane, now: number): number {
  for (let count = 0; ; count += 1) {
    const { kind } = lane.take({ id: `${now}-${count}`, ask: FIRST, leaseMs: 60_000 }, now)
    if (kind === 'refused' || count === 1000) return count
  }
}

test('it has this node’s share of the limit, half of it at first and all of it after a clean tick', () => {
  const lane = begin(seen(closed(40)))
  assert.equal(passes(lane, NOON), 5)
  for (let index = 0; index < 5; index += 1) lane.report(`${NOON}-${index}`, 'success', NOON + 400)
  lane.tick(NOON + 500)
  assert.deepEqual([lane.view(NOON + 500).limit, lane.view(NOON + 500).phase], [10, 'closed'])
})

test('a lane without a limit gets one from its usual number in flight, and at least one call per node', () => {
  assert.equal(begin(seen(closed(null))).view(NOON).limit, 8)
  assert.equal(begin(seen(closed(5), { nodes: 50 })).view(NOON).limit, 1)
})

test('a limit of one stays one on a quiet node: fifty floors would be fifty times the floor', () => {
  const lane = begin(seen(closed(5), { nodes: 50 }))
  lane.tick(NOON + 500)
  assert.equal(lane.view(NOON + 500).limit, 1)
})

test('it makes no retries at first', () => {
  const retry = { kind: 'retry', cost: 1 } as const
  const answer = begin(seen(closed(40))).take({ id: 'r', ask: retry, leaseMs: 1000 }, NOON)
  assert.deepEqual(answer, { kind: 'refused', why: 'no-retries' })
})

test('an open lane stays open at least for its planned time, and each node probes at a random moment after it', () => {
  const opensIn = (phase: Phase, float: number) => (begin(seen(phase), undefined, float).view(NOON).opensAt ?? 0) - NOON
  const open = (until: number): Phase => ({ ...common, kind: 'open', until })
  assert.deepEqual(
    [0, 0.5].map((float) => opensIn(open(NOON + 700), float)),
    [700, 1700],
  )
  assert.equal(opensIn(open(NOON - 60_000), 0.5), 1000)
  assert.equal(opensIn({ ...common, kind: 'half-open', stage: 1, probesMax: 4 }, 0.5), 1000)
})

test('after its probes an open lane begins with this node’s share of the usual calls, not with those of all nodes', () => {
  const lane = begin(seen({ ...common, kind: 'open', until: NOON }), undefined, 0)
  let now = NOON
  for (let probe = 0; probe < 14; probe += 1) {
    now += 500
    lane.tick(now)
    const { kind } = lane.take({ id: `probe ${probe}`, ask: FIRST, leaseMs: 60_000 }, now)
    if (kind === 'permit') lane.report(`probe ${probe}`, 'success', now)
  }
  lane.tick(now + 500)
  const { limit, phase } = lane.view(now + 500)
  assert.deepEqual([phase, limit], ['recovering', 4])
})

test('a lane that an operator forced open stays open', () => {
  const last = seen(closed(null))
  const operator = { action: 'force-open', by: 'Aiko', at: NOON } as const
  assert.equal(passes(begin({ ...last, state: { ...last.state, operator } }), NOON), 0)
})

test('without a known state it starts as a new lane, and the reference policy has no slow start', () => {
  assert.equal(begin().view(NOON).phase, 'closed')
  const last = seen(closed(null))
  const lane = begin({ ...last, state: { ...last.state, policy: 'reference' } }, referencePolicy(laneDefaults))
  assert.deepEqual([lane.view(NOON).phase, lane.view(NOON).limit], ['closed', null])
})
