// Limits the calls of a lane on one node to its connections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { boundedLanes } from './bounded-lanes.ts'

const LANE = laneOf(testConfig, 'embedded')
const first = (id: string) => ({ id, ask: { kind: 'first' } }) as const

function setUp(connections: number) {
  const lanes = testLanes({ clock: manualClock(), random: seededRandom(1) }, testConfig)
  return { lanes, bounded: boundedLanes(lanes, new Map([[LANE, connections]])) }
}

test('beyond the connections a call is refused as saturated, also for concurrent requests', async () => {
  const { bounded, lanes } = setUp(2)
  const answers = await Promise.all(['a', 'b', 'c'].map((id) => bounded.permit(LANE, first(id))))
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ['permit', 'permit', 'refused'],
  )
  assert.equal(lanes.seen(LANE).inFlight, 2)
  await bounded.report(LANE, 'a', 'success')
  assert.equal((await bounded.permit(LANE, first('c'))).kind, 'permit')
})

test('a repeated request takes no second connection, and a refused one takes none', async () => {
  const { bounded, lanes } = setUp(1)
  for (const _ of [1, 2]) assert.equal((await bounded.permit(LANE, first('a'))).kind, 'permit')
  await bounded.report(LANE, 'a', 'neutral')
  await lanes.operate(LANE, 'force-open', 'test')
  assert.equal((await bounded.permit(LANE, first('b'))).kind, 'refused')
  await lanes.operate(LANE, 'reset', 'test')
  assert.equal((await bounded.permit(LANE, first('c'))).kind, 'permit')
})
