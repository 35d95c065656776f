// What the shelves hold for a search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPorts } from '../../test/fixtures/ports.ts'
import { sampleShelves } from '../../test/fixtures/samples.ts'
import { createProductQuery } from './products.ts'

const never = new AbortController().signal

test('a search finds cards, best first, in the language it was asked in', async () => {
  const find = createProductQuery(await testPorts())
  const [first] = await find('鬼滅の刃', 5, never)
  assert.deepEqual([first?.id, first?.author], ['kimetsu-no-yaiba', '吾峠呼世晴'])
  assert.equal((await find('Demon Slayer', 5, never))[0]?.author, 'Koyoharu Gotouge')
})

test('without words it shows the shelves from their beginning', async () => {
  const find = createProductQuery(await testPorts())
  assert.deepEqual(
    (await find('  ', 2, never)).map(({ id }) => id),
    ['kimetsu-no-yaiba', 'one-piece'],
  )
})

test('what the FAQ knows is not a product, and takes no product’s place', async () => {
  const find = createProductQuery(await testPorts())
  assert.deepEqual(await find('返品できますか', 5, never), [])
  assert.equal((await find('return a book about pirates', 1, never))[0]?.id, 'one-piece')
})

test('price and stock are those of this moment', async () => {
  const ports = await testPorts()
  const find = createProductQuery(ports)
  await ports.products.replaceAll(sampleShelves().map((product) => ({ ...product, stock: 0, pricePerVolumeYen: 999 })))
  const [card] = await find('One Piece', 1, never)
  assert.deepEqual([card?.stock, card?.pricePerVolumeYen], [0, 999])
})
