// What every ledger must do. `make` gives an empty one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleLedgerRow } from '../../test/fixtures/samples.ts'
import type { Ledger } from './ledger.ts'

export function ledgerContract(name: string, make: (context: TestContext) => Promise<Ledger>): void {
  test(`${name}: the rows of a turn come back as they were, by attempt`, async (context) => {
    const ledger = await make(context)
    const second = sampleLedgerRow({ attempt: 2, estimated: true, outcome: 'stream-broken' })
    await ledger.record([second, sampleLedgerRow()])
    assert.deepEqual(await ledger.ofTurn('turn_1'), [sampleLedgerRow(), second])
    assert.deepEqual(await ledger.ofTurn('turn_unknown'), [])
  })

  test(`${name}: a row whose turn and attempt are there already is left as it is`, async (context) => {
    const ledger = await make(context)
    await ledger.record([sampleLedgerRow()])
    await ledger.record([sampleLedgerRow({ costMicroUsd: 999 }), sampleLedgerRow({ attempt: 2 })])
    assert.deepEqual(
      (await ledger.ofTurn('turn_1')).map(({ costMicroUsd }) => costMicroUsd),
      [3, 3],
    )
    await ledger.record([])
    assert.equal((await ledger.totals({})).rows, 2)
  })

  test(`${name}: totals add up what the filter names`, async (context) => {
    const ledger = await make(context)
    await ledger.record([
      sampleLedgerRow(),
      sampleLedgerRow({ turnId: 'turn_2', principalId: 'guest_2', sessionId: 'sess_2' }),
      sampleLedgerRow({ turnId: 'turn_3', day: '2026-11-05', model: 'other', inputTokens: 100, costMicroUsd: 50 }),
    ])
    const one = { rows: 1, inputTokens: 10, outputTokens: 5, costMicroUsd: 3 }
    assert.deepEqual(await ledger.totals({}), { rows: 3, inputTokens: 120, outputTokens: 15, costMicroUsd: 56 })
    assert.deepEqual(await ledger.totals({ principalId: 'guest_2' }), one)
    assert.deepEqual(await ledger.totals({ sessionId: 'sess_2' }), one)
    assert.deepEqual(await ledger.totals({ principalId: 'guest_1', day: '2026-11-04' }), one)
    assert.deepEqual(await ledger.totals({ model: 'other' }), {
      rows: 1,
      inputTokens: 100,
      outputTokens: 5,
      costMicroUsd: 50,
    })
  })

  test(`${name}: totals of nothing are zeros`, async (context) => {
    const ledger = await make(context)
    const nothing = { rows: 0, inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }
    assert.deepEqual(await ledger.totals({ day: '1999-01-01' }), nothing)
  })
}
