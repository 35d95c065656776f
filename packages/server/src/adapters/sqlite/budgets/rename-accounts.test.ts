// Accounts that an earlier version stored under their owners' ids get pseudonyms: no use is lost, and no id stays in the
// file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAsk, sampleLimits, TODAY } from '#fixtures/turns/samples.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { renameAccounts } from './rename-accounts.ts'
import { sqliteBudgets } from './budgets.ts'

const naming = { nameOf: (principalId: string) => `acct_${principalId.slice(-1)}`, prefix: 'acct_' }
const USED = { inputTokens: 7, outputTokens: 5, costMicroUsd: 3 }

test('use, holds and keys of an earlier version are found under the pseudonym, each once', async (context) => {
  const clock = manualClock()
  const database = tempDatabase(context, clock)
  const state = sqliteBudgets({ database, clock })
  const spend = async (principalId: string, turnId: string) => {
    const answer = await state.admit(sampleAsk({ principalId, turnId, sessionId: `sess_${turnId}` }))
    assert.ok(answer.kind === 'granted')
    await state.settle(answer.hold, USED, { claimMs: 60_000 })
  }
  await spend('guest_1', 'turn_1')
  await spend('guest_2', 'turn_2')
  const held = sampleAsk({ principalId: 'guest_1', turnId: 'turn_3', sessionId: 'sess_3' })
  assert.equal((await state.admit(held)).kind, 'granted')
  // After a downgrade the day exists under both names.
  await spend('acct_1', 'turn_4')

  assert.equal(await renameAccounts(database, naming), 2)
  const { used, reserved } = await state.quota('acct_1', sampleLimits(), TODAY)
  assert.deepEqual(used, { inputTokens: 14, outputTokens: 10, costMicroUsd: 6 })
  assert.equal(reserved.outputTokens, 500)
  const key = sampleAsk({ turnId: 'turn_1' }).idempotency
  const repeat = { principalId: 'acct_1', idempotency: key }
  assert.deepEqual(await state.claimed(repeat), { kind: 'duplicate', turnId: 'turn_1', sessionId: 'sess_turn_1' })
  for (const table of ['day_use', 'holds', 'claims']) {
    const left = database.statement(`SELECT count(*) AS count FROM ${table} WHERE principal_id LIKE 'guest_%'`).get()
    assert.equal(left?.['count'], 0, table)
  }
  assert.equal(await renameAccounts(database, naming), 0)
})
