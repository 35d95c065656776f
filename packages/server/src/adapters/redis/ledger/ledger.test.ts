// Runs the contract of the ledger on Redis, and sums more than one page of rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerContract } from '#ports/ledger/contract.ts'
import { cleanRedis } from '#fixtures/stores/clean-redis.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { redisLedger } from './ledger.ts'

const open = cleanRedis()

ledgerContract('redis ledger', async (context) => {
  const clock = manualClock()
  return redisLedger({ redis: await open(context, clock), clock })
})

test('a day of many pages is summed completely, and every key expires', async (context) => {
  const clock = manualClock()
  const redis = await open(context, clock)
  const ledger = redisLedger({ redis, clock })
  const rows = Array.from({ length: 1700 }, (_, index) => sampleLedgerRow({ turnId: `turn_${index}` }))
  for (let from = 0; from < rows.length; from += 100) await ledger.record(rows.slice(from, from + 100))
  const { rows: count, costMicroUsd } = await ledger.totals({ principalId: 'guest_1' })
  assert.deepEqual([count, costMicroUsd], [1700, 5100])
  for (const key of ['ma:{ledger:2026-11-04}', 'ma:{turn:turn_7}:ledger'])
    assert.ok(Number(await redis.command(key, 'PTTL', key)) > 0, key)
})
