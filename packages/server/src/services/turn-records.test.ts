// Operators read turn records and refusals in pages, by all filters, with every field, and the story of one turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusalView, TurnRecordView, TurnStoryView } from '@mangaassist/protocol/admin'
import type { RecordView } from '@mangaassist/protocol/admin'
import { Value } from 'typebox/value'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { fullTurnRecord, sampleRefusal, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import { createTurnRecordQueries } from './turn-records.ts'

async function setUp() {
  const { clock, ledger, turnRecords } = await testPorts()
  await turnRecords.add([
    fullTurnRecord({ turnId: 'turn_full', at: NOON + 1 }),
    sampleTurnRecord({ turnId: 'turn_1' }),
    sampleTurnRecord({ turnId: 'turn_old', at: NOON - 86_400_000, principalId: 'guest_2' }),
    sampleRefusal({ refusalId: 'ref_1', at: NOON + 2, requestId: 'req_1' }),
  ])
  return {
    clock,
    ledger,
    turnRecords,
    queries: createTurnRecordQueries({ clock, config: testConfig, ledger, turnRecords }),
  }
}

const idOf = (record: RecordView): string => ('refusalId' in record ? record.refusalId : record.turnId)

test('a record has every field that the schema describes, and no other', async () => {
  const { queries } = await setUp()
  const { records } = await queries.turnRecords({ kind: 'any' }, { limit: 10 })
  const [refusal, full, plain] = records
  assert.deepEqual(Object.keys(full ?? {}).toSorted(), Object.keys(TurnRecordView.properties).toSorted())
  assert.ok(Value.Check(RefusalView, refusal))
  for (const record of [full, plain]) assert.ok(Value.Check(TurnRecordView, record))
  assert.ok(full !== undefined && 'received' in full && plain !== undefined && 'received' in plain)
  assert.deepEqual(
    [full.at, full.received.feedback?.at],
    [new Date(NOON + 1).toISOString(), new Date(NOON + 1).toISOString()],
  )
  assert.deepEqual(plain.received, {})
})

test('pages follow one another, and filters by day, user, experiment and thumb apply', async () => {
  const { queries } = await setUp()
  const ids = async (...asked: Parameters<typeof queries.turnRecords>) =>
    (await queries.turnRecords(...asked)).records.map(idOf)
  const first = await queries.turnRecords({}, { limit: 2 })
  assert.ok(first.next !== undefined)
  const second = await queries.turnRecords({}, { limit: 2, after: first.next })
  assert.deepEqual(second.records.map(idOf), ['turn_old'])
  assert.equal(second.next, undefined)
  assert.deepEqual(await ids({ from: '2026-11-04', to: '2026-11-04' }, { limit: 9 }), ['turn_full', 'turn_1'])
  assert.deepEqual(await ids({ to: '2026-11-03' }, { limit: 9 }), ['turn_old'])
  const at = new Date(NOON + 1).toISOString()
  assert.deepEqual(await ids({ from: at }, { limit: 9 }), ['turn_full'])
  assert.deepEqual(await ids({ from: '2026-11-04', to: at }, { limit: 9 }), ['turn_1'])
  assert.deepEqual(await ids({ principalId: 'guest_2' }, { limit: 9 }), ['turn_old'])
  assert.deepEqual(await ids({ experiment: 'prompt', feedback: 'down' }, { limit: 9 }), ['turn_full'])
  const refused = { code: 'INVALID_REQUEST' }
  await assert.rejects(queries.turnRecords({ from: '2026-13-41' }, { limit: 9 }), refused)
  await assert.rejects(queries.turnRecords({ from: '2026-13-41T00:00Z' }, { limit: 9 }), refused)
  await assert.rejects(queries.turnRecords({}, { limit: 9, after: 'nonsense' }), refused)
  await assert.rejects(queries.turnRecords({ since: 'nonsense' }, { limit: 9 }), refused)
})

test('refusals are listed where they are asked for', async () => {
  const { queries } = await setUp()
  const ids = async (asked: Parameters<typeof queries.turnRecords>[0]) =>
    (await queries.turnRecords(asked, { limit: 9 })).records.map(idOf)
  assert.deepEqual(await ids({}), ['turn_full', 'turn_1', 'turn_old'])
  assert.deepEqual(await ids({ kind: 'any', from: '2026-11-04' }), ['ref_1', 'turn_full', 'turn_1'])
  for (const asked of [
    { kind: 'refusal' },
    { outcome: 'refused' },
    { outcome: 'RATE_LIMITED' },
    { recordId: 'ref_1' },
  ] as const)
    assert.deepEqual(await ids(asked), ['ref_1'])
  assert.deepEqual(await ids({ requestId: 'req_1' }), ['ref_1', 'turn_full'])
})

test('what is recorded since a list is listed, and equal questions of a moment are asked once', async () => {
  const { clock, queries, turnRecords } = await setUp()
  const first = await queries.turnRecords({}, { limit: 9 })
  await turnRecords.add([sampleTurnRecord({ turnId: 'turn_new', at: NOON + 60_000 })])
  assert.deepEqual(await queries.turnRecords({}, { limit: 9 }), first)
  const since = first.newest
  assert.ok(since !== undefined)
  assert.deepEqual((await queries.turnRecords({ since }, { limit: 9 })).records.map(idOf), [
    'turn_new',
    'turn_full',
    'turn_1',
  ])
  await clock.advance(1000)
  assert.equal((await queries.turnRecords({}, { limit: 9 })).records.length, 4)
})

test('a story has the record, why the first choice did not answer, its charges and what shares its request', async () => {
  const { ledger, queries } = await setUp()
  const rows = [sampleLedgerRow({ turnId: 'turn_full', at: NOON }), sampleLedgerRow({ turnId: 'turn_other', at: NOON })]
  await ledger.record(rows)
  const story = await queries.turnStory('turn_full')
  assert.ok(Value.Check(TurnStoryView, story))
  assert.deepEqual([idOf(story.record), story.sameRequest], ['turn_full', ['ref_1']])
  assert.deepEqual(story.ledger, [rows[0]])
  assert.match(story.whyNotFirstChoice ?? '', /cache/)
  const refusal = await queries.turnStory('req_1')
  assert.deepEqual([idOf(refusal.record), refusal.sameRequest, refusal.ledger], ['ref_1', ['turn_full'], []])
  await assert.rejects(queries.turnStory('turn_unknown'), { code: 'NOT_FOUND' })
})
