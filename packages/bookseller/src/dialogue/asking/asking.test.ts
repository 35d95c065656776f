// Questions about series that were taken for wishes, and messages of several sentences.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleReading } from '../../../test/fixtures/dialogue.ts'
import type { Act, Reading } from '../../understanding/reading.ts'
import { intend } from '../intend.ts'
import type { Intent } from '../intent.ts'
import { hear } from '../replay.ts'
import { NO_STATE } from '../state.ts'
import type { DialogueState } from '../state.ts'

const LISTED: DialogueState = {
  ...NO_STATE,
  list: ['a', 'b', 'c'],
  shown: [{ ids: ['a', 'b', 'c'], words: '' }],
  seen: ['a', 'b', 'c'],
  previous: 'list',
}
const TALKING: DialogueState = { ...LISTED, focus: ['b'], talked: ['b', 'a'] }

/** The intent of a message whose whole, or whose sentences, are read so. */
function meant(message: string, readings: Readonly<Record<string, Partial<Reading>>>, before = TALKING): Intent {
  const read = (words: string) => sampleReading(readings[words] ?? readings['*'] ?? {})
  return intend(hear(before, { message, language: 'en' }, read))
}
const wish = (act: Act = 'recommend'): Partial<Reading> => ({ act, sureness: 0.7 })
const named = (id: string, role: 'title' | 'like' | 'read' = 'like') => ({
  series: [{ role, text: 'Berserk', id }],
  spans: [{ role, text: 'Berserk', from: 3, to: 10 }],
})

test('whether a series is or has something is asked of it, and is no wish', () => {
  const violent = sampleAspect({ text: 'violent', genres: [], content: ['violence-mild', 'violence-strong'] })
  const asked = meant("isn't that one kinda violent?", { '*': { ...wish(), want: [violent] } })
  assert.deepEqual(asked, { kind: 'fit', ids: ['b'], aspects: [violent] })
  const romance = sampleAspect({ text: '恋愛', genres: ['romance'] })
  const japanese = meant('恋愛は苦手ですが、これは大丈夫ですか', {
    '*': { ...wish(), avoid: [romance], referents: ['it'] },
  })
  assert.deepEqual(japanese, { kind: 'fit', ids: ['b'], aspects: [romance] })
  const bare = meant('グロいですか', { '*': { act: 'fact', facts: ['content'] } })
  assert.equal(bare.kind, 'fit')
  const dummy = meant('is it possible to get something violent?', { '*': { ...wish(), want: [violent] } })
  assert.equal(dummy.kind, 'suggest')
})

test('a fact that is asked of a named series is no wish for something like it', () => {
  const asked = meant('Is Berserk even still going?', { '*': { ...wish(), ...named('berserk') } })
  assert.deepEqual(asked, { kind: 'inform', ids: ['berserk'], facts: ['status'], supposed: ['running'] })
  const like = meant('Is there a finished one like Berserk?', { '*': { ...wish(), ...named('berserk') } })
  assert.equal(like.kind, 'suggest')
})

test('a question at the end is answered, and a policy beside a choice is stated', () => {
  const fact = meant('That could do. Is it finished?', {
    '*': wish('tell'),
    'Is it finished?': { act: 'fact', facts: ['status'] },
  })
  assert.deepEqual(fact, { kind: 'inform', ids: ['b'], facts: ['status'], supposed: ['finished'] })
  const faq = { id: 'gift-wrapping', isSure: true, isAsked: true }
  const both = meant('I take it. Can you wrap it?', {
    '*': { act: 'faq', faq },
    'I take it.': { act: 'buy', referents: ['it'] },
    'Can you wrap it?': { act: 'faq', faq },
  })
  assert.deepEqual(both, { kind: 'buy', ids: ['b'], also: 'gift-wrapping' })
})

test('what is chosen by a measure is one of those that were compared', () => {
  const chosen = meant('the cheaper one then', { '*': { act: 'choose' } }, LISTED)
  assert.deepEqual(chosen, { kind: 'choose', ids: ['a', 'b', 'c'], by: 'cheaper' })
})

test('an earlier sum gets a part, or another series', () => {
  const summed = { ...TALKING, sum: { ids: ['b'] } }
  const part = meant('and only volumes 1 to 6?', { '*': wish('buy') }, summed)
  assert.deepEqual(part, { kind: 'sum', ids: ['b'], amounts: { b: { from: 1, to: 6 } } })
  const only = meant('No! I only want volumes 1-3.', { '*': wish('recommend') }, summed)
  assert.deepEqual(only, { kind: 'sum', ids: ['b'], amounts: { b: { from: 1, to: 3 } } })
  const more = meant('And Berserk as well?', { '*': { act: 'faq', ...named('berserk', 'title') } }, summed)
  assert.deepEqual(more, { kind: 'sum', ids: ['b', 'berserk'] })
})

test('a sum has what the question names, and the one before where an amount has none', () => {
  const message = 'Not X, B. Only volume 1, plus all of Berserk, how much in total?'
  const both = [
    { role: 'hate', text: 'X', id: 'x' },
    { role: 'title', text: 'B', id: 'b' },
    ...named('berserk', 'title').series,
  ] as const
  const spans = ['X', 'B', 'Berserk'].map((text, at) => ({
    role: at === 0 ? ('hate' as const) : ('title' as const),
    text,
    from: message.indexOf(text),
    to: message.indexOf(text) + text.length,
  }))
  const sum = meant(message, {
    [message]: { act: 'fact', facts: ['total'], series: both, spans },
    '*': { act: 'fact', facts: ['total'], ...named('berserk', 'title') },
  })
  assert.deepEqual(sum, { kind: 'sum', ids: ['b', 'berserk'], amounts: { b: { from: 1, to: 1 } } })
})

test('the fee for series that are named is stated with their sum', () => {
  const faq = { id: 'shipping-fee', isSure: true, isAsked: true }
  const total = meant('Volumes 1 and 2, total with shipping?', { '*': { act: 'faq', faq } })
  assert.deepEqual(total, { kind: 'sum', ids: ['b'], amounts: { b: { from: 1, to: 2 } }, also: 'shipping-fee' })
  const both = meant('両方買ったら送料かかる？', { '*': { act: 'faq', faq } })
  assert.deepEqual(both, { kind: 'sum', ids: ['b', 'a'], also: 'shipping-fee' })
  assert.deepEqual(meant('how much is shipping?', { '*': { act: 'faq', faq } }), { kind: 'faq', id: 'shipping-fee' })
  const counted = meant('how many volumes for 6000 yen could I get?', {
    '*': { act: 'recommend', limits: { totalYenMax: 6000 } },
  })
  assert.deepEqual(counted, { kind: 'sum', ids: ['b'], affording: { budget: 6000 } })
})

test('only its name is given when only its name is asked for', () => {
  const name = meant('what was it called again?', { '*': { act: 'why', referents: ['it'] } })
  assert.deepEqual(name, { kind: 'explain', ids: ['b'], isName: true })
})

test('other works of the maker of what is talked about keep what else is wished for', () => {
  const space = sampleAspect({ text: 'space', genres: ['sci-fi'] })
  const works = meant("Didn't the same guy do one in space?", { '*': { ...wish(), want: [space] } })
  assert.ok(works.kind === 'works')
  assert.deepEqual([works.of, works.quest.conditions.want], ['b', [space]])
  const shorter = meant('同じ作者でもう少し短いのってあります？', { '*': { ...wish(), measures: ['shorter'] } })
  assert.ok(shorter.kind === 'works')
  assert.deepEqual(shorter.quest.compared, { measures: ['shorter'], than: ['b'] })
})

test('whether two series have one maker is asked of both', () => {
  const asked = meant('is that by the same person as Berserk?', {
    '*': { act: 'author', ...named('berserk', 'title') },
  })
  assert.deepEqual(asked, { kind: 'inform', ids: ['b', 'berserk'], facts: ['author'], supposed: ['same-maker'] })
  const others = meant('anything else by the same person?', { '*': { act: 'author' } })
  assert.equal(others.kind, 'works')
})

test('a choice beside thanks is a choice', () => {
  const taken = meant("I'll take Berserk, thank you so much!", { '*': { act: 'thanks', ...named('berserk', 'title') } })
  assert.deepEqual(taken, { kind: 'choose', ids: ['berserk'] })
  const thanks = meant('thanks for showing me Berserk', { '*': { act: 'thanks', ...named('berserk', 'title') } })
  assert.deepEqual(thanks, { kind: 'talk', topic: 'thanks' })
})

test('a reader is asked about for what is talked about, and wished for otherwise', () => {
  const child = { act: 'tell', limits: { age: 6 }, audience: '息子' } as const
  const asked = meant('6歳の息子と一緒に読めますかね', { '*': child })
  assert.deepEqual(asked, { kind: 'inform', ids: ['b'], facts: ['age'], supposed: ['suitable'], age: 6 })
  const wished = meant('6歳の息子が読めるものありますか', { '*': { ...child, act: 'recommend' } })
  assert.notEqual(wished.kind, 'inform')
})

test('facts come in the order of the words, of the series that the question names', () => {
  const facts = meant('is it finished? and how much is the whole set?', { '*': { act: 'fact', facts: ['total'] } })
  assert.ok(facts.kind === 'inform')
  assert.deepEqual(facts.facts, ['status', 'total'])
  const both = meant('the shortest of them, and what does the complete set cost?', {
    '*': { act: 'compare', measures: ['shorter'], referents: ['all'] },
  })
  assert.deepEqual(both, { kind: 'compare', ids: ['a', 'b', 'c'], measures: ['shorter'], facts: ['total'] })
})

test('a comparison has the series that its question names, and asks for a choice', () => {
  const message = 'Why B again? Which is cheaper to start with, A or Berserk?'
  const series = ['B', 'A', 'Berserk'].map((text) => ({ role: 'title' as const, text, id: text.toLowerCase() }))
  const spans = [
    { role: 'title' as const, text: 'B', from: 4, to: 5 },
    { role: 'title' as const, text: 'A', from: message.indexOf('A or'), to: message.indexOf('A or') + 1 },
    { role: 'title' as const, text: 'Berserk', from: message.indexOf('Berserk'), to: message.indexOf('Berserk') + 7 },
  ]
  const cheaper = meant(message, { '*': { act: 'compare', measures: ['cheaper'], series, spans } })
  assert.deepEqual(cheaper, { kind: 'compare', ids: ['a', 'berserk'], measures: ['cheaper'], isStart: true })
  const which = meant('どっちがいい？', { '*': { act: 'compare' } }, LISTED)
  assert.ok(which.kind === 'compare')
  assert.deepEqual(which.measures, ['better'])
  const other = meant('AとBの違いは？どっちも長い？', { '*': { act: 'compare', series: series.slice(0, 2) } })
  assert.ok(other.kind === 'compare')
  assert.ok(!other.measures.includes('better'))
})

test('one of several that are talked about is meant by a measure', () => {
  const of = meant('is the short one finished?', { '*': { act: 'fact', facts: ['status'] } }, LISTED)
  assert.deepEqual(of, {
    kind: 'inform',
    ids: ['a', 'b', 'c'],
    facts: ['status'],
    by: 'shorter',
    supposed: ['finished'],
  })
  const wished = meant('その短い方、対象年齢は?', { '*': { act: 'recommend', measures: ['shorter'] } }, LISTED)
  assert.deepEqual(wished, { kind: 'inform', ids: ['a', 'b', 'c'], facts: ['age'], by: 'shorter' })
})

test('a series to resemble is not introduced when suggestions are as likely', () => {
  const like = { ...named('berserk'), act: 'title', otherwise: 'recommend' } as const
  assert.equal(meant('what have you got like Berserk?', { '*': like }).kind, 'suggest')
})
