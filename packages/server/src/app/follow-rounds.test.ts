// What a process has in memory follows the copy of the shared catalogue, however the copy was changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { currentFaq } from '#domain/catalogue/current-faq.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { followRounds } from './follow-rounds.ts'

async function setUp() {
  const products = memoryProductStore()
  await products.replaceAll(sampleShelves(), 'first')
  const faq = currentFaq([])
  const state = { published: 0, isFailing: false }
  const live = { follow: async () => false, now: async () => assert.fail() }
  const published = async () => {
    if (state.isFailing) throw new Error('the search index is busy')
    state.published += 1
  }
  const [round] = followRounds({ faq, live, products }, published)
  assert.ok(round)
  await round.work()
  return { faq, products, round: round.work, state }
}

test('an FAQ that an import of this node copied from another node is used at the next round', async () => {
  const { faq, products, round } = await setUp()
  // The copy was made by the import, so that following it finds no change.
  await products.changeOffers([], { source: 'another node', faq: sampleFaq() })
  await round()
  assert.deepEqual(faq.entries(), sampleFaq())
})

test('a round that fails after the copy was made is repeated, and one without a change does nothing', async () => {
  const { products, round, state } = await setUp()
  await products.changeOffers([{ id: 'one-piece', stock: 3 }], { source: 'stock' })
  const before = state.published
  state.isFailing = true
  await assert.rejects(round(), /busy/)
  state.isFailing = false
  await round()
  assert.equal(state.published, before + 1)
  await round()
  assert.equal(state.published, before + 1)
})
