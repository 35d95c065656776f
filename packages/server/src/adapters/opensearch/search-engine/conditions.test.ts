// The conditions of a wish mean the same in OpenSearch as in the ranking, over the whole bundled catalogue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCatalogue } from '#wiring/bundled-data.ts'
import { EngineState } from '@mangaassist/simulation/search-engine/engine-state'
import { evaluate } from '@mangaassist/simulation/search-engine/query-rules'
import { isAvoided, passes } from '@mangaassist/bookseller/retrieval/filters'
import { prepareQuestion } from '@mangaassist/bookseller/retrieval/question'
import { keysOf } from '@mangaassist/bookseller/retrieval/shelf-entry'
import { NO_WISH } from '@mangaassist/bookseller/retrieval/wish'
import type { Wish } from '@mangaassist/bookseller/retrieval/wish'
import { bundledVectors } from '#fixtures/shop/word-vectors.ts'
import { conditionsOf } from './conditions.ts'
import { engineNames, indexTemplate, PLUGINS_NEEDED } from './template.ts'

const { products } = await readCatalogue()
const names = engineNames('shop')
const state = new EngineState({ plugins: PLUGINS_NEEDED, isServerless: false })
state.putTemplate('t', indexTemplate(names, { dimensions: 96, isServerless: false }))
state.createIndex(names.indexOf('all'), {})
const index = state.index(names.indexOf('all'))
for (const product of products) {
  const { age, firstYear, id, volumes } = product
  const known = { ...(age === undefined ? {} : { age }), ...(firstYear === undefined ? {} : { first_year: firstYear }) }
  index.write(id, { id, volumes, keys: keysOf(product), ...known })
}
index.refresh()

const filters = (given: Wish['filters']): Wish => ({ ...NO_WISH, filters: given })
const WISHES: readonly Wish[] = [
  filters({ status: 'completed' }),
  filters({ status: 'running' }),
  filters({ volumesMin: 5, volumesMax: 20 }),
  filters({ yearFrom: 1990 }),
  filters({ yearTo: 1980 }),
  filters({ readerAge: 10 }),
  filters({ forChildren: true }),
  filters({ forChildren: true, volumesMax: 10 }),
  filters({ demographic: 'seinen', notMagazines: ['モーニング'] }),
  filters({ notDemographics: ['shounen', 'seinen'] }),
  filters({ author: '手塚治虫' }),
  filters({ magazines: ['週刊少年ジャンプ', '花とゆめ'] }),
  filters({ publishers: ['講談社'], notPublishers: ['小学館'] }),
  { ...NO_WISH, avoid: ['horror', 'dark', 'gore'] },
  { ...NO_WISH, avoid: ['romance'], avoidAuthors: ['手塚治虫'], filters: { volumesMax: 30 } },
]
for (const wish of WISHES) {
  test(`OpenSearch and the ranking agree on ${JSON.stringify(wish)}`, () => {
    const conditions = conditionsOf(prepareQuestion({ text: '', limit: 5, wish }, bundledVectors()))
    const found = evaluate(conditions ?? { match_all: {} }, { index, named: new Map(), plugins: PLUGINS_NEEDED })
    const fitting = products.filter((product) => passes(product, wish.filters) && !isAvoided(product, wish))
    assert.deepEqual(
      Array.from(found.keys(), (document) => index.documents[document]!.id).toSorted(),
      fitting.map(({ id }) => id).toSorted(),
    )
    assert.ok(found.size < products.length)
  })
}
