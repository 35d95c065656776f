// Runs the contract of the turn records on Redis, and checks what only Redis shows: expiry, and the slots of a cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { fullTurnRecord, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { redisTurnRecords } from './turn-records.ts'

const open = cleanRedis()
const keepMs = 30 * 86_400_000

turnRecordsContract('redis turn records', async (context, clock) =>
  redisTurnRecords({ redis: await open(context, clock), clock, keepMs }),
)

test('every key expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const records = redisTurnRecords({ redis, clock, keepMs })
  await records.add([fullTurnRecord(), sampleTurnRecord({ turnId: 'turn_2' })])
  await records.setFeedback('turn_2', { value: 'up', at: NOON })
  await records.note('turn_2', { followedUp: true })
  await records.note('turn_3', { followedUp: true })
  await records.adopt('guest_1', 'user:a')
  await records.forget({ sessionId: 'sess_9' })
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  assert.deepEqual(keys.toSorted(), [
    'ma:{turn-records:2026-11-04}',
    'ma:{turn-records}:forgotten',
    'ma:{turn:turn_1}:record',
    'ma:{turn:turn_2}:record',
    'ma:{turn:turn_3}:record',
    'ma:{user:user%3Aa}:unit',
  ])
  for (const key of keys) assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})

test('an entry of the index whose record has expired is passed over, and swept', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const records = redisTurnRecords({ redis, clock, keepMs })
  await records.add([sampleTurnRecord(), sampleTurnRecord({ turnId: 'turn_2', at: NOON + 1 })])
  await redis.command('ma:{turn:turn_2}:record', 'DEL', 'ma:{turn:turn_2}:record')
  assert.deepEqual(await records.page({}, 1), [sampleTurnRecord()])
  assert.equal(await records.sweep({ before: NOON + 2, countMax: 10, refusalsMax: 10 }, 10), 2)
  assert.deepEqual(await records.page({}, 10), [])
})

test('after an erasure no key or entry names the person', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const records = redisTurnRecords({ redis, clock, keepMs })
  const principalId = 'user:one@example.com'
  await records.add([sampleTurnRecord({ principalId }), sampleTurnRecord({ turnId: 'turn_2' })])
  await records.adopt('guest_1', principalId)
  assert.equal(await records.forget({ principalId }), 2)
  const keys = (await redis.command(undefined, 'KEYS', '*')) as readonly string[]
  const dumps = await Promise.all(keys.map(async (key) => `${key} ${String(await redis.command(key, 'DUMP', key))}`))
  assert.ok(
    dumps.every((dump) => !/one(@|%40)example|guest_1/.test(dump)),
    dumps.join('\n'),
  )
})
