// Corrections and questions that leave out what they ask.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../../test/fixtures/dialogue.ts'
import type { Reading, Role } from '../../understanding/reading.ts'
import { intend } from '../intend.ts'
import { hear } from '../replay.ts'
import { NO_STATE } from '../state.ts'
import type { DialogueState } from '../state.ts'
import { withoutDeniedFacts } from './corrections.ts'

const TALKING: DialogueState = {
  ...NO_STATE,
  list: ['a', 'b', 'c'],
  shown: [{ ids: ['a', 'b', 'c'], words: '' }],
  seen: ['a', 'b', 'c'],
  focus: ['b'],
  talked: ['b', 'a'],
  asked: ['volumes'],
  previous: 'one',
  turns: 2,
}

const meant = (message: string, reading: Partial<Reading>, before = TALKING) =>
  intend(hear(before, { message, language: 'en' }, () => sampleReading(reading)))

/** A span of these words. */
const span = (message: string, text: string, role: Role) => ({
  role,
  text,
  from: message.indexOf(text),
  to: message.indexOf(text) + text.length,
})

test('a correction is answered for what it names instead', () => {
  const message = '違う違う、それじゃなくてBerserkのことを聞きたかったんだ。どういう話?'
  const named = meant(message, {
    act: 'complaint',
    grievances: ['answer'],
    series: [{ role: 'title', text: 'Berserk', id: 'berserk' }],
    spans: [span(message, 'それ', 'ref:it'), span(message, 'Berserk', 'title')],
    referents: ['it'],
  })
  assert.deepEqual(named, { kind: 'inform', ids: ['berserk'], facts: ['synopsis'], isCorrected: true })
})

test('a correction without a question repeats the question before', () => {
  const message = 'no, I meant the other one'
  const other = { referents: ['other'], spans: [span(message, 'the other one', 'ref:other')] } as const
  for (const act of ['complaint', 'choose', 'no'] as const)
    assert.deepEqual(meant(message, { act, ...other }), {
      kind: 'inform',
      ids: ['a'],
      facts: ['volumes'],
      isCorrected: true,
    })
})

test('what is asked instead of another fact is answered', () => {
  const price = meant('I asked about the price, not the story', { act: 'complaint', grievances: ['answer'] })
  assert.deepEqual(price, { kind: 'inform', ids: ['b'], facts: ['price'], isCorrected: true })
  const bare = meant('いや、そうじゃなくて値段', { act: 'no' })
  assert.deepEqual(bare, { kind: 'inform', ids: ['b'], facts: ['price'], isCorrected: true })
  assert.equal(withoutDeniedFacts('あらすじじゃなくて値段を聞いたんです'), '値段を聞いたんです')
})

test('a complaint that names nothing stays one, and so does a choice', () => {
  const bad = meant('that is not what I asked for at all', { act: 'complaint', grievances: ['answer'] })
  assert.deepEqual(bad, { kind: 'complaint', grievance: 'answer' })
  const message = 'not the first one, the third'
  const chosen = meant(message, { act: 'choose' })
  assert.deepEqual(chosen, { kind: 'choose', ids: ['c'] })
})

test('another series is asked about what the last answer stated', () => {
  const message = 'and the third?'
  const asked = meant(message, { act: 'title', referents: ['3'], spans: [span(message, 'the third', 'ref:3')] })
  assert.deepEqual(asked, { kind: 'inform', ids: ['c'], facts: ['volumes'] })
  const only = meant('蟲師だけなら?', {
    act: 'title',
    series: [{ role: 'title', text: '蟲師', id: 'm' }],
    spans: [{ role: 'title', text: '蟲師', from: 0, to: 2 }],
  })
  assert.deepEqual(only, { kind: 'inform', ids: ['m'], facts: ['volumes'] })
  const words = 'tell me about the third'
  const introduced = meant(words, { act: 'title', referents: ['3'], spans: [span(words, 'the third', 'ref:3')] })
  assert.equal(introduced.kind, 'introduce')
})
