// The catalogue for a storefront: pages, filters, searches, one series.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductDetail, ProductItem } from '@mangaassist/protocol'
import Value from 'typebox/value'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { SearchQuery } from '#ports/search/port.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { bareProduct, sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { createProductQueries } from './products.ts'
import type { ProductsPage, ProductsQuery } from './products.ts'

const never = new AbortController().signal
const all = { text: '', language: 'ja', limit: 10, after: '', filters: {} } as const satisfies ProductsQuery
const idsOf = ({ items }: ProductsPage) => items.map(({ id }) => id)

/** More than one batch of products; every third is finished, every second sold out. */
function manyProducts(count: number): readonly Product[] {
  return Array.from({ length: count }, (_, index) =>
    sampleProduct({
      id: `series-${String(index).padStart(4, '0')}`,
      status: (['completed', 'running', 'hiatus'] as const)[index % 3] ?? 'running',
      stock: index % 2,
      demographic: index < 5 ? 'josei' : 'seinen',
      genres: index % 100 === 7 ? ['mecha'] : ['drama'],
    }),
  )
}

const nothingMeant = async () => ({ products: [], liked: [] })

async function setUp(shelves: readonly Product[] = sampleShelves()) {
  const ports = await testPorts()
  await ports.products.replaceAll(shelves, 'test')
  return { ports, queries: createProductQueries({ ...ports, timeZone: 'Asia/Tokyo', lookUp: nothingMeant }) }
}

test('words that are understood find the grounding of a turn, liked series first', async () => {
  const { ports } = await setUp()
  const [kimetsu, onePiece] = sampleShelves()
  assert.ok(kimetsu !== undefined && onePiece !== undefined)
  const queries = createProductQueries({
    ...ports,
    timeZone: 'Asia/Tokyo',
    lookUp: async () => ({ products: [onePiece], liked: [kimetsu] }),
  })
  const query = { text: '鬼滅みたいなの', language: 'ja', limit: 5, after: '', filters: {} } as const
  const { items } = await queries.page(query, new AbortController().signal)
  assert.deepEqual(
    items.map(({ id }) => id),
    ['kimetsu-no-yaiba', 'one-piece'],
  )
})

test('without words the catalogue is paged by id, each series once, and the last page has no next', async () => {
  const { queries } = await setUp(manyProducts(250))
  const seen: string[] = []
  let after = ''
  for (let pages = 1; ; pages += 1) {
    const page = await queries.page({ ...all, limit: 50, after }, never)
    seen.push(...idsOf(page))
    if (page.next === undefined) {
      assert.equal(pages, 5)
      break
    }
    assert.equal(page.next, seen.at(-1))
    after = page.next
  }
  assert.deepEqual(
    seen,
    manyProducts(250).map(({ id }) => id),
  )
})

test('several filters apply together, even if matching series are far apart', async () => {
  const { queries } = await setUp(manyProducts(450))
  const mecha = await queries.page({ ...all, limit: 4, filters: { genre: 'mecha' } }, never)
  assert.deepEqual(idsOf(mecha), ['series-0007', 'series-0107', 'series-0207', 'series-0307'])
  const rest = await queries.page({ ...all, after: mecha.next ?? '', filters: { genre: 'mecha' } }, never)
  assert.deepEqual([idsOf(rest), rest.next], [['series-0407'], undefined])
  const strict = { demographic: 'josei', status: 'running', inStock: true } as const
  assert.deepEqual(idsOf(await queries.page({ ...all, filters: strict }, never)), ['series-0001'])
  const resting = await queries.page({ ...all, filters: { ...strict, status: 'hiatus', inStock: false } }, never)
  assert.deepEqual(idsOf(resting), ['series-0002'])
})

test('a search gives the best match first, with the author in the requested language', async () => {
  const { queries } = await setUp()
  const [first] = (await queries.page({ ...all, text: '鬼滅の刃' }, never)).items
  assert.deepEqual([first?.id, first?.author], ['kimetsu-no-yaiba', '吾峠呼世晴'])
  const { items } = await queries.page({ ...all, text: 'Demon Slayer', language: 'en' }, never)
  assert.equal(items[0]?.author, 'Koyoharu Gotouge')
  for (const item of items) assert.deepEqual([...Value.Errors(ProductItem, item)], [])
})

test('a search is paged by the last id too, in the order of its results', async () => {
  const { ports } = await setUp(manyProducts(250))
  const hits = manyProducts(250).map(({ id }, index) => ({ id, score: index, matched: 1 }))
  const search = { find: async () => hits.toReversed() }
  const queries = createProductQueries({ ...ports, timeZone: 'Asia/Tokyo', search, lookUp: nothingMeant })
  const first = await queries.page({ ...all, text: 'x', limit: 2, filters: { status: 'completed' } }, never)
  assert.deepEqual(idsOf(first), ['series-0249', 'series-0246'])
  const second = await queries.page({ ...all, text: 'x', limit: 200, after: first.next ?? '' }, never)
  assert.deepEqual([second.items[0]?.id, second.items.length, second.next], ['series-0245', 200, 'series-0046'])
  assert.equal((await queries.page({ ...all, text: 'x', limit: 200, after: 'series-0046' }, never)).next, undefined)
})

test('filters are passed to the search, and apply strictly even where it only prefers', async () => {
  const { ports } = await setUp()
  const asked: SearchQuery[] = []
  const search = withVerbs(ports.search, {
    find: async (query) => {
      asked.push(query)
      return sampleShelves().map(({ id }) => ({ id, score: 1, matched: 1 }))
    },
  })
  const queries = createProductQueries({ ...ports, timeZone: 'Asia/Tokyo', search, lookUp: nothingMeant })
  const filters = { genre: 'comedy', demographic: 'shounen', inStock: true } as const
  assert.deepEqual(idsOf(await queries.page({ ...all, text: 'days', filters }, never)), ['yotsuba-to'])
  assert.deepEqual(idsOf(await queries.page({ ...all, text: 'days', filters: { status: 'hiatus' } }, never)), [])
  await queries.page({ ...all, text: 'days' }, never)
  assert.deepEqual(
    asked.map(({ wish }) => wish),
    [
      {
        want: [{ text: '', genres: ['comedy'], moods: [] }],
        avoid: [],
        filters: { demographic: 'shounen', inStock: true },
      },
      { want: [], avoid: [], filters: { status: 'running' } },
      undefined,
    ],
  )
})

test('price and stock are current', async () => {
  const { ports, queries } = await setUp()
  const changed = sampleShelves().map((product) => ({ ...product, stock: 0, pricePerVolumeYen: 999 }))
  await ports.products.replaceAll(changed, 'test')
  const [card] = (await queries.page({ ...all, text: 'One Piece', limit: 1 }, never)).items
  assert.deepEqual([card?.stock, card?.pricePerVolumeYen], [0, 999])
  assert.deepEqual(idsOf(await queries.page({ ...all, text: 'One Piece', filters: { inStock: true } }, never)), [])
})

test('a series has all its details in one language, with similar series', async () => {
  const { queries } = await setUp()
  const detail = await queries.detail('kimetsu-no-yaiba', 'en', never)
  assert.deepEqual([...Value.Errors(ProductDetail, detail)], [])
  assert.deepEqual(
    [detail.romaji, detail.magazine, detail.author, detail.firstYear],
    ['Kimetsu no Yaiba', 'Weekly Shonen Jump', 'Koyoharu Gotouge', 2016],
  )
  assert.deepEqual(detail.labels, {
    genres: ['action', 'fantasy'],
    moods: ['dark', 'thrilling'],
    demographic: 'shonen',
  })
  assert.match(detail.synopsis ?? '', /swordsman/)
  const similar = detail.similar.map(({ id }) => id)
  assert.equal(similar[0], 'one-piece')
  assert.equal(similar.includes('kimetsu-no-yaiba'), false)
  const inJapanese = await queries.detail('kimetsu-no-yaiba', 'ja', never)
  assert.deepEqual(inJapanese.labels.genres, ['アクション', 'ファンタジー'])
  assert.equal(inJapanese.similar[0]?.author, '尾田栄一郎')
})

test('the details of a series leave out what the shop does not know', async () => {
  const { queries } = await setUp([bareProduct()])
  const detail = await queries.detail('kimetsu-no-yaiba', 'en', never)
  assert.deepEqual([...Value.Errors(ProductDetail, detail)], [])
  for (const unknown of ['author', 'magazine', 'firstYear', 'synopsis', 'status', 'demographic'])
    assert.equal(unknown in detail, false, unknown)
})

test('a series that is not in the catalogue is NOT_FOUND', async () => {
  const { queries } = await setUp()
  await assert.rejects(queries.detail('nothing', 'ja', never), { code: 'NOT_FOUND' })
})
