// The contract of a search engine. `make` returns two nodes of one engine without an edition.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { productDocument } from '@mangaassist/bookseller/catalogue/search-document'
import { prepareQuestion } from '@mangaassist/bookseller/retrieval/question'
import type { ShelfQuestion } from '@mangaassist/bookseller/retrieval/question'
import { shelfEntry } from '@mangaassist/bookseller/retrieval/shelf-entry'
import { NO_WISH } from '@mangaassist/bookseller/retrieval/wish'
import type { Filters } from '@mangaassist/bookseller/retrieval/wish'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { sampleProduct, sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import type { CandidateQuery, EngineDocument, EngineEdition, SearchEngine } from './port.ts'

export interface TwoNodes {
  readonly engine: SearchEngine
  readonly other: SearchEngine
}

export function engineDocument(product: Product): EngineDocument {
  const { words: _, ...entry } = shelfEntry(product, bundledVectors())
  return { ...productDocument(product), ...entry }
}

export function editionOf(
  name: string,
  products: readonly Product[],
  over: Partial<EngineEdition> = {},
): EngineEdition {
  async function* documents() {
    for (const product of products) yield engineDocument(product)
  }
  return { name, size: products.length, documents, isNew: false, ...over }
}

export function candidateQuery(asked: Partial<ShelfQuestion>, over: Partial<CandidateQuery> = {}): CandidateQuery {
  const question = prepareQuestion({ text: '', limit: 5, ...asked }, bundledVectors())
  return { question, directions: [], countMax: 50, ...over }
}

export function searchEngineContract(name: string, make: (context: TestContext) => Promise<TwoNodes>): void {
  const idsOf = async (engine: SearchEngine, asked: Partial<ShelfQuestion>, over: Partial<CandidateQuery> = {}) =>
    (await engine.candidates(candidateQuery(asked, over), NEVER)).candidates.map(({ id }) => id)

  test(`${name}: without an edition there is no answer`, async (context) => {
    const { engine } = await make(context)
    await assert.rejects(engine.candidates(candidateQuery({ text: '海賊' }), NEVER), StoreUnavailable)
  })

  test(`${name}: an edition is written once, and then searched by all nodes`, async (context) => {
    const { engine, other } = await make(context)
    assert.equal(await engine.index(editionOf('one', sampleShelves()), NEVER), 'indexed')
    assert.equal(await engine.index(editionOf('one', sampleShelves()), NEVER), 'current')
    assert.equal(await other.index(editionOf('one', sampleShelves()), NEVER), 'current')
    const found = await other.candidates(candidateQuery({ text: '海賊' }), NEVER)
    assert.equal(found.edition, 'one')
    assert.equal(found.candidates[0]?.id, 'one-piece')
    assert.ok(found.candidates[0].text > 0)
  })

  test(`${name}: a direction finds what no word does, with no score of the text`, async (context) => {
    const { engine } = await make(context)
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    const { vector } = engineDocument(sampleShelves()[1]!)
    const { candidates } = await engine.candidates(candidateQuery({ text: 'xyzzy' }, { directions: [vector] }), NEVER)
    assert.deepEqual(candidates[0], { id: 'one-piece', text: 0 })
  })

  test(`${name}: conditions and exclusions are kept, and an explanation gets what they exclude`, async (context) => {
    const { engine } = await make(context)
    const products = [
      sampleProduct({ id: 'long', volumes: 40, status: 'running', age: 15, firstYear: 1997 }),
      sampleProduct({ id: 'short', volumes: 3, status: 'completed', age: 6, moods: [], content: [], firstYear: 2020 }),
      sampleProduct({ id: 'unknown', volumes: 12, status: 'hiatus', moods: ['dark'], genres: ['horror'] }),
    ]
    await engine.index(editionOf('one', products), NEVER)
    const found = async (filters: Filters, over: Partial<ShelfQuestion> = {}) =>
      (await idsOf(engine, { wish: { ...NO_WISH, filters }, ...over })).toSorted()
    assert.deepEqual(await found({ volumesMax: 20 }), ['short', 'unknown'])
    assert.deepEqual(await found({ status: 'running' }), ['long', 'unknown'])
    assert.deepEqual(await found({ readerAge: 10 }), ['short'])
    assert.deepEqual(await found({ forChildren: true }), ['short'])
    assert.deepEqual(await found({ yearFrom: 2000, yearTo: 2018 }), ['unknown'])
    assert.deepEqual(await found({ author: '吾峠呼世晴', notDemographics: ['seinen'] }), ['long', 'short', 'unknown'])
    assert.deepEqual(await found({ volumesMin: 1 }, { exclude: ['long'] }), ['short', 'unknown'])
    const dark = { ...NO_WISH, avoid: ['dark'], filters: { volumesMin: 1 } }
    assert.deepEqual(await idsOf(engine, { wish: dark }), ['short'])
    const excluded = { text: '鬼滅の刃', wish: { ...NO_WISH, filters: { volumesMax: 5 } } }
    assert.deepEqual(await idsOf(engine, excluded), ['short'])
    assert.deepEqual((await idsOf(engine, excluded, { withExcluded: true })).toSorted(), ['long', 'short', 'unknown'])
  })

  test(`${name}: wanted attributes find products, and prices and stock are not its conditions`, async (context) => {
    const { engine } = await make(context)
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    const want = [{ text: '', genres: ['comedy'], moods: [] }]
    assert.equal((await idsOf(engine, { wish: { ...NO_WISH, want } }))[0], 'yotsuba-to')
    assert.equal((await idsOf(engine, { wish: { ...NO_WISH, filters: { priceYenMax: 1, inStock: true } } })).length, 3)
  })

  test(`${name}: a new edition takes the place of the one before, which does not come back by itself`, async (context) => {
    const { engine, other } = await make(context)
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    const next = [sampleProduct({ id: 'new', title: { ja: '新作漫画', en: 'Brand New', romaji: 'Shinsaku' } })]
    assert.equal(await engine.index(editionOf('two', next), NEVER), 'indexed')
    const found = await other.candidates(candidateQuery({ text: '新作漫画' }), NEVER)
    assert.deepEqual([found.edition, found.candidates[0]?.id], ['two', 'new'])
    assert.deepEqual(await idsOf(other, { text: 'ONE PIECE' }), [])
    assert.equal(await other.index(editionOf('one', sampleShelves()), NEVER), 'superseded')
    assert.deepEqual(await idsOf(other, { text: '新作漫画' }), ['new'])
  })

  test(`${name}: an edition that is not whole is refused, and the one before stays`, async (context) => {
    const { engine } = await make(context)
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    await assert.rejects(engine.index(editionOf('two', sampleShelves(), { size: 4 }), NEVER), StoreUnavailable)
    assert.equal((await engine.candidates(candidateQuery({ text: '海賊' }), NEVER)).edition, 'one')
    assert.equal(await engine.index(editionOf('two', sampleShelves()), NEVER), 'indexed')
  })

  test(`${name}: an aborted search rejects with the reason`, async (context) => {
    const { engine } = await make(context)
    await engine.index(editionOf('one', sampleShelves()), NEVER)
    const reason = new Error('enough')
    await assert.rejects(engine.candidates(candidateQuery({ text: '海賊' }), AbortSignal.abort(reason)), reason)
  })
}
