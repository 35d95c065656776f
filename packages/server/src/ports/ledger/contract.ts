// The contract of the ledger. `make` returns an empty one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import type { Ledger, LedgerRow } from './port.ts'

export function ledgerContract(name: string, make: (context: TestContext) => Promise<Ledger>): void {
  test(`${name}: the rows of a turn are returned unchanged, by attempt`, async (context) => {
    const ledger = await make(context)
    const second = sampleLedgerRow({ attempt: 2, estimated: true, outcome: 'stream-broken' })
    await ledger.record([second, sampleLedgerRow()])
    assert.deepEqual(await ledger.ofTurn('turn_1'), [sampleLedgerRow(), second])
    assert.deepEqual(await ledger.ofTurn('turn_unknown'), [])
  })

  test(`${name}: a row with the same turn and attempt is not overwritten`, async (context) => {
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

  test(`${name}: whether a principal spent something on a day is known without reading rows`, async (context) => {
    const ledger = await make(context)
    const { day, principalId } = sampleLedgerRow()
    assert.equal(await ledger.hasSpent(principalId, day), false)
    await ledger.record([
      sampleLedgerRow(),
      sampleLedgerRow({ turnId: 'turn_2', principalId: 'guest_2', inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }),
    ])
    assert.equal(await ledger.hasSpent(principalId, day), true)
    assert.equal(await ledger.hasSpent('guest_2', day), false, 'an answer that cost nothing')
    assert.equal(await ledger.hasSpent(principalId, '1999-01-01'), false)
  })

  test(`${name}: estimate and cache fields are returned, and unknown ones stay absent`, async (context) => {
    const ledger = await make(context)
    const row = sampleLedgerRow({
      userTier: 'premium',
      cacheReadTokens: 7,
      cacheWriteTokens: 1,
      estimate: { system: 3, retrieval: 2, history: 0, message: 4, total: 11 },
      overage: true,
      prompt: 'bookseller-1.5f3a9c21',
      lostOwner: 2,
      tag: 'newsletter',
    })
    await ledger.record([row, sampleLedgerRow({ attempt: 2 })])
    assert.deepEqual(await ledger.ofTurn('turn_1'), [row, sampleLedgerRow({ attempt: 2 })])
    assert.deepEqual(await ledger.page({}, 10), [row, sampleLedgerRow({ attempt: 2 })])
  })

  test(`${name}: totals sum the rows of the filter`, async (context) => {
    const ledger = await make(context)
    await ledger.record([
      sampleLedgerRow(),
      sampleLedgerRow({ turnId: 'turn_2', principalId: 'guest_2', sessionId: 'sess_2', cacheReadTokens: 4 }),
      sampleLedgerRow({
        turnId: 'turn_3',
        day: '2026-11-05',
        model: 'other',
        tier: 'economy',
        outcome: 'throttled',
        inputTokens: 100,
        costMicroUsd: 50,
        cacheWriteTokens: 9,
        estimated: true,
        overage: true,
      }),
    ])
    const one = { ...NO_TOTALS, rows: 1, inputTokens: 10, outputTokens: 5, costMicroUsd: 3 }
    const other = { ...one, inputTokens: 100, costMicroUsd: 50, cacheWriteTokens: 9, estimatedRows: 1, overageRows: 1 }
    const second = { ...one, cacheReadTokens: 4 }
    assert.deepEqual(await ledger.totals({}), {
      ...other,
      rows: 3,
      inputTokens: 120,
      outputTokens: 15,
      costMicroUsd: 56,
      cacheReadTokens: 4,
    })
    assert.deepEqual(await ledger.totals({ principalId: 'guest_2' }), second)
    assert.deepEqual(await ledger.totals({ sessionId: 'sess_2' }), second)
    assert.deepEqual(await ledger.totals({ principalId: 'guest_1', day: '2026-11-04' }), one)
    assert.deepEqual(await ledger.totals({ model: 'other' }), other)
    assert.deepEqual(await ledger.totals({ tier: 'economy', outcome: 'throttled' }), other)
    assert.deepEqual(await ledger.totals({ from: '2026-11-05' }), other)
    assert.deepEqual(await ledger.totals({ to: '2026-11-04', principalId: 'guest_1' }), one)
    assert.equal((await ledger.totals({ from: '2026-11-04', to: '2026-11-05' })).rows, 3)
  })

  test(`${name}: totals of nothing are zeros`, async (context) => {
    const ledger = await make(context)
    assert.deepEqual(await ledger.totals({ day: '1999-01-01' }), NO_TOTALS)
    assert.deepEqual(await ledger.groups({}, { by: ['day'], limit: 10 }), [])
    assert.deepEqual(await ledger.page({}, 10), [])
  })

  test(`${name}: groups are returned in the order of their keys, by page`, async (context) => {
    const ledger = await make(context)
    await ledger.record(
      ['c', 'a', 'b', 'a'].map((principalId, index) =>
        sampleLedgerRow({ turnId: `turn_${index}`, principalId, model: index === 3 ? 'other' : 'embedded' }),
      ),
    )
    const keys = async (...asked: Parameters<Ledger['groups']>) =>
      (await ledger.groups(...asked)).map(({ key, totals }) => [...key, totals.rows])
    assert.deepEqual(await keys({}, { by: ['user'], limit: 10 }), [
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ])
    assert.deepEqual(await keys({}, { by: ['user'], limit: 1, after: ['a'] }), [['b', 1]])
    assert.deepEqual(await keys({}, { by: ['user'], limit: 10, costMicroUsdMin: 6 }), [['a', 2]])
    const both = { by: ['model', 'user'], limit: 10 } as const
    assert.deepEqual(await keys({ day: '2026-11-04' }, { ...both, after: ['embedded', 'b'] }), [
      ['embedded', 'c', 1],
      ['other', 'a', 1],
    ])
    const parts = ['day', 'session', 'tier', 'outcome'] as const
    assert.deepEqual(await keys({}, { by: parts, limit: 10 }), [['2026-11-04', 'sess_1', 'embedded', 'stop', 4]])
  })

  test(`${name}: rows are grouped by tag and by key, and those without are one group`, async (context) => {
    const ledger = await make(context)
    const row = (index: number, principalId: string, tag?: string) =>
      sampleLedgerRow({ turnId: `turn_${index}`, principalId, ...(tag === undefined ? {} : { tag }) })
    await ledger.record([
      row(1, 'key:shop', 'mail'),
      row(2, 'key:shop', 'mail'),
      row(3, 'key:shop'),
      row(4, 'key:other', 'app'),
      row(5, 'guest_1'),
    ])
    const keys = async (...asked: Parameters<Ledger['groups']>) =>
      (await ledger.groups(...asked)).map(({ key, totals }) => [...key, totals.rows])
    assert.deepEqual(await keys({}, { by: ['tag'], limit: 10 }), [
      ['', 2],
      ['app', 1],
      ['mail', 2],
    ])
    assert.deepEqual(await keys({}, { by: ['key', 'tag'], limit: 2, after: ['key:other', 'app'] }), [
      ['key:shop', '', 1],
      ['key:shop', 'mail', 2],
    ])
    assert.deepEqual(await keys({ tag: 'mail' }, { by: ['key'], limit: 10 }), [['key:shop', 2]])
    assert.equal((await ledger.totals({ tag: 'app' })).rows, 1)
    assert.equal((await ledger.page({ tag: 'mail' }, 10)).length, 2)
  })

  test(`${name}: rows are returned by day and time, by page or all`, async (context) => {
    const ledger = await make(context)
    const row = (turnId: string, day: string, at: number) => sampleLedgerRow({ turnId, day, at })
    const rows = [
      row('turn_z', '2026-11-03', 5),
      row('turn_a', '2026-11-04', 1),
      row('turn_b', '2026-11-04', 1),
      sampleLedgerRow({ turnId: 'turn_b', day: '2026-11-04', at: 1, attempt: 2 }),
      row('turn_c', '2026-11-04', 1_762_000_000_000),
      row('turn_d', '2026-11-05', 0),
    ]
    await ledger.record(rows.toReversed())
    assert.deepEqual(await ledger.page({}, 3), rows.slice(0, 3))
    assert.deepEqual(await ledger.page({}, 2, rows[2]), rows.slice(3, 5))
    assert.deepEqual(await ledger.page({}, 10, rows[5]), [])
    assert.deepEqual(await ledger.page({ day: '2026-11-04' }, 10, rows[0]), rows.slice(1, 5))
    const all: LedgerRow[] = []
    for await (const one of ledger.rows({ from: '2026-11-04' })) all.push(one)
    assert.deepEqual(all, rows.slice(1))
  })

  test(`${name}: an export of many pages has every row once`, async (context) => {
    const ledger = await make(context)
    const rows = Array.from({ length: 1200 }, (_, index) =>
      sampleLedgerRow({ turnId: `turn_${String(index).padStart(4, '0')}`, at: index % 7 }),
    )
    for (let from = 0; from < rows.length; from += 100) await ledger.record(rows.slice(from, from + 100))
    const seen = new Set<string>()
    for await (const { turnId } of ledger.rows({ principalId: 'guest_1' })) seen.add(turnId)
    assert.equal(seen.size, 1200)
  })

  test(`${name}: a principal’s rows are renamed, all or up to a day, and their figures stay`, async (context) => {
    const ledger = await make(context)
    const row = (turnId: string, day: string, principalId: string) => sampleLedgerRow({ turnId, day, principalId })
    await ledger.record([
      row('a', '2026-11-03', 'one'),
      row('b', '2026-11-04', 'one'),
      row('c', '2026-11-05', 'one'),
      row('d', '2026-11-04', 'two'),
    ])
    const before = await ledger.totals({})
    assert.equal(await ledger.rename({ principalId: 'one', to: '2026-11-04' }, 'gone_1'), 2)
    assert.equal((await ledger.totals({ principalId: 'one' })).rows, 1)
    assert.equal(await ledger.rename({ principalId: 'one' }, 'gone_2'), 1)
    assert.equal(await ledger.rename({ principalId: 'one' }, 'gone_3'), 0)
    assert.deepEqual(
      (await ledger.page({}, 10)).map(({ principalId }) => principalId),
      ['gone_1', 'gone_1', 'two', 'gone_2'],
    )
    assert.deepEqual(await ledger.totals({}), before)
    assert.equal((await ledger.ofTurn('a'))[0]?.principalId, 'gone_1')
  })
}
