// Runs the contract of the turn records on SQLite, and checks what only files show: a restart, and how rows are found.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import { assertPauses } from '#fixtures/stores/assert-pauses.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { idOf } from '#domain/turn-records/records-filter.ts'
import { fullTurnRecord, sampleRefusal, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import { openDatabase } from '../files/database.ts'
import { APPLICATION_ID, migrations } from '../files/migrations.ts'
import { sqliteTurnRecords } from './turn-records.ts'

turnRecordsContract('sqlite turn records', async (context, clock) =>
  sqliteTurnRecords({ database: tempDatabase(context, clock), clock }),
)

test('records, thumbs, waiting notes and units survive a restart', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const first = openDatabase({ path, clock })
  const before = sqliteTurnRecords({ database: first, clock })
  await before.add([fullTurnRecord()])
  await before.setFeedback('turn_1', { value: 'up', at: NOON })
  await before.note('turn_2', { cardsOpened: 1 })
  await before.adopt('guest_9', 'user:a')
  await before.forget({ sessionId: 'sess_9' })
  first.close()
  const second = openDatabase({ path, clock })
  context.after(() => second.close())
  const after = sqliteTurnRecords({ database: second, clock })
  const { received, ...facts } = fullTurnRecord()
  assert.deepEqual(await after.find('turn_1'), {
    ...facts,
    received: { ...received, feedback: { value: 'up', at: NOON } },
  })
  await after.add([sampleTurnRecord({ turnId: 'turn_2' }), sampleTurnRecord({ turnId: 'turn_3', sessionId: 'sess_9' })])
  assert.deepEqual((await after.find('turn_2'))?.received, { cardsOpened: 1 })
  assert.equal(await after.find('turn_3'), undefined)
  assert.equal(await after.unitOf('user:a'), 'guest_9')
})

test('other work runs between the pages of all records', async (context) => {
  const clock = manualClock()
  const records = sqliteTurnRecords({ database: tempDatabase(context, clock), clock })
  await records.add(Array.from({ length: 401 }, (_, turn) => sampleTurnRecord({ turnId: `turn_${turn}` })))
  await assertPauses(records.all({}), { items: 401, pauses: 2 })
})

test('every question about records is answered by an index', async (context) => {
  const database = tempDatabase(context, manualClock())
  const asked = new Set<string>()
  const records = sqliteTurnRecords({
    clock: manualClock(),
    database: {
      statement(text) {
        if (text.startsWith('SELECT')) asked.add(text)
        return database.statement(text)
      },
      write: (change) => database.write(change),
      onGroupEnd: (listener) => database.onGroupEnd(listener),
    },
  })
  await records.add([fullTurnRecord(), sampleRefusal(), sampleTurnRecord({ turnId: 'turn_2' })])
  asked.clear()
  const after = { at: 1, turnId: 'turn_1' }
  for (const filter of [
    {},
    { recordId: 'a' },
    { requestId: 'a' },
    { sessionId: 'a' },
    { principalId: 'a' },
    { feedback: 'up' },
    { feedback: 'up', principalId: 'a', experiment: 'a' },
    { experiment: 'a' },
    { tier: 'primary' },
    { experiment: 'a', tier: 'primary' },
    { principalId: 'a', tier: 'primary', costMicroUsdMin: 1 },
  ] as const) {
    await records.page({ ...filter, from: 1, to: 2 }, 10)
    await records.list({ ...filter, from: 1 }, 10, after)
  }
  assert.ok(asked.size > 20)
  for (const text of asked) {
    const plan = database.statement(`EXPLAIN QUERY PLAN ${text}`).all(...Array.from(text.matchAll(/\?/g), () => 1))
    const steps = plan.map((step) => String(step['detail']))
    assert.ok(
      steps.every(
        (step) => /USING .*(INDEX|PRIMARY KEY)|json_each|SUBQUERY|SCALAR|BLOOM/.test(step) && !/B-TREE/.test(step),
      ),
      `${text}: ${steps.join('; ')}`,
    )
  }
})

test('many records of the same kind are passed over in chunks, between which other work runs', async (context) => {
  const clock = manualClock()
  const records = sqliteTurnRecords({ database: tempDatabase(context, clock), clock })
  const person = (index: number) => ({ turnId: `turn_${index}`, at: NOON + index, totalMs: index === 3 ? 5900 : 5500 })
  const count = 45_000
  await records.add(Array.from({ length: count }, (_, index) => sampleTurnRecord(person(index))))
  let waits = 0
  const defer = clock.defer.bind(clock)
  context.mock.method(clock, 'defer', (work: () => void) => {
    waits += 1
    return defer(work)
  })
  const { next, records: found } = await records.list({ principalId: 'guest_1', totalMsMin: 5800 }, 10)
  assert.deepEqual([found.map(idOf), next, waits], [['turn_3'], undefined, 2])
})

test('records of an older version are found by what they have', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const before = new DatabaseSync(path)
  const versions = migrations.findIndex((step) => step.includes('CREATE TABLE turn_record_traits'))
  for (const step of migrations.slice(0, versions)) before.exec(step)
  before.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${versions}`)
  const { at, principalId, received, sessionId, turnId, ...facts } = sampleTurnRecord({
    costMicroUsd: 1500,
    failure: 'timeout',
    isDegraded: true,
    routing: { unit: 'u', exposures: [{ experiment: 'prompt', arm: 'short' }] },
  })
  const insert = `INSERT INTO turn_records (turn_id, session_id, principal_id, at, received, facts) VALUES (?, ?, ?, ?, ?, ?)`
  before.prepare(insert).run(turnId, sessionId, principalId, at, JSON.stringify(received), JSON.stringify(facts))
  before.prepare('INSERT INTO turn_record_exposures VALUES (?, ?, ?)').run('prompt', at, turnId)
  before.close()
  const database = openDatabase({ path, clock })
  context.after(() => database.close())
  const records = sqliteTurnRecords({ database, clock })
  for (const filter of [
    { kind: 'chat', reason: 'timeout', isDegraded: true, tier: 'primary' },
    { costMicroUsdMin: 1500, costMicroUsdMax: 1500, totalMsMin: 200 },
    { experiment: 'prompt', costMicroUsdMin: 1000 },
  ] as const)
    assert.deepEqual((await records.list(filter, 10)).records.map(idOf), ['turn_1'], JSON.stringify(filter))
  assert.deepEqual((await records.list({ costMicroUsdMin: 1501 }, 10)).records, [])
  await records.add([sampleTurnRecord({ turnId: 'turn_2', failure: 'timeout' })])
  assert.equal((await records.list({ reason: 'timeout' }, 10)).records.length, 2)
})

test('what waits only for a time is removed by the sweep', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const records = sqliteTurnRecords({ database, clock })
  await records.note('turn_9', { followedUp: true })
  await records.forget({ principalId: 'guest_9' })
  await records.adopt('guest_1', 'user:a')
  const rows = () =>
    ['turn_record_notes', 'turn_records_forgotten', 'turn_record_units'].map(
      (table) => database.statement(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'],
    )
  assert.deepEqual(rows(), [1, 1, 1])
  await clock.advance(2 * 3_600_000)
  await records.sweep({ before: 0, countMax: 10, refusalsMax: 10 }, 10)
  assert.deepEqual(rows(), [0, 0, 1])
  await clock.advance(401 * 86_400_000)
  await records.sweep({ before: 0, countMax: 10, refusalsMax: 10 }, 10)
  assert.deepEqual(rows(), [0, 0, 0])
})
