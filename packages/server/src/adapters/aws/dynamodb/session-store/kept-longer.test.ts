// Conversations while `sessions.keepMs` is raised: stored turns expire by the old setting until they are renewed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { itemsIn } from '#fixtures/stores/conversation-items.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const DAY_MS = 24 * 3_600_000
const open = cleanDynamo([sessionsTable])

async function setUp(context: TestContext) {
  const { dynamo } = await open(context)
  const [clock, telemetry] = [manualClock(), memoryTelemetry()]
  const storeWith = (keepMs: number) => dynamoSessionStore({ dynamo, clock, telemetry, random: systemRandom(), keepMs })
  const items = async () => [
    ...(await itemsIn(dynamo, 'conversation#sess_1')),
    ...(await itemsIn(dynamo, 'principal#guest_1')),
  ]
  /** As DynamoDB does, some time. */
  const deleteExpired = async (prefix = '') => {
    for (const { expiresAt, pk, sk } of await items())
      if (Number(expiresAt) * 1000 < clock.now() && String(sk).startsWith(prefix))
        await dynamo.delete({ TableName: dynamo.tableName(sessionsTable), Key: { pk, sk } })
  }
  return { clock, deleteExpired, items, storeWith, telemetry }
}

const turn = (number: number) => sampleStoredTurn({ turnId: `turn_${number}` })

test('after the time of keeping was raised, the next turn renews those that are stored', async (context) => {
  const { clock, deleteExpired, items, storeWith } = await setUp(context)
  const before = storeWith(8 * DAY_MS)
  await before.create(sampleSession({ createdAt: clock.now(), lastActiveAt: clock.now() }))
  await before.append('sess_1', 0, turn(1))
  await clock.advance(60_000)
  assert.equal((await storeWith(21 * DAY_MS).append('sess_1', 1, turn(2))).kind, 'appended')
  const endsAt = (clock.now() + 21 * DAY_MS) / 1000
  for (const { expiresAt, sk } of await items()) assert.ok(Number(expiresAt) >= endsAt, `${String(sk)} expires early`)
  await clock.advance(20 * DAY_MS)
  await deleteExpired()
  assert.equal((await storeWith(21 * DAY_MS).recentTurns('sess_1', 20)).length, 2)
  assert.equal((await storeWith(21 * DAY_MS).listOf('guest_1', 20)).length, 1)
})

test('a turn of a node that still has the old time is renewed with the others', async (context) => {
  const { clock, items, storeWith } = await setUp(context)
  const [short, long] = [storeWith(8 * DAY_MS), storeWith(21 * DAY_MS)]
  await long.create(sampleSession({ createdAt: clock.now(), lastActiveAt: clock.now() }))
  await long.append('sess_1', 0, turn(1))
  await short.append('sess_1', 1, turn(2))
  await clock.advance(DAY_MS)
  await long.append('sess_1', 2, turn(3))
  const endsAt = (clock.now() + 21 * DAY_MS) / 1000
  for (const { expiresAt, sk } of await items()) assert.ok(Number(expiresAt) >= endsAt, `${String(sk)} expires early`)
})

test('a conversation some of whose turns are gone is read without them, and it is logged', async (context) => {
  const { clock, deleteExpired, storeWith, telemetry } = await setUp(context)
  const store = storeWith(8 * DAY_MS)
  await store.create(sampleSession({ createdAt: clock.now(), lastActiveAt: clock.now() }))
  await store.append('sess_1', 0, turn(1))
  await clock.advance(10 * DAY_MS)
  // The head expires first: DynamoDB has not come to it yet.
  await deleteExpired('turn#')
  const longer = storeWith(21 * DAY_MS)
  assert.equal((await longer.append('sess_1', 1, turn(2))).kind, 'appended')
  assert.deepEqual(await longer.recentTurns('sess_1', 20), [turn(2)])
  const logged = telemetry.logged.filter(({ event }) => event === 'session.turns-missing')
  assert.equal(logged.length, 1)
})
