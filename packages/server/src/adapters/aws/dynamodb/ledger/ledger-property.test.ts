// Random histories of two writers on the ledger in DynamoDB, whose calls are throttled, fail, and lose their replies: after repeats
// it answers as the ledger in memory does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import type { LedgerFilter } from '#domain/ledger/ledger-row.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import type { DynamoFault } from '#fixtures/stores/dynamo-faults.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { dynamoLedger } from './ledger.ts'
import { ledgerTable } from './table.ts'

const RUNS = 5
/** More than the faults of a history. */
const TRIES_MAX = 100
const DAYS = ['2026-11-03', '2026-11-04', '2026-11-05']
const open = cleanDynamo([ledgerTable])

const row = fc
  .record({
    turn: fc.integer({ min: 0, max: 12 }),
    attempt: fc.integer({ min: 0, max: 2 }),
    principalId: fc.constantFrom('guest_1', 'guest_2', 'shop'),
    model: fc.constantFrom('embedded', 'other'),
    costMicroUsd: fc.integer({ min: 0, max: 9 }),
  })
  // A turn is of one day and one principal; what differs between two rows of one attempt is the figures.
  .map(({ attempt, costMicroUsd, model, principalId, turn }) =>
    sampleLedgerRow({
      turnId: `turn_${principalId}_${turn}`,
      attempt,
      principalId,
      model,
      day: DAYS[turn % DAYS.length] ?? '',
      at: turn % 4,
      sessionId: `sess_${turn % 2}`,
      costMicroUsd,
    }),
  )
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 4 }), writer: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ rename: fc.constantFrom('guest_1', 'guest_2'), to: fc.constantFrom(...DAYS) }) },
)
const fault = fc.constantFrom<DynamoFault | undefined>(undefined, undefined, 'throttle', 'lose-reply', 'fail')

test('after repeats two writers with faults have the same books as memory', async (context) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.array(fault, { minLength: 1 }), async (steps, spoiled) => {
      const { another, dynamo, faults } = await open(context)
      const writers = [dynamoLedger({ dynamo }), dynamoLedger({ dynamo: another() })] as const
      let calls = 0
      // Each fault once: a history that fails for ever has no end.
      faults.spoil(() => spoiled[calls++])
      const model = memoryLedger()
      for (const [index, one] of steps.entries()) {
        if ('rows' in one) {
          await untilAnswered(() => writers[one.writer === 0 ? 0 : 1].record(one.rows))
          await model.record(one.rows)
        } else {
          const of = { principalId: one.rename, to: one.to }
          await untilAnswered(() => writers[0].rename(of, `gone_${index}`))
          await model.rename(of, `gone_${index}`)
        }
      }
      faults.spoil(() => undefined)
      await assertSameBooks(writers[0], model)
    }),
    { numRuns: RUNS },
  )
})

test('of two writers of the same rows at the same time, one writes each row', async (context) => {
  const { another, dynamo } = await open(context)
  const writers = [dynamo, another()].map((client) => dynamoLedger({ dynamo: client }))
  const rows = (costMicroUsd: number) =>
    Array.from({ length: 40 }, (_, index) => sampleLedgerRow({ turnId: `turn_${index}`, costMicroUsd }))
  await Promise.all(writers.map((writer, index) => writer.record(rows(index + 1))))
  const before = await writers[0]!.page({}, 100)
  assert.equal(before.length, 40)
  await Promise.all(writers.map((writer) => writer.record(rows(7))))
  assert.deepEqual(await writers[1]!.page({}, 100), before)
})

async function untilAnswered(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1)
    if (!((await orUnavailable(call)) instanceof StoreUnavailable)) return
  assert.fail('there are more faults than tries')
}

async function assertSameBooks(ledger: Ledger, model: Ledger): Promise<void> {
  const filters: LedgerFilter[] = [
    {},
    { day: DAYS[1] ?? '' },
    { from: DAYS[1] ?? '', principalId: 'guest_1' },
    { model: 'other' },
  ]
  const asked = { by: ['user', 'day'] as const, limit: 100 }
  for (const filter of filters) {
    assert.deepEqual(await ledger.totals(filter), await model.totals(filter))
    assert.deepEqual(await ledger.groups(filter, asked), await model.groups(filter, asked))
    const rows = await model.page(filter, 1000)
    for (let from = 0; from <= rows.length; from += 9)
      assert.deepEqual(await ledger.page(filter, 9, rows[from - 1]), rows.slice(from, from + 9))
  }
}
