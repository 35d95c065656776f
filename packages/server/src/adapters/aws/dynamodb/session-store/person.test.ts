// Exports and erases a person whose conversations are in DynamoDB, by the same services as on one machine; also after an
// erasure that was cut off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { itemsIn } from '#fixtures/stores/conversation-items.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { createPersonQueries } from '#services/person.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const open = cleanDynamo([sessionsTable])
const [ONE, OTHER] = ['user:one@example.com', 'user:two'] as const

test('a person’s conversations are exported whole, and an erasure leaves none of their items, also one that was cut off', async (context) => {
  const { dynamo, faults } = await open(context)
  const ports = await testPorts()
  const { clock } = ports
  const sessions = dynamoSessionStore({ dynamo, clock, random: systemRandom(), keepMs: 8 * 24 * 3_600_000 })
  const now = clock.now()
  const ids = ['sess_a', 'sess_b', 'sess_c']
  for (const [index, id] of ids.entries()) {
    const principalId = ['guest_1', ONE, OTHER][index] ?? ''
    await sessions.create(sampleSession({ id, principalId, createdAt: now, lastActiveAt: now }))
    for (let version = 0; version < 3; version += 1)
      await sessions.append(
        id,
        version,
        sampleStoredTurn({ turnId: `turn_${id}_${version}`, answer: 'あ'.repeat(900) }),
      )
    await sessions.summarise(id, 2, 'a summary')
  }
  await sessions.adopt('guest_1', ONE)
  const person = createPersonQueries({ ...ports, sessions, config: testConfig })
  const exported = await person.exportPerson(ONE)
  assert.deepEqual(
    exported.conversations.map(({ turns }) => turns.length),
    [3, 3],
  )
  assert.ok(JSON.stringify(exported).includes('あ'.repeat(900)))

  let deletes = 0
  faults.spoil(({ operation }) => (operation === 'BatchWriteItem' && (deletes += 1) > 1 ? 'fail' : undefined))
  await assert.rejects(person.erasePerson(ONE))
  assert.equal((await sessions.listOf(ONE, 10).catch(() => [])).length, 0)
  faults.spoil(() => undefined)
  await person.erasePerson(ONE)
  for (const partition of ['conversation#sess_a', 'conversation#sess_b', `principal#${ONE}`, 'principal#guest_1'])
    assert.deepEqual(await itemsIn(dynamo, partition), [], partition)
  assert.equal((await person.exportPerson(OTHER)).conversations[0]?.turns.length, 3)
})

test('an erasure leaves nothing of conversations that have expired and are not listed any more', async (context) => {
  const { dynamo } = await open(context)
  const ports = await testPorts()
  const KEEP_MS = 8 * 24 * 3_600_000
  let laterMs = 0
  const clock = { ...ports.clock, now: () => ports.clock.now() + laterMs }
  const sessions = dynamoSessionStore({ dynamo, clock, random: systemRandom(), keepMs: KEEP_MS })
  const now = clock.now()
  for (const id of ['sess_a', 'sess_b', 'sess_c']) {
    await sessions.create(sampleSession({ id, principalId: ONE, createdAt: now, lastActiveAt: now }))
    await sessions.append(id, 0, sampleStoredTurn({ turnId: `turn_${id}` }))
  }
  laterMs = KEEP_MS / 2
  await sessions.append('sess_c', 1, sampleStoredTurn({ turnId: 'turn_late' }))
  laterMs = KEEP_MS + 2 * 3_600_000
  // DynamoDB has deleted one of the expired heads, and nothing else yet.
  const TableName = dynamo.tableName(sessionsTable)
  await dynamo.delete({ TableName, Key: { pk: 'conversation#sess_b', sk: 'head' } })
  assert.equal((await sessions.listOf(ONE, 10)).length, 1)
  await createPersonQueries({ ...ports, clock, sessions, config: testConfig }).erasePerson(ONE)
  for (const partition of ['conversation#sess_a', 'conversation#sess_b', 'conversation#sess_c', `principal#${ONE}`])
    assert.deepEqual(await itemsIn(dynamo, partition), [], partition)
})
