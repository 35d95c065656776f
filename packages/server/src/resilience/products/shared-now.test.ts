// What is known of one edition is never taken for another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '@mangaassist/bookseller/catalogue/offer'
import type { Snapshot } from '#ports/product-store/shared.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleProduct } from '#fixtures/turns/samples.ts'
import { SharedNow } from './shared-now.ts'

const edition = {
  version: 1,
  offers: 0,
  source: 'test',
  digest: '',
  productsDigest: '',
  offersDigest: '',
  faqDigest: '',
}

function snapshot(digest: string, stock: number): Snapshot {
  const { offer } = partsOf(sampleProduct({ stock }))
  const outlinesOf = async (ids: readonly string[]) => ids.map((id) => ({ id, facts: 'facts', offer }))
  return { edition: { ...edition, digest }, outlinesOf } as unknown as Snapshot
}

test('an answer that began with an earlier edition leaves none of its prices behind', async () => {
  const snapshots = [snapshot('first', 1), snapshot('second', 2)]
  const now = new SharedNow({ snapshot: async () => snapshots.shift() }, manualClock())
  const first = await now.read()
  const second = await now.read()
  assert.ok(first && second)
  assert.equal((await now.outlinesOf(first, ['berserk'])).get('berserk')?.offer.stock, 1)
  assert.equal((await now.outlinesOf(second, ['berserk'])).get('berserk')?.offer.stock, 2)
})
