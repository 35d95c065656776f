// A move into a ledger that has rows already is refused, whatever the folder has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import type { ShopCounts, ShopSource } from '#ports/migration/shop-source.ts'
import { ledgerPart } from './shop.ts'

test('a ledger with rows of another shop has data, also for a folder without any', async () => {
  const ledger = memoryLedger()
  const source = { ledger: memoryLedger() } satisfies Partial<ShopSource> as unknown as ShopSource
  const options = { source, counts: {} as ShopCounts, store: 'dynamodb', target: { ledger } }
  const part = await ledgerPart(options, manualClock())
  assert.equal(await part.hasData?.(), false)
  await ledger.record([sampleLedgerRow()])
  assert.equal(await part.hasData?.(), true)
})
