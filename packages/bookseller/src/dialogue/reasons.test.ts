// The reason for a suggestion answers the wish, and no kind of sentence is said again and again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import { NO_CONDITIONS } from './conditions.ts'
import { reasonFor } from './reasons.ts'

const product = sampleProduct({
  protagonist: { ja: '少年', en: 'a boy' },
  themes: { ja: ['旅'], en: ['travel'] },
  setting: { ja: '雪山', en: 'a snowy mountain' },
})
const context = { conditions: NO_CONDITIONS, liked: [], language: 'en', said: [] } as const

test('what the search found to answer the wish is the reason', () => {
  const matched = { [product.id]: { field: 'setting', language: 'en', text: 'a snowy mountain' } } as const
  assert.deepEqual(reasonFor(product, { ...context, matched }), { kind: 'setting', text: 'a snowy mountain' })
  const other = { [product.id]: { field: 'setting', language: 'ja', text: '雪山' } } as const
  assert.equal(reasonFor(product, { ...context, matched: other })?.kind, 'protagonist')
})

test('a kind of sentence that was said twice gives way to another', () => {
  const said = ['It follows a cook.', 'It follows a girl.']
  assert.equal(reasonFor(product, { ...context, said })?.kind, 'themes')
})
