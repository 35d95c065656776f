// When the built-in responder is certain of its answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireLookUp } from '#wiring/profiles/look-up.ts'
import { introducing, informing, sampleReading, suggesting } from '@mangaassist/bookseller/fixtures/dialogue'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { faqFor, needsNoModel, readinessOf } from '@mangaassist/bookseller/dialogue/readiness'

test('a question about something else is not answered with the contact page', async () => {
  const lookUp = await wireLookUp()
  for (const [message, language] of [
    ['a question about robots', 'en'],
    ['one more question about dragons', 'en'],
    ['stories about a human and a robot', 'en'],
    ['who is the strongest person?', 'en'],
    ['ロボットについての質問', 'ja'],
  ] as const) {
    const { intent } = await lookUp.find({ message, language, history: [], limit: 5 }, new AbortController().signal)
    assert.notEqual(intent.kind, 'faq', message)
  }
})

test('a question that depends on the conversation, or names nothing that was found, is not certain', () => {
  assert.equal(readinessOf(introducing()), 'sure')
  assert.equal(readinessOf(introducing({ products: [] })), 'none')
  assert.equal(readinessOf(UNGROUNDED), 'none')
  assert.equal(readinessOf(suggesting()), 'likely')
  assert.equal(readinessOf(suggesting({ isUnsure: true })), 'none')
})

test('the price or stock of a named series needs no model, also where the reader is less than certain; a guess or another fact does', () => {
  const named = informing(['stock'])
  const unsure = { ...named, reading: { ...named.reading, sureness: 0.5 } }
  assert.deepEqual([readinessOf(unsure), needsNoModel(unsure)], ['likely', true])
  assert.equal(needsNoModel(informing(['author'], { reading: unsure.reading })), false)
  const guessed = unsure.reading.series.map((one) => ({ ...one, guessed: true as const }))
  assert.equal(needsNoModel({ ...unsure, reading: { ...unsure.reading, series: guessed } }), false)
  assert.equal(needsNoModel(suggesting()), false)
})

test('an entry of the FAQ that was read with certainty counts as sure, whatever the words match', async () => {
  const lookUp = await wireLookUp()
  const asked = { message: 'いつ届く？', language: 'ja', history: [], limit: 5 } as const
  const grounding = await lookUp.find(asked, new AbortController().signal)
  const read = faqFor(grounding, undefined)
  assert.deepEqual([read?.entry.id, read?.sure], ['shipping-time', true])
  const uncertain = { ...grounding, reading: sampleReading({ ...grounding.reading, sureness: 0.5 }) }
  assert.equal(faqFor(uncertain, undefined), undefined)
})
