// Runs the contract of the ledger on DynamoDB, and holds what a row costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP } from '#domain/identity/principal.ts'
import type { LedgerRow } from '#domain/ledger/ledger-row.ts'
import { ledgerContract } from '#ports/ledger/contract.ts'
import { unavailableContract } from '#ports/unavailable.contract.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { dynamoLedger } from './ledger.ts'
import { itemOf, ledgerTable, LEDGER_SHARDS } from './table.ts'

const open = cleanDynamo([ledgerTable])

ledgerContract('dynamodb ledger', async (context) => {
  const { dynamo } = await open(context)
  return dynamoLedger({ dynamo })
})

unavailableContract('dynamodb ledger', async (context) => {
  const { dynamo, faults } = await open(context)
  await faults[Symbol.asyncDispose]()
  return { ledger: dynamoLedger({ dynamo }) }
})

/** As large as a row of a real model is. */
const LARGE = sampleLedgerRow({
  turnId: `turn_${'0'.repeat(26)}`,
  principalId: `user_${'a'.repeat(60)}`,
  sessionId: `sess_${'0'.repeat(26)}`,
  userTier: 'premium',
  model: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  inputTokens: 12_345,
  cacheReadTokens: 10_000,
  cacheWriteTokens: 1000,
  outputTokens: 999,
  estimate: { system: 1234, retrieval: 2345, history: 3456, message: 456, total: 12_400 },
  overage: true,
  prompt: 'bookseller-12.5f3a9c21',
  costMicroUsd: 123_456,
})

test('a row costs three write units: itself and its two index entries; a repeat costs one', async (context) => {
  const { dynamo, faults, telemetry } = await open(context)
  const ledger = dynamoLedger({ dynamo })
  const units = async (work: () => Promise<unknown>) => {
    const before = telemetry.observed.length
    await work()
    return telemetry.observed.slice(before).reduce((sum, { value }) => sum + value, 0)
  }
  await ledger.record([sampleLedgerRow()])
  const row = await units(() => ledger.record([LARGE]))
  assert.equal(row, 3)
  assert.ok((await units(() => ledger.record([LARGE]))) <= 1)
  assert.ok((await units(() => ledger.ofTurn(LARGE.turnId))) <= 1)
  assert.ok((await units(() => ledger.hasSpent(LARGE.principalId, LARGE.day))) <= 0.5)
  assert.ok((await units(() => ledger.page({ day: LARGE.day }, 10))) <= LEDGER_SHARDS / 2)
  assert.deepEqual(faults.calls.filter(({ operation }) => operation === 'PutItem').length, 4, 'the day is put once')
})

test('turns are spread over all shards, and no row is near 1 KB', () => {
  const counts = new Map<unknown, number>()
  for (let index = 0; index < 16_000; index += 1) {
    const { shard } = itemOf({ ...LARGE, turnId: `turn_${index}` }) as { shard?: string }
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
  }
  assert.equal(counts.size, LEDGER_SHARDS)
  assert.ok(Math.max(...counts.values()) < 1200, 'a shard has at most a fifth more than its part')
  assert.ok(JSON.stringify(itemOf(LARGE)).length < 900)
})

test('the shop’s rows are found without the index of principals, and nothing ever scans the table', async (context) => {
  const { dynamo, faults } = await open(context)
  const ledger = dynamoLedger({ dynamo })
  const own = sampleLedgerRow({ turnId: 'house_1', principalId: SHOP })
  await ledger.record([own, sampleLedgerRow()])
  assert.deepEqual(await ledger.page({ principalId: SHOP }, 10), [own])
  assert.equal((await ledger.totals({ principalId: SHOP, day: own.day })).rows, 1)
  assert.equal(await ledger.hasSpent(SHOP, own.day), true)
  const all: LedgerRow[] = []
  for await (const row of ledger.rows({})) all.push(row)
  assert.equal(all.length, 2)
  await ledger.groups({ sessionId: 'sess_1' }, { by: ['user'], limit: 10 })
  await ledger.rename({ principalId: 'guest_1' }, 'gone_1')
  const operations = new Set(faults.calls.map(({ operation }) => operation))
  assert.deepEqual([...operations].toSorted(), ['PutItem', 'Query', 'UpdateItem'])
})

test('a rename that failed in the middle is completed by a repeat', async (context) => {
  const { dynamo, faults } = await open(context)
  const ledger = dynamoLedger({ dynamo })
  const rows = Array.from({ length: 60 }, (_, index) => sampleLedgerRow({ turnId: `turn_${index}` }))
  await ledger.record(rows)
  let updates = 0
  faults.spoil(({ operation }) => {
    if (operation !== 'UpdateItem') return undefined
    updates += 1
    return updates === 10 ? 'lose-reply' : updates > 30 ? 'fail' : undefined
  })
  await assert.rejects(ledger.rename({ principalId: 'guest_1' }, 'gone_1'), { name: 'StoreUnavailable' })
  faults.spoil(() => undefined)
  const left = await ledger.rename({ principalId: 'guest_1' }, 'gone_1')
  assert.ok(left > 0 && left < 60, String(left))
  assert.equal((await ledger.totals({ principalId: 'gone_1' })).rows, 60)
  assert.equal((await ledger.totals({ principalId: 'guest_1' })).rows, 0)
  assert.equal((await ledger.totals({})).rows, 60)
})

test('the costs of a day are those of all its rows', async (context) => {
  const { dynamo } = await open(context)
  const ledger = dynamoLedger({ dynamo })
  const rows = Array.from({ length: 40 }, (_, index) =>
    sampleLedgerRow({ turnId: `turn_${index}`, principalId: `guest_${index % 3}`, costMicroUsd: index }),
  )
  await ledger.record([...rows, sampleLedgerRow({ turnId: 'turn_of_yesterday', day: '2026-11-03' })])
  const costs: string[] = []
  for await (const { costMicroUsd, principalId } of ledger.costs?.(rows[0]?.day ?? '') ?? [])
    costs.push(`${principalId} ${costMicroUsd}`)
  const expected = rows.map(({ costMicroUsd, principalId }) => `${principalId} ${costMicroUsd}`)
  assert.deepEqual(costs.toSorted(), expected.toSorted())
})

test('a small page of a principal’s rows with a further filter needs few queries', async (context) => {
  const { dynamo, faults } = await open(context)
  const ledger = dynamoLedger({ dynamo })
  const rows = Array.from({ length: 60 }, (_, index) =>
    sampleLedgerRow({ turnId: `turn_${index}`, at: 1000 + index, model: index === 59 ? 'rare' : 'usual' }),
  )
  await ledger.record(rows)
  const { principalId } = sampleLedgerRow()
  const before = faults.calls.length
  assert.equal((await ledger.page({ principalId, model: 'rare' }, 1)).length, 1)
  assert.ok(faults.calls.length - before <= 2, `${faults.calls.length - before} queries`)
})
