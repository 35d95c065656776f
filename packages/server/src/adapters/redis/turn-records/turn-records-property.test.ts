// Runs random histories on the turn records in Redis and in memory: on either of two nodes, both give the same answers. Writers at
// the same time lose nothing of each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { compareHistories } from '#fixtures/turns/turn-record-histories.ts'
import { redisTurnRecords } from './turn-records.ts'

const open = cleanRedis()
const keepMs = 30 * 86_400_000

test('the turn records in Redis and in memory give the same answers', async (context) => {
  let now = () => NOON
  const redis = await open(context, { ...manualClock(), now: () => now() })
  await compareHistories(60, async (clock) => {
    now = () => clock.now()
    await redis.command(undefined, 'FLUSHALL')
    return [0, 1].map(() => redisTurnRecords({ redis, clock, keepMs }))
  })
})

test('nodes that add, note and forget at the same time agree in the end', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const nodes = [0, 1, 2].map(() => redisTurnRecords({ redis, clock, keepMs }))
  const turns = Array.from({ length: 60 }, (_, index) => `turn_${index}`)
  const of = (index: number) => ({ principalId: `guest_${index % 3}`, sessionId: `sess_${index % 6}` })
  await Promise.all(
    nodes.flatMap((records, node) => [
      ...turns.map((turnId, index) => records.add([sampleTurnRecord({ turnId, ...of(index) })])),
      ...turns.map((turnId) => records.note(turnId, { cardsOpened: 1 })),
      ...(node === 0 ? [records.forget({ principalId: 'guest_0' }), records.forget({ sessionId: 'sess_1' })] : []),
    ]),
  )
  const left = await nodes[0]?.page({}, 100)
  const expected = turns.filter((_, index) => index % 3 !== 0 && index % 6 !== 1)
  assert.deepEqual(left?.map(({ turnId }) => turnId).toSorted(), expected.toSorted())
  assert.ok(left.every(({ received }) => received.cardsOpened === 3))
  for (const index of [0, 1, 3, 7]) assert.equal(await nodes[1]?.find(`turn_${index}`), undefined)
})
