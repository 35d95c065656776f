// The stand-in refuses what OpenSearch refuses, with its status and type, and scores as it does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineState } from './engine-state.ts'
import { EngineRefusal } from './refusal.ts'
import type { Json } from './refusal.ts'
import { answerSearch } from './search-request.ts'

const PLUGINS = ['analysis-kuromoji', 'opensearch-knn', 'opensearch-neural-search']
const PIPELINE = { phase_results_processors: [{ 'normalization-processor': {} }] }

function state(plugins = PLUGINS): EngineState {
  const made = new EngineState({ plugins, isServerless: false })
  made.putTemplate('t', {
    index_patterns: ['shop-*'],
    template: {
      settings: { index: { knn: true } },
      mappings: {
        dynamic: 'strict',
        properties: {
          id: { type: 'keyword' },
          text: { type: 'text', analyzer: 'whitespace' },
          volumes: { type: 'integer' },
          direction: { type: 'knn_vector', dimension: 2, method: { name: 'hnsw', engine: 'faiss', space_type: 'l2' } },
        },
      },
    },
  })
  made.createIndex('shop-1', {})
  const index = made.index('shop-1')
  index.write('a', { id: 'a', text: 'sea pirate', volumes: 3, direction: [1, 0] })
  index.write('b', { id: 'b', text: 'sea sea town', volumes: 9, direction: [0, 1] })
  index.refresh()
  return made
}

const search = (body: Json, plugins = PLUGINS) => {
  const { index, name } = state(plugins).resolve('shop-1')
  return answerSearch(body, { index, name, plugins, pipeline: PIPELINE, withNamedScores: true }).hits.hits
}

const REFUSED: readonly (readonly [what: string, body: Json, type: string])[] = [
  ['an unknown clause', { query: { fuzzy_match: {} } }, 'parsing_exception'],
  ['an unknown key', { querry: {} }, 'parsing_exception'],
  ['an unknown parameter', { query: { match: { text: { query: 'sea', weight: 2 } } } }, 'parsing_exception'],
  ['two clauses in one', { query: { match_all: {}, exists: { field: 'id' } } }, 'parsing_exception'],
  ['terms that are no list', { query: { terms: { id: 'a' } } }, 'parsing_exception'],
  [
    'a vector of another length',
    { query: { knn: { direction: { vector: [1], k: 5 } } } },
    'illegal_argument_exception',
  ],
  ['neighbours without k', { query: { knn: { direction: { vector: [1, 0] } } } }, 'illegal_argument_exception'],
  ['a hybrid query inside another', { query: { bool: { must: [{ hybrid: {} }] } } }, 'illegal_argument_exception'],
  ['a bound that is a text', { query: { range: { volumes: { lte: 'x' } } } }, 'illegal_argument_exception'],
  ['too many results', { size: 20_000 }, 'illegal_argument_exception'],
  [
    'six clauses',
    { query: { hybrid: { queries: Array.from({ length: 6 }, () => ({ match_all: {} })) } } },
    'parsing_exception',
  ],
]
for (const [what, body, type] of REFUSED) {
  test(`${what} is refused with ${type}`, () => {
    assert.throws(
      () => search(body),
      (error) => error instanceof EngineRefusal && error.status === 400 && error.type === type,
    )
  })
}

test('a rare word scores higher than a common one, and a named clause returns its score', () => {
  const hits = search({
    query: { bool: { should: [{ match: { text: { query: 'sea pirate', _name: 'words' } } }] } },
    docvalue_fields: ['id'],
    _source: false,
  })
  assert.deepEqual(
    hits.map(({ _id }) => _id),
    ['a', 'b'],
  )
  assert.deepEqual(hits[0]?.fields, { id: ['a'] })
  assert.deepEqual(Object.keys(hits[0]?.matched_queries ?? {}), ['words'])
})

test('a hybrid query brings each clause to one scale, and filters apply to each', () => {
  const queries = [
    { match: { text: { query: 'sea' } } },
    { knn: { direction: { vector: [1, 0], k: 2, filter: { range: { volumes: { lte: 5 } } } } } },
  ]
  const hits = search({ query: { hybrid: { queries } } })
  assert.deepEqual(
    hits.map(({ _id, _score }) => [_id, _score]),
    [
      ['a', 0.5005],
      ['b', 0.5],
    ],
  )
})

test('kuromoji, vectors and hybrid queries need their plugins', () => {
  assert.throws(
    () => search({ query: { hybrid: { queries: [{ match_all: {} }] } } }, ['opensearch-knn']),
    /unknown query \[hybrid\]/,
  )
  const without = new EngineState({ plugins: [], isServerless: false })
  const analysis = { tokenizer: {}, analyzer: { ja: { type: 'custom', tokenizer: 'kuromoji_tokenizer' } } }
  const template = { settings: { index: { analysis } } }
  assert.throws(() => without.putTemplate('t', { index_patterns: ['x'], template }), /Unknown tokenizer type/)
})

test('a field that the mapping does not have is refused for that document', () => {
  const index = state().index('shop-1')
  assert.throws(() => index.write('c', { id: 'c', colour: 'red' }), /strict/)
  assert.throws(() => index.write('c', { id: 'c', direction: [1, 2, 3] }), /dimension mismatch/)
})
