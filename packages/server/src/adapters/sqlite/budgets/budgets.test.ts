// Runs the contract of budgets on SQLite, and tests what only a file can promise.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { budgetsContract } from '#ports/budgets/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { openDatabase } from '../files/database.ts'
import { sqliteBudgets } from './budgets.ts'

budgetsContract('sqlite shared state', async (context) => {
  const clock = manualClock()
  return { budgets: sqliteBudgets({ database: tempDatabase(context, clock), clock }), clock }
})

test('sqlite budgets: use, holds and claims survive a restart', async (context) => {
  const clock = manualClock()
  const path = join(tempDir(context), 'test.sqlite')
  const before = openDatabase({ path, clock })
  const earlier = sqliteBudgets({ database: before, clock })
  const used = await earlier.admit(sampleAsk({ turnId: 'turn_used' }))
  assert.ok(used.kind === 'granted')
  await earlier.settle(used.hold, { inputTokens: 7, outputTokens: 5, costMicroUsd: 3 }, { claimMs: 0 })
  const held = await earlier.admit(sampleAsk({ turnId: 'turn_held', sessionId: 'sess_1' }))
  assert.ok(held.kind === 'granted')
  before.close()

  const after = openDatabase({ path, clock })
  context.after(() => after.close())
  const state = sqliteBudgets({ database: after, clock })
  const quota = await state.quota('guest_1', sampleLimits(), TODAY)
  assert.deepEqual(quota.used, { inputTokens: 7, outputTokens: 5, costMicroUsd: 3 })
  assert.deepEqual(quota.reserved, held.hold.granted)
  assert.equal(await state.runningTurn({ id: 'sess_1', principalId: 'guest_1' }), 'turn_held')
  const again = sampleAsk({ turnId: 'turn_again', idempotency: sampleAsk({ turnId: 'turn_held' }).idempotency })
  assert.deepEqual(await state.admit(again), { kind: 'duplicate', turnId: 'turn_held', sessionId: 'sess_1' })
  assert.deepEqual(await state.settle(used.hold, used.hold.granted, { claimMs: 0 }), { charged: false, overage: false })
})

test('sqlite budgets: an admission whose commit fails takes nothing from the rates', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  let isBroken = true
  const failing = {
    statement: database.statement.bind(database),
    close: () => database.close(),
    onGroupEnd: database.onGroupEnd.bind(database),
    truncateLog: () => database.truncateLog(),
    write: async <Value>(change: () => Value): Promise<Value> => {
      if (!isBroken) return database.write(change)
      return database.write(() => {
        change()
        throw new Error('the disk is full')
      })
    },
  }
  const state = sqliteBudgets({ database: failing, clock })
  const limits = sampleLimits({ requestsPerMinute: 1, userRate: { perSecond: 0.001, burst: 1 } })
  await assert.rejects(state.admit(sampleAsk({ limits })), /the disk is full/)
  isBroken = false
  assert.equal((await state.admit(sampleAsk({ limits }))).kind, 'granted')
})
