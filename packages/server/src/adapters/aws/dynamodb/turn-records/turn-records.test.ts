// Runs the contract of the turn records on DynamoDB, and holds what a record costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import { unavailableContract } from '#ports/unavailable.contract.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { fullTurnRecord, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import { entriesOfRecord, RECORD_SHARDS, turnRecordsTable } from './table.ts'
import { dynamoTurnRecords } from './turn-records.ts'

const open = cleanDynamo([turnRecordsTable])
const keepMs = 30 * 86_400_000

turnRecordsContract(
  'dynamodb turn records',
  async (context, clock) => {
    const { dynamo } = await open(context)
    return dynamoTurnRecords({ dynamo, clock, keepMs })
  },
  { noSweep: 'the table’s time to live removes records' },
)

unavailableContract('dynamodb turn records', async (context) => {
  const { dynamo, faults } = await open(context)
  await faults[Symbol.asyncDispose]()
  return { turnRecords: dynamoTurnRecords({ dynamo, clock: manualClock(), keepMs }) }
})

test('every item expires, and nothing ever scans the table', async (context) => {
  const clock = manualClock()
  const { dynamo, faults } = await open(context)
  const records = dynamoTurnRecords({ dynamo, clock, keepMs })
  await records.add([fullTurnRecord()])
  await records.note('turn_2', { followedUp: true })
  await records.adopt('guest_1', 'user:a')
  await records.forget({ sessionId: 'sess_9' })
  await records.list({ tier: 'economy' }, 10)
  const operations = new Set(faults.calls.map(({ operation }) => operation))
  assert.ok(!operations.has('Scan'))
  for (const item of entriesOfRecord(fullTurnRecord(), 1)) assert.equal(item['expiresAt'], 1)
})

test('a record that is older than the retention is not listed, though it is still stored', async (context) => {
  const clock = manualClock()
  const { dynamo } = await open(context)
  const records = dynamoTurnRecords({ dynamo, clock, keepMs })
  await records.add([sampleTurnRecord()])
  await clock.advance(keepMs + 1)
  assert.deepEqual((await records.list({}, 10)).records, [])
  assert.deepEqual((await records.list({ principalId: 'guest_1' }, 10)).records, [])
})

test('turns of a day are spread over all shards', () => {
  const shards = new Set<string>()
  for (let index = 0; index < 1000; index += 1) {
    const [entry] = entriesOfRecord(sampleTurnRecord({ turnId: `turn_${index}`, at: NOON }), 1)
    shards.add(String(entry?.['pk']))
  }
  assert.equal(shards.size, RECORD_SHARDS)
})

test('a write that failed in the middle is completed by a repeat', async (context) => {
  const clock = manualClock()
  const { dynamo, faults } = await open(context)
  const records = dynamoTurnRecords({ dynamo, clock, keepMs })
  const added = Array.from({ length: 30 }, (_, index) =>
    sampleTurnRecord({ turnId: `turn_${index}`, at: NOON + index }),
  )
  let updates = 0
  faults.spoil(({ operation }) => {
    if (operation !== 'UpdateItem') return undefined
    updates += 1
    return updates === 10 ? 'lose-reply' : updates > 20 ? 'fail' : undefined
  })
  await assert.rejects(records.add(added), { name: 'StoreUnavailable' })
  faults.spoil(() => undefined)
  await records.add(added)
  assert.equal((await records.page({}, 100)).length, 30)
  assert.equal((await records.page({ principalId: 'guest_1' }, 100)).length, 30)
})
