// The contract of the product store. `make` returns an empty one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { bareProduct, sampleFaq, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import type { ProductStore } from './port.ts'

export function productStoreContract(name: string, make: (context: TestContext) => Promise<ProductStore>): void {
  test(`${name}: products are returned complete, in the order of the ids, without unknown ids`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves(), 'test')
    const [kimetsu, onePiece] = sampleShelves()
    assert.deepEqual(await store.byIds(['one-piece', 'unknown', 'kimetsu-no-yaiba']), [onePiece, kimetsu])
    assert.deepEqual(await store.byIds([]), [])
  })

  test(`${name}: pages follow one another in the order of ids`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves().toReversed(), 'test')
    const first = await store.page('', 2)
    assert.deepEqual(
      first.map(({ id }) => id),
      ['kimetsu-no-yaiba', 'one-piece'],
    )
    assert.deepEqual(
      (await store.page('one-piece', 2)).map(({ id }) => id),
      ['yotsuba-to'],
    )
    assert.deepEqual(await store.page('yotsuba-to', 2), [])
  })

  test(`${name}: a replacement leaves exactly the new products`, async (context) => {
    const store = await make(context)
    assert.equal(await store.count(), 0)
    await store.replaceAll(sampleShelves(), 'test')
    assert.equal(await store.count(), 3)
    await store.replaceAll([sampleProduct({ stock: 1 }), sampleProduct({ id: 'new' })], 'test')
    assert.equal(await store.count(), 2)
    assert.deepEqual(
      (await store.byIds(['kimetsu-no-yaiba', 'one-piece'])).map(({ stock }) => stock),
      [1],
    )
  })

  test(`${name}: many products are replaced at once`, async (context) => {
    const store = await make(context)
    await store.replaceAll(
      Array.from({ length: 2000 }, (_, index) => sampleProduct({ id: `series-${index}` })),
      'test',
    )
    assert.equal(await store.count(), 2000)
    await store.replaceAll([], 'test')
    assert.equal(await store.count(), 0)
  })

  test(`${name}: every change of the catalogue is a new edition that names its source`, async (context) => {
    const store = await make(context)
    assert.equal(await store.edition(), undefined)
    await store.replaceAll(sampleShelves(), 'bundled')
    const first = await store.edition()
    assert.equal(first?.source, 'bundled')
    await store.replaceAll(sampleShelves(), 'import')
    const second = await store.edition()
    assert.equal(second?.source, 'import')
    assert.ok((second?.version ?? 0) > (first?.version ?? 0))
  })

  test(`${name}: the next edition is invisible until it is published, and discarding it changes nothing`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves(), 'test')
    const before = await store.edition()
    const next = await store.begin()
    await next.add([sampleProduct({ stock: 1 }), sampleProduct({ id: 'new' })])
    assert.deepEqual([await store.count(), await store.edition(), await next.removals()], [3, before, 2])
    assert.deepEqual(await store.byIds(['new']), [])
    await next.discard()
    assert.deepEqual([await store.page('', 9), await store.edition()], [sampleShelves(), before])
    const again = await store.begin()
    await again.add([bareProduct({ id: 'new' })])
    const published = await again.publish({ source: 'import', faq: sampleFaq() })
    assert.deepEqual(await store.edition(), published)
    assert.ok(published.version > (before?.version ?? 0))
    assert.deepEqual([await store.page('', 9), await store.faq()], [[bareProduct({ id: 'new' })], sampleFaq()])
  })

  test(`${name}: an id that is already in the next edition is refused`, async (context) => {
    const next = await (await make(context)).begin()
    await next.add([sampleProduct()])
    await assert.rejects(next.add([sampleProduct()]))
  })

  test(`${name}: prices, stock and dates change without a new version, and what is not named stays`, async (context) => {
    const store = await make(context)
    const volumeOffers = [
      { volume: 1, priceYen: 300 },
      { volume: 2, stock: 0 },
    ]
    await store.replaceAll([sampleProduct({ volumeOffers }), sampleProduct({ id: 'other' })], 'test')
    const before = await store.edition()
    const releases = [{ volume: 24, date: '2026-12-04' }]
    const changes = [
      { id: 'kimetsu-no-yaiba', stock: 3, volumeOffers: [{ volume: 2, stock: 5 }] },
      { id: 'other', pricePerVolumeYen: 600, releases },
      { id: 'unknown', stock: 1 },
    ]
    const after = await store.changeOffers(changes, { source: 'stock' })
    assert.deepEqual([after.version, after.factsDigest], [before?.version, before?.factsDigest])
    assert.ok(after.offers > (before?.offers ?? 0) && after.digest !== before?.digest)
    assert.deepEqual(await store.page('', 9), [
      sampleProduct({
        stock: 3,
        volumeOffers: [
          { volume: 1, priceYen: 300 },
          { volume: 2, stock: 5 },
        ],
      }),
      sampleProduct({ id: 'other', pricePerVolumeYen: 600, releases }),
    ])
  })

  test(`${name}: the digest is that of the content, in any order of products and fields`, async (context) => {
    const store = await make(context)
    const digestOf = async (products: Parameters<typeof store.replaceAll>[0]) => {
      await store.replaceAll(products, 'test')
      return (await store.edition())?.digest
    }
    const first = await digestOf(sampleShelves())
    const reordered = sampleShelves()
      .toReversed()
      .map((product) => Object.fromEntries(Object.entries(product).toReversed()) as typeof product)
    assert.equal(await digestOf(reordered), first)
    assert.notEqual(await digestOf(sampleShelves().slice(1)), first)
    assert.notEqual(await digestOf(sampleShelves().map((product) => ({ ...product, stock: 99 }))), first)
    await digestOf(sampleShelves().map((product) => ({ ...product, stock: 99 })))
    const stocks = sampleShelves().map(({ id, stock }) => ({ id, stock }))
    assert.equal((await store.changeOffers(stocks, { source: 'stock' })).digest, first)
    assert.notEqual((await store.changeOffers([], { source: 'faq', faq: sampleFaq() })).factsDigest, first)
  })

  test(`${name}: an outline has the offer, and a digest that changes only with the facts`, async (context) => {
    const store = await make(context)
    await store.replaceAll(sampleShelves(), 'test')
    const before = await store.outlines('', 2)
    assert.deepEqual(
      before.map(({ id, offer }) => [id, offer]),
      [
        ['kimetsu-no-yaiba', { pricePerVolumeYen: 484, stock: 12 }],
        ['one-piece', { pricePerVolumeYen: 484, stock: 12 }],
      ],
    )
    await store.replaceAll([sampleProduct({ stock: 1 }), sampleProduct({ id: 'one-piece', volumes: 1 })], 'test')
    const after = await store.outlines('', 2)
    assert.deepEqual(
      after.map(({ facts }, index) => facts === before[index]?.facts),
      [true, false],
    )
    assert.deepEqual(await store.outlines('one-piece', 2), [])
  })
}
