// Runs the contract of the import of conversations on DynamoDB, and breaks an import in the middle.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { sessionImportContract } from '#ports/migration/imports.contract.ts'
import { dynamoSessionImport } from './session-import.ts'
import { dynamoSessionStore } from './session-store.ts'
import { sessionsTable } from './table.ts'

const KEEP_MS = 60_000
const open = cleanDynamo([sessionsTable])
const random = systemRandom()

sessionImportContract(
  'dynamodb session import',
  async (context) => {
    const clock = manualClock()
    const { dynamo } = await open(context)
    const options = { dynamo, clock, random, keepMs: KEEP_MS }
    return { imports: dynamoSessionImport(options), store: dynamoSessionStore(options), clock }
  },
  { expiresAfterMs: KEEP_MS },
)

test('an import that is broken before its head shows nothing, and the next one is whole', async (context) => {
  const clock = manualClock()
  const { another, dynamo, faults } = await open(context)
  const imports = dynamoSessionImport({ dynamo, clock, keepMs: KEEP_MS })
  const store = dynamoSessionStore({ dynamo: another(), clock, random, keepMs: KEEP_MS })
  const turns = [1, 2].map((number) => sampleStoredTurn({ turnId: `turn_${number}` }))
  const session = { ...sampleSession(), version: 2 }
  faults.spoil(({ operation }) => (operation === 'TransactWriteItems' ? 'fail' : undefined))
  await assert.rejects(imports.add(session, turns), StoreUnavailable)
  assert.equal(await store.find('sess_1'), undefined)
  faults.spoil(() => undefined)
  assert.equal(await imports.add(session, turns), true)
  assert.deepEqual(await store.find('sess_1'), session)
  assert.deepEqual(await store.recentTurns('sess_1', 10), turns)
})
