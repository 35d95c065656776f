// Runs the contract of the turn records on SQLite, and checks what only files show: a restart, and how rows are found.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { turnRecordsContract } from '#ports/turn-records/contract.ts'
import { assertPauses } from '#fixtures/stores/assert-pauses.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { fullTurnRecord, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { openDatabase } from '../files/database.ts'
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

test('every question about records is answered by an index', (context) => {
  const database = tempDatabase(context, manualClock())
  const asked: string[] = []
  const records = sqliteTurnRecords({
    clock: manualClock(),
    database: {
      statement(text) {
        asked.push(text)
        return database.statement(text)
      },
      write: (change) => database.write(change),
    },
  })
  const after = { at: 1, turnId: 'turn_1' }
  for (const filter of [
    {},
    { sessionId: 'a' },
    { principalId: 'a' },
    { feedback: 'up' },
    { experiment: 'a' },
  ] as const) {
    void records.page({ ...filter, from: 1, to: 2 }, 10)
    void records.page({ ...filter, from: 1 }, 10, after)
  }
  assert.equal(asked.length, 10)
  for (const text of asked) {
    const plan = database.statement(`EXPLAIN QUERY PLAN ${text}`).all(...Array.from(text.matchAll(/\?/g), () => 1))
    const steps = plan.map((step) => String(step['detail']))
    assert.ok(
      steps.every((step) => /USING (COVERING )?INDEX|USING PRIMARY KEY/.test(step)),
      `${text}: ${steps.join('; ')}`,
    )
  }
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
  await records.sweep({ before: 0, countMax: 10 }, 10)
  assert.deepEqual(rows(), [0, 0, 1])
  await clock.advance(401 * 86_400_000)
  await records.sweep({ before: 0, countMax: 10 }, 10)
  assert.deepEqual(rows(), [0, 0, 0])
})
