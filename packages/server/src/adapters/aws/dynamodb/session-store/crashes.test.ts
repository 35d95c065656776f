// Conversations in DynamoDB whose calls fail between two steps: what a repeat, another node or the next list finds, and what is left
// behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemRandom } from '#adapters/system/random.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { itemsIn } from '#fixtures/stores/conversation-items.ts'
import type { DynamoCall, DynamoFault } from '#fixtures/stores/dynamo-faults.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const KEEP_MS = 8 * 24 * 3_600_000
const USER = 'user:one'
const open = cleanDynamo([sessionsTable])

/** Two nodes, of which the first can be spoilt. */
async function setUp(context: TestContext) {
  const { another, dynamo, faults } = await open(context)
  const clock = manualClock()
  const other = another()
  const [one, two] = [dynamo, other].map((client) =>
    dynamoSessionStore({ dynamo: client, clock, random: systemRandom(), keepMs: KEEP_MS }),
  )
  assert.ok(one && two)
  /** Spoils the calls of an operation from its nth on. */
  const spoilFrom = (nth: number, operation: string, fault: DynamoFault) => {
    let calls = 0
    faults.spoil((call: DynamoCall) => (call.operation === operation && (calls += 1) >= nth ? fault : undefined))
  }
  const left = (partition: string) => itemsIn(other, partition)
  return { one, two, clock, faults, left, spoilFrom }
}

async function conversation({ one }: Awaited<ReturnType<typeof setUp>>, turns: number, id = 'sess_1'): Promise<void> {
  await one.create(sampleSession({ id }))
  for (let version = 0; version < turns; version += 1)
    await one.append(id, version, sampleStoredTurn({ turnId: `turn_${version}` }))
}

for (const fault of ['lose-reply', 'fail'] as const) {
  test(`an append that meets "${fault}" is appended once by its repeat, on either node`, async (context) => {
    const nodes = await setUp(context)
    await conversation(nodes, 1)
    nodes.spoilFrom(1, 'TransactWriteItems', fault)
    const turn = sampleStoredTurn({ turnId: 'turn_lost' })
    await assert.rejects(nodes.one.append('sess_1', 1, turn), { name: 'StoreUnavailable', mayHaveHappened: true })
    assert.deepEqual(await nodes.two.append('sess_1', 1, turn), { kind: 'appended', version: 2 })
    await nodes.two.append('sess_1', 2, sampleStoredTurn({ turnId: 'turn_next' }))
    nodes.faults.spoil(() => undefined)
    assert.deepEqual(await nodes.one.append('sess_1', 1, turn), { kind: 'appended', version: 2 })
    const ids = (await nodes.one.recentTurns('sess_1', 10)).map(({ turnId }) => turnId)
    assert.deepEqual(ids, ['turn_0', 'turn_lost', 'turn_next'])
  })
}

for (const [nth, operation] of [
  [1, 'Query'],
  [1, 'BatchWriteItem'],
  [1, 'TransactWriteItems'],
] as const) {
  test(`a removal cut off at ${operation} is gone for everyone, and a repeat leaves nothing`, async (context) => {
    const nodes = await setUp(context)
    await conversation(nodes, 2)
    nodes.spoilFrom(nth, operation, 'fail')
    await assert.rejects(nodes.one.remove('sess_1'), StoreUnavailable)
    assert.equal(await nodes.two.find('sess_1'), undefined)
    assert.deepEqual(await nodes.two.recentTurns('sess_1', 10), [])
    const late = sampleStoredTurn({ turnId: 'turn_late' })
    assert.deepEqual(await nodes.two.append('sess_1', 2, late), { kind: 'gone' })
    await nodes.two.adopt('guest_1', USER)
    assert.deepEqual(await nodes.two.listOf(USER, 10), [])
    await nodes.two.remove('sess_1')
    assert.deepEqual([await nodes.left('conversation#sess_1'), await nodes.left('principal#guest_1')], [[], []])
  })
}

test('a list completes a removal that was cut off', async (context) => {
  const nodes = await setUp(context)
  await conversation(nodes, 2)
  nodes.spoilFrom(1, 'BatchWriteItem', 'fail')
  await assert.rejects(nodes.one.remove('sess_1'), StoreUnavailable)
  assert.equal((await nodes.left('conversation#sess_1')).length, 5)
  assert.deepEqual(await nodes.two.listOf('guest_1', 10), [])
  assert.deepEqual([await nodes.left('conversation#sess_1'), await nodes.left('principal#guest_1')], [[], []])
})

test('an append that comes after a removal, or during it, leaves nothing', async (context) => {
  const nodes = await setUp(context)
  await conversation(nodes, 1)
  const appends = Array.from({ length: 6 }, (_, index) =>
    nodes.two.append('sess_1', 1, sampleStoredTurn({ turnId: `turn_late_${index}` })),
  )
  await Promise.all([nodes.one.remove('sess_1'), ...appends])
  const late = sampleStoredTurn({ turnId: 'turn_later' })
  for (const node of [nodes.one, nodes.two]) assert.deepEqual(await node.append('sess_1', 1, late), { kind: 'gone' })
  assert.deepEqual([await nodes.left('conversation#sess_1'), await nodes.left('principal#guest_1')], [[], []])
})

test('after an adoption cut off halfway every conversation has one owner, and a repeat completes it', async (context) => {
  const nodes = await setUp(context)
  const ids = Array.from({ length: 12 }, (_, index) => `sess_${index}`)
  for (const id of ids) await conversation(nodes, 1, id)
  nodes.spoilFrom(4, 'TransactWriteItems', 'fail')
  await assert.rejects(nodes.one.adopt('guest_1', USER), StoreUnavailable)
  const listed = async (principalId: string) => (await nodes.two.listOf(principalId, 50)).map(({ id }) => id)
  const [guests, users] = [await listed('guest_1'), await listed(USER)]
  assert.ok(users.length > 0 && guests.length > 0)
  assert.deepEqual([...guests, ...users].toSorted(), ids.toSorted())
  for (const id of guests) assert.equal((await nodes.two.find(id))?.principalId, 'guest_1')
  nodes.faults.spoil(() => undefined)
  await nodes.two.adopt('guest_1', USER)
  assert.deepEqual([await listed('guest_1'), (await listed(USER)).length], [[], 12])
  assert.deepEqual(await nodes.left('principal#guest_1'), [])
})

test('turns of a conversation that lives long expire after it, and everything has an expiry', async (context) => {
  const nodes = await setUp(context)
  await conversation(nodes, 2)
  await nodes.one.summarise('sess_1', 2, 'a summary')
  for (let version = 2; version < 8; version += 1) {
    await nodes.clock.advance(KEEP_MS / 2)
    const node = version % 2 === 0 ? nodes.one : nodes.two
    await node.append('sess_1', version, sampleStoredTurn({ turnId: `turn_${version}` }))
  }
  const endsAt = (nodes.clock.now() + KEEP_MS) / 1000
  const items = [...(await nodes.left('conversation#sess_1')), ...(await nodes.left('principal#guest_1'))]
  assert.equal(items.length, 1 + 1 + 8 + 8 + 1)
  for (const { expiresAt, sk } of items) assert.ok(Number(expiresAt) >= endsAt, `${String(sk)} expires before its head`)
  assert.equal((await nodes.two.recentTurns('sess_1', 10)).length, 8)
})
