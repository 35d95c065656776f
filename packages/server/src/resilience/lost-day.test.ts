// A day that is compared with the ledger is charged from whole turns, also when the index of users is behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { dayOf } from '#domain/budget/day.ts'
import { amounts, GENEROUS } from '#fixtures/budgets/budgets.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import type { LedgerFilter } from '#ports/ledger/port.ts'
import { createCompareDay } from './lost-day.ts'

test('a turn of which the index shows only some rows yet is charged whole', async () => {
  const clock = manualClock()
  const [ledger, budgets, telemetry] = [memoryLedger(), memoryBudgets({ clock }), memoryTelemetry()]
  const day = dayOf(clock.now(), 'Asia/Tokyo')
  const row = (turnId: string, attempt: number, at: number) =>
    sampleLedgerRow({ turnId, attempt, at, day: day.key, inputTokens: 10, outputTokens: 5, costMicroUsd: 3 })
  await ledger.record([
    row('turn_1', 1, clock.now() - 600_000),
    row('turn_2', 1, clock.now()),
    row('turn_2', 2, clock.now()),
  ])
  const behind = {
    ofTurn: (turnId: string) => ledger.ofTurn(turnId),
    async *rows(filter: LedgerFilter) {
      for await (const one of ledger.rows(filter)) if (one.attempt === 1) yield one
    },
  }
  const compareDay = createCompareDay({ ledger: behind, budgets, clock, telemetry })
  const { principalId } = row('turn_1', 1, 0)
  assert.equal(await compareDay({ principalId, day }, 'epoch_1'), true)
  assert.deepEqual((await budgets.quota(principalId, GENEROUS, day)).used, amounts(30, 15, 9))
})
