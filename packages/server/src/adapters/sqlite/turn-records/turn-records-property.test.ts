// Runs random histories on the turn records in SQLite and in memory: both give the same answers.
import { test } from 'node:test'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { compareHistories } from '#fixtures/turns/turn-record-histories.ts'
import { sqliteTurnRecords } from './turn-records.ts'

test('the turn records in SQLite and in memory give the same answers', async (context) => {
  await compareHistories(60, async (clock) => {
    const database = tempDatabase(context, clock)
    return [0, 1].map(() => sqliteTurnRecords({ database, clock }))
  })
})
