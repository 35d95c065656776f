// Recognising the FAQ entry by trained weights: those that were made beforehand, or those learnt from the given entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFaq } from '../../test/fixtures/samples.ts'
import { readWordVectors, writeWordVectors } from '../retrieval/word-vectors.ts'
import { trainFaq } from './faq-training.ts'
import { decodeFaqWeights, encodeFaqWeights, faqScores, FaqWeightsError } from './faq-weights.ts'
import { knowsAll } from './recognised-faq.ts'
import { faqIndex } from './faq-index.ts'

/** Postage is near shipping, and remorse near returning. */
const vectors = readWordVectors(
  writeWordVectors(2, [
    { word: 'shipping', weight: 1, vector: [1, 0] },
    { word: 'postage', weight: 1, vector: [0.99, 0.1] },
    { word: '送料', weight: 1, vector: [1, 0] },
    { word: 'return', weight: 1, vector: [0, 1] },
    { word: 'remorse', weight: 1, vector: [0.1, 0.99] },
    { word: '返品', weight: 1, vector: [0, 1] },
  ]),
)

const scored = (weights = trainFaq(sampleFaq(), vectors)) => {
  const scoresOf = faqScores(weights, vectors)
  return (message: string) => {
    const scores = scoresOf(message)
    return weights.subjects[scores.indexOf(Math.max(...scores))]?.id
  }
}

test('a message is assigned by its words, and by the meaning of words that no question has', () => {
  const best = scored()
  assert.equal(best('so what is shipping then'), 'shipping')
  assert.equal(best('postage'), 'shipping')
  assert.equal(best('remorse'), 'returns')
  assert.equal(best('返品したい'), 'returns')
})

test('weights are the same after they were stored', () => {
  const weights = trainFaq(sampleFaq(), vectors)
  const stored = decodeFaqWeights(encodeFaqWeights(weights))
  const [before, after] = [weights, stored].map((each) => faqScores(each, vectors)('I want to return this'))
  assert.deepEqual(after, before)
  assert.equal(scored(stored)('postage'), 'shipping')
})

test('stored weights are for entries with the headings they were made from, and for some of them', () => {
  const [shipping, returns] = sampleFaq()
  assert.ok(shipping !== undefined && returns !== undefined)
  const weights = trainFaq(sampleFaq(), vectors)
  assert.ok(knowsAll(weights, [{ ...returns, answer: { ja: '別の答え', en: 'another answer' } }]))
  assert.ok(!knowsAll(weights, [{ ...shipping, questions: returns.questions }]))
  assert.ok(!knowsAll(weights, [shipping, { ...returns, id: 'complaints' }]))
})

test('one of the entry’s own questions inside a message is certain; of unrelated words none is meant', () => {
  const { match } = faqIndex(sampleFaq(), { vectors })
  assert.equal(match('Hello! Can I return a book?', 'en')?.probability, 1)
  assert.equal(match('a robot that dreams', 'en'), undefined)
})

test('a file that has no weights is refused', () => {
  assert.throws(() => decodeFaqWeights(new Uint8Array(64)), FaqWeightsError)
})
