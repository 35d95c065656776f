// For each rule there is a reading for which it is the first match, so that no rule can become unreachable behind
// another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KIND_RULES, kindOf } from './kind.ts'
import type { Reading } from './kind.ts'
import { utteranceOf } from './utterance.ts'

type Read = Partial<Omit<Reading, 'utterance'>>

const perLanguage = { ja: [], en: [] }
const entry = { id: 'returns', topic: '', questions: perLanguage, keywords: perLanguage, answer: { ja: '', en: '' } }
const probableFaq = { entry, sure: false }
const sureFaq = { ...probableFaq, sure: true }
const one = { mentioned: ['akira'] }
const two = { mentioned: ['akira', 'monster'] }
const all = { reference: { kind: 'all' } } as const
const it = { reference: { kind: 'it' } } as const

const EXAMPLES: readonly (readonly [why: string, message: string, read?: Read])[] = [
  ['abuse, distress or an attempt to override the rules', 'hello', { tone: 'abuse' }],
  ['who or what the assistant is', 'who are you'],
  ['short thanks and nothing else', 'thank you'],
  ['a short greeting and nothing else', 'hello'],
  ['shop service for a named series', 'can I return', { ...one, faq: sureFaq }],
  ['more like several named series', 'I loved and', two],
  ['several named series', 'compare and', two],
  ['something similar to one named series', 'something like', one],
  ['the price or the stock of one named series', 'how much is', one],
  ['a fact about one named series', 'is finished', one],
  ['one named series that the shopper likes', 'I loved', one],
  ['a volume of one named series', 'vol 3', one],
  ['a wish beside one named series', 'sad', { ...one, wishes: true }],
  ['one named series without a question', '', one],
  ['the price of everything that was shown', 'together', { ...all, fact: 'total' }],
  ['a fact about what was shown', 'finished', { ...it, fact: 'status' }],
  ['a series that we do not have', 'and Zorblax', { hasUnknownName: true }],
  ['the shortest, longest, cheapest or dearest of the shop', 'shortest', { most: 'shorter' }],
  ['the shortest, longest, cheapest or dearest of what was shown', 'shortest', { ...all, most: 'shorter' }],
  ['shorter, longer, cheaper or dearer ones', 'shorter', { than: 'shorter' }],
  ['something similar to what was shown, which is not named', 'anything similar', { ...all, wishes: true }],
  ['the price or the stock of what was shown, which is not named', 'how much?', all],
  ['the price or the stock of what was shown', 'what does it cost', it],
  ['surely about shop service', 'can I send it back', { faq: sureFaq }],
  ['probably about shop service, without a wish', 'parcels', { faq: probableFaq }],
  ['several of those shown', 'these', all],
  ['more like one of those shown', 'I loved that one', it],
  ['one of those shown', 'that one', it],
  ['whether a series that we do not have is in stock', 'do you have Zorblax', { wishes: true, onlyStock: true }],
  ['a wish', 'sad', { wishes: true }],
  ['something that is not about manga', 'the weather'],
  ['others than those shown', 'others'],
  ['something by a name that we do not have', 'do you sell Zorblax'],
  ['a recommendation without a wish', 'recommend'],
  ['no other rule matches', 'zorblax'],
]

function readingOf(message: string, read: Read = {}): Reading {
  return {
    utterance: utteranceOf(message),
    mentioned: [],
    wishes: false,
    onlyStock: false,
    reference: undefined,
    than: undefined,
    most: undefined,
    faq: undefined,
    fact: undefined,
    hasUnknownName: false,
    tone: undefined,
    ...read,
  }
}

for (const [why, message, read] of EXAMPLES) {
  test(`"${message}" is decided by: ${why}`, () => {
    const reading = readingOf(message, read)
    const rule = KIND_RULES.find(({ when }) => when(reading))
    assert.equal(rule?.why, why)
    assert.equal(kindOf(reading), rule?.kind)
  })
}

test('every rule has an example and a unique `why`', () => {
  assert.deepEqual(
    EXAMPLES.map(([why]) => why),
    KIND_RULES.map(({ why }) => why),
  )
  assert.equal(new Set(KIND_RULES.map(({ why }) => why)).size, KIND_RULES.length)
})
