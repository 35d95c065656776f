// A catalogue that other nodes change: what a shopper sees of it, over the whole pipeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '#app/app.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { sampleFaq, sampleProduct } from '#fixtures/turns/samples.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { LiveProducts, ProductsNow } from '#ports/product-store/shared.ts'

async function setUp(live: Partial<LiveProducts>) {
  const ports = await testPorts()
  const model = scriptedModel(ports.clock, answering('『鬼滅の刃』', 'です。'))
  const still: LiveProducts = { now: async (products) => ({ products }), follow: async () => false }
  const app = createApp({ ...ports, models: new Map([['embedded', model]]), live: { ...still, ...live } }, testConfig)
  const ask = async (message: string) => {
    const accepted = await app.chat(sampleReceived({ message, language: 'ja' }))
    const frames = collect(await app.read(GUEST, { turnId: accepted.turnId, offset: 0 }, new AbortController().signal))
    await ports.clock.advance(1000)
    const meta = (await frames).findLast((frame) => frame.type === 'meta')
    assert.ok(meta !== undefined)
    return meta
  }
  return { ...ports, app, ask }
}

test('an answer has the price and stock that the shared catalogue has now', async () => {
  const { ask } = await setUp({
    now: async (products) => ({
      products: products.map((product) => ({ ...product, pricePerVolumeYen: 999, stock: 0 })),
    }),
  })
  const { offersAsOf, products, warning } = await ask('鬼滅の刃はいくらですか')
  assert.deepEqual(
    products.map(({ pricePerVolumeYen, stock }) => [pricePerVolumeYen, stock]),
    [[999, 0]],
  )
  assert.deepEqual([offersAsOf, warning], [undefined, undefined])
})

test('a price that could not be read now is shown with the time at which it was current', async () => {
  const asOf = NOON - 600_000
  const stale = (at: ProductsNow['asOf']) => setUp({ now: async (products) => ({ products, asOf: at }) as ProductsNow })
  const { ask } = await stale(asOf)
  const meta = await ask('鬼滅の刃はいくらですか')
  assert.equal(meta.offersAsOf, isoTime(asOf))
  assert.match(meta.warning ?? '', /^価格と在庫は\d\d:\d\d時点のものです。$/u)
  assert.deepEqual(
    meta.sources?.map(({ at }) => at),
    [isoTime(asOf)],
  )
  const greeting = await ask('こんにちは')
  assert.deepEqual([greeting.offersAsOf, greeting.warning], [undefined, undefined])
  const { ask: askLater } = await stale(null)
  const unknown = await askLater('鬼滅の刃はいくらですか')
  assert.deepEqual([unknown.offersAsOf, unknown.warning], [null, '価格と在庫は変わっている場合があります。'])
})

test('what another node imported is searched and answered with the next round', async () => {
  const ports = await testPorts()
  let isChanged = false
  const follow = async () => {
    if (isChanged) return false
    isChanged = true
    const next = await ports.products.begin()
    await next.add([sampleProduct({ id: 'new', title: { ja: '新しい本', en: 'A new book', romaji: 'Atarashii Hon' } })])
    await next.publish({ source: 'elsewhere', faq: sampleFaq().slice(0, 1) })
    return true
  }
  const app = createApp({ ...ports, live: { follow, now: async (products) => ({ products }) } }, testConfig)
  app.start()
  await ports.clock.advance(3000)
  assert.deepEqual(
    app.faq('ja').items.map(({ id }) => id),
    sampleFaq()
      .slice(0, 1)
      .map(({ id }) => id),
  )
  const { items } = await app.products(
    { text: '新しい本', language: 'ja', limit: 5, after: '', filters: {} },
    new AbortController().signal,
  )
  assert.deepEqual(
    items.map(({ id }) => id),
    ['new'],
  )
  await Promise.all([app.drain(), ports.clock.advance(60_000)])
})
