// Runs the contract of the spend chunks on SQLite, and compares them with the ledger after a crash.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendChunksContract } from '#ports/spend-chunks/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteLedger } from '../ledger/ledger.ts'
import { sqliteSpendChunks } from './spend-chunks.ts'

spendChunksContract('sqlite spend chunks', async (context) => {
  const clock = manualClock()
  return sqliteSpendChunks({ database: tempDatabase(context, clock), clock })
})

test('sqlite spend chunks: after a restart the spending of the day is the sum of the ledger, and the chunk of the dead process is free', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const before = await sqliteSpendChunks({ database, clock })
  const row = sampleLedgerRow({ costMicroUsd: 70 })
  const day = { key: row.day, endsAt: clock.now() + 1000 }
  const account = { day, limitMicroUsd: 1000 } as const
  await before.lease({ ...account, name: 'store' }, { least: 1, most: 900 }, 'a')
  await before.lease({ ...account, name: 'guests' }, { least: 1, most: 900 }, 'a')
  await sqliteLedger({ database, clock }).record([
    { ...row, turnId: 'one', principalId: 'guest_1' },
    { ...row, turnId: 'two', principalId: 'user:1' },
  ])
  const after = await sqliteSpendChunks({ database, clock })
  assert.equal(await after.taken({ ...account, name: 'store' }), 140)
  assert.equal(await after.taken({ ...account, name: 'guests' }), 70)
})

test('sqlite spend chunks: without the ledger in the same file, what was leased before a restart counts as spent', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const account = {
    name: 'store',
    day: { key: '2026-11-04', endsAt: clock.now() + 1000 },
    limitMicroUsd: 1000,
  } as const
  await (await sqliteSpendChunks({ database, clock })).lease(account, { least: 1, most: 900 }, 'a')
  const after = await sqliteSpendChunks({ database, clock, isLedgerElsewhere: true })
  assert.equal(await after.taken(account), 900)
})
