// Operators read turn records in pages, by all filters, with every field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnRecordView } from '@mangaassist/protocol/admin'
import { Value } from 'typebox/value'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { fullTurnRecord, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { createTurnRecordQueries } from './turn-records.ts'

async function setUp() {
  const { turnRecords } = await testPorts()
  await turnRecords.add([
    fullTurnRecord({ turnId: 'turn_full', at: NOON + 1 }),
    sampleTurnRecord({ turnId: 'turn_1' }),
    sampleTurnRecord({ turnId: 'turn_old', at: NOON - 86_400_000, principalId: 'guest_2' }),
  ])
  return createTurnRecordQueries({ config: testConfig, turnRecords })
}

test('a record has every field that the schema describes, and no other', async () => {
  const { records } = await (await setUp()).turnRecords({}, { limit: 10 })
  const [full, plain] = records
  assert.deepEqual(Object.keys(full ?? {}).toSorted(), Object.keys(TurnRecordView.properties).toSorted())
  for (const record of records) assert.ok(Value.Check(TurnRecordView, record), record.turnId)
  assert.deepEqual(
    [full?.at, full?.received.feedback?.at],
    [new Date(NOON + 1).toISOString(), new Date(NOON + 1).toISOString()],
  )
  assert.deepEqual(plain?.received, {})
})

test('pages follow one another, and filters by day, user, experiment and thumb apply', async () => {
  const queries = await setUp()
  const ids = async (...asked: Parameters<typeof queries.turnRecords>) =>
    (await queries.turnRecords(...asked)).records.map(({ turnId }) => turnId)
  const first = await queries.turnRecords({}, { limit: 2 })
  assert.ok(first.next !== undefined)
  const second = await queries.turnRecords({}, { limit: 2, after: first.next })
  assert.deepEqual(
    second.records.map(({ turnId }) => turnId),
    ['turn_old'],
  )
  assert.equal(second.next, undefined)
  assert.deepEqual(await ids({ from: '2026-11-04', to: '2026-11-04' }, { limit: 9 }), ['turn_full', 'turn_1'])
  assert.deepEqual(await ids({ to: '2026-11-03' }, { limit: 9 }), ['turn_old'])
  assert.deepEqual(await ids({ principalId: 'guest_2' }, { limit: 9 }), ['turn_old'])
  assert.deepEqual(await ids({ experiment: 'prompt', feedback: 'down' }, { limit: 9 }), ['turn_full'])
  const refused = { code: 'INVALID_REQUEST' }
  await assert.rejects(queries.turnRecords({ from: '2026-13-41' }, { limit: 9 }), refused)
  await assert.rejects(queries.turnRecords({}, { limit: 9, after: 'nonsense' }), refused)
})
