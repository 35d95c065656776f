// What is shown with an answer, by the source of its text and within the limits of the protocol.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sources, Suggestions } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { isoTime } from '#lib/time/iso-time.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { sampleFaq, sampleShelves } from '#fixtures/turns/samples.ts'
import { presented, shownWith } from './shown-with.ts'

const [first, second] = sampleShelves()
const [entry] = sampleFaq()
assert.ok(first !== undefined && second !== undefined && entry !== undefined)
const offer = { label: '全巻の値段', message: '全巻でいくらですか？' }
const found = {
  ...UNGROUNDED,
  intent: { kind: 'introduce', ids: [first.id], isGuessed: false },
  products: [first, second],
} as const
const answered = {
  grounding: { ...found, faq: [entry] },
  tier: 'embedded',
  finishReason: 'stop',
  products: [first],
  readAt: NOON,
} as const

test('the sources are the products that the answer shows and the FAQ entries, with the time of reading', () => {
  assert.deepEqual(shownWith(answered), {
    suggestions: compose(answered.grounding, 'ja').suggestions,
    sources: [
      { kind: 'product', id: first.id, at: isoTime(NOON) },
      { kind: 'faq', id: entry.id, at: isoTime(NOON) },
    ],
  })
})

test('an answer that broke off offers nothing, because its offer was not read', () => {
  assert.deepEqual(Object.keys(shownWith({ ...answered, finishReason: 'interrupted' })), ['sources'])
})

test('a fixed text has no sources in the grounding, and empty lists are absent', () => {
  for (const tier of ['message', 'faq'] as const) assert.deepEqual(shownWith({ ...answered, tier }), {})
  const nothing = { ...UNGROUNDED, intent: { kind: 'talk', topic: 'abuse' } } as const
  assert.equal('sources' in shownWith({ ...answered, grounding: nothing, products: [] }), false)
})

test('whatever is offered stays within the limits of the protocol', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ kind: 'product' as const, id: `p${index}`, at: '' }))
  const long = { label: 'あ'.repeat(61), message: 'x' }
  const offers = [
    long,
    { label: '', message: 'x' },
    { label: 'x', message: 'あ'.repeat(301) },
    offer,
    offer,
    offer,
    offer,
  ]
  const { suggestions, sources } = presented({ suggestions: offers, sources: many })
  assert.deepEqual(suggestions, [offer, offer, offer])
  assert.equal(sources?.length, 20)
  assert.ok(Value.Check(Suggestions, suggestions) && Value.Check(Sources, sources))
})
