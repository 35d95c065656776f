// Which answer a message needs, after what was shown before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleReading } from '../../test/fixtures/dialogue.ts'
import type { Reading } from '../understanding/reading.ts'
import { advance } from './advance.ts'
import { intend } from './intend.ts'
import type { Intent } from './intent.ts'
import { NO_STATE } from './state.ts'
import type { DialogueState } from './state.ts'

const LISTED: DialogueState = {
  ...NO_STATE,
  list: ['a', 'b', 'c'],
  seen: ['a', 'b', 'c'],
  previous: 'list',
  turns: 1,
}
const TALKING: DialogueState = { ...LISTED, focus: ['b'] }

function intent(over: Partial<Reading>, before: DialogueState = NO_STATE, words = ''): Intent {
  const reading = sampleReading(over)
  return intend({ reading, words, before, state: advance(before, reading, words) })
}
const named = (id: string, role: 'title' | 'like' = 'title') => ({ role, text: id, id })

test('facts are stated of the one that is pointed at, named or talked about', () => {
  const facts = ['status'] as const
  assert.deepEqual(intent({ act: 'fact', facts, referents: ['2'] }, LISTED), { kind: 'inform', ids: ['b'], facts })
  assert.deepEqual(intent({ act: 'fact', facts, referents: ['it'] }, TALKING), { kind: 'inform', ids: ['b'], facts })
  assert.deepEqual(intent({ act: 'fact', facts }, TALKING), { kind: 'inform', ids: ['b'], facts })
  assert.deepEqual(intent({ act: 'fact', facts, series: [named('z')] }, TALKING), { kind: 'inform', ids: ['z'], facts })
  const page = { ...NO_STATE, page: 'p', focus: ['p'] }
  assert.deepEqual(intent({ act: 'fact', facts, referents: ['page'] }, page), { kind: 'inform', ids: ['p'], facts })
  assert.equal(intent({ act: 'fact', facts }).kind, 'ask')
})

test('the price of one volume, and of several series together', () => {
  const volume = intent({ act: 'fact', facts: ['stock'], volume: 5 }, TALKING)
  assert.deepEqual(volume, { kind: 'inform', ids: ['b'], facts: ['stock'], volume: 5 })
  const both = { ...LISTED, focus: ['a', 'c'] }
  assert.deepEqual(intent({ act: 'fact', facts: ['total'] }, both), { kind: 'sum', ids: ['a', 'c'] })
  const all = intent({ act: 'fact', facts: ['price'] }, TALKING, 'how much are all of them together?')
  assert.deepEqual(all, { kind: 'sum', ids: ['a', 'b', 'c'] })
})

test('a fact that the model did not name is found by its exact words', () => {
  const asked = intent({ act: 'fact' }, TALKING, 'それは何巻まで出てる？')
  assert.deepEqual(asked, { kind: 'inform', ids: ['b'], facts: ['volumes'] })
})

test('another one than the one that is talked about', () => {
  assert.deepEqual(intent({ act: 'choose', referents: ['other'] }, { ...TALKING, list: ['a', 'b'] }), {
    kind: 'choose',
    ids: ['a'],
  })
})

test('suggestions keep the conditions, and show nothing twice unless the wish is new', () => {
  const cooking = sampleAspect({ text: '料理', genres: ['cooking'] })
  const others = intent({ changes: ['others'] }, { ...LISTED, conditions: { ...NO_STATE.conditions, want: [cooking] } })
  assert.ok(others.kind === 'suggest')
  assert.deepEqual(
    [others.occasion, others.quest.exclude, others.quest.conditions.want, others.quest.text],
    ['others', ['a', 'b', 'c'], [cooking], '料理'],
  )
  const fresh = intent({ want: [cooking] }, LISTED)
  assert.ok(fresh.kind === 'suggest')
  assert.deepEqual(fresh.quest.exclude, [])
})

test('dislikes are never searched for', () => {
  const words = '怖いのはだめ、料理の漫画'
  const avoid = sampleAspect({ text: '怖い' })
  const spans = [
    { role: 'avoid', text: '怖い', from: 0, to: 2 },
    { role: 'want', text: '料理', from: 7, to: 9 },
  ] as const
  const wish = intent({ want: [sampleAspect({ text: '料理' })], avoid: [avoid], spans }, NO_STATE, words)
  assert.ok(wish.kind === 'suggest')
  assert.ok(!wish.quest.text.includes('怖い') && wish.quest.text.includes('料理'))
})

test('the best of those shown is chosen among them', () => {
  assert.deepEqual(intent({ measures: ['shorter'], referents: ['all'] }, LISTED), {
    kind: 'compare',
    ids: ['a', 'b', 'c'],
    measures: ['shorter'],
  })
  const finished = intent({ limits: { status: 'completed' }, referents: ['all'] }, LISTED)
  assert.ok(finished.kind === 'suggest')
  assert.deepEqual([finished.occasion, finished.quest.among], ['among', ['a', 'b', 'c']])
})

test('writer and artist are apart, and who made it is a fact', () => {
  const artist = intent({ act: 'author', series: [named('death-note')] }, NO_STATE, 'デスノートの作画の人のほかの作品')
  assert.ok(artist.kind === 'works')
  assert.deepEqual([artist.part, artist.of], ['artist', 'death-note'])
  const same = intent({ act: 'author' }, TALKING, 'another one by the same author')
  assert.ok(same.kind === 'works')
  assert.deepEqual([same.part, same.of], ['any', 'b'])
  assert.deepEqual(intent({ act: 'author', series: [named('x')] }, NO_STATE, 'xの作者は？'), {
    kind: 'inform',
    ids: ['x'],
    facts: ['author'],
  })
})

test('a name that the shop does not have is said to be missing', () => {
  const missing = intent({ act: 'title', series: [{ role: 'title', text: 'Chiikawa' }] })
  assert.ok(missing.kind === 'unstocked' && missing.name === 'Chiikawa')
  const like = intent({ series: [{ role: 'like', text: 'Chiikawa' }] })
  assert.equal(like.kind, 'unstocked')
})

test('service has its own answers, with the order number that was given before', () => {
  const before = { ...NO_STATE, orderId: '123' }
  assert.deepEqual(intent({ act: 'person' }, before), { kind: 'person', orderId: '123' })
  assert.deepEqual(intent({ act: 'complaint', grievances: ['late'] }, before), {
    kind: 'complaint',
    grievance: 'late',
    orderId: '123',
  })
  assert.deepEqual(intent({ act: 'order' }, NO_STATE, '注文をキャンセルしたい'), { kind: 'order', topic: 'cancel' })
  assert.deepEqual(intent({ act: 'complaint' }, LISTED, 'that is nonsense'), { kind: 'complaint', grievance: 'answer' })
})

test('a question to the shop that names a series is answered by the FAQ, and one about its stock or its facts is not', () => {
  const faq = { id: 'shipping-fee', isSure: true, isAsked: false }
  const asked = { act: 'title', otherwise: 'faq', series: [named('z')] } as const
  assert.deepEqual(intent({ ...asked, faq }, NO_STATE, 'Zの送料は？'), { kind: 'faq', id: 'shipping-fee' })
  assert.equal(intent({ ...asked, faq: { ...faq, isSure: false } }, NO_STATE, 'Zの送料は？').kind, 'introduce')
  for (const act of ['fact', 'faq'] as const)
    assert.equal(intent({ ...asked, act, faq }, NO_STATE, 'Zの在庫は？').kind, 'inform')
  const priced = { ...asked, act: 'fact', facts: ['volumes', 'price'], faq } as const
  assert.equal(intent(priced, NO_STATE, 'Zは？何冊でいくら').kind, 'inform')
})

test('a fact of what is talked about, and a measure of what was shown, are not asked of the FAQ', () => {
  const faq = { id: 'shipping-fee', isSure: true, isAsked: false }
  const price = { act: 'fact', facts: ['price'], faq } as const
  assert.equal(intent(price, TALKING, 'いくら？').kind, 'inform')
  assert.equal(intent(price, NO_STATE, 'いくら？').kind, 'faq')
  assert.equal(intent({ measures: ['cheaper'], faq }, LISTED, 'cheaper?').kind, 'suggest')
})

test('a no asks what to change, and with standing wishes shows others', () => {
  assert.deepEqual(intent({ act: 'no' }), { kind: 'talk', topic: 'declined' })
  const wished = { ...LISTED, conditions: { ...NO_STATE.conditions, want: [sampleAspect()] } }
  const others = intent({ act: 'no' }, wished)
  assert.ok(others.kind === 'suggest' && others.occasion === 'declined')
  assert.deepEqual(others.quest.exclude, ['a', 'b', 'c'])
})

test('a taste that leaves something to go by is answered with suggestions, else with one question', () => {
  assert.equal(intent({ act: 'tell', want: [sampleAspect()] }).kind, 'suggest')
  assert.deepEqual(intent({ act: 'tell', limits: { age: 10 } }), { kind: 'talk', topic: 'noted' })
  assert.deepEqual(intent({ act: 'tell' }), { kind: 'ask', what: 'taste' })
})

test('words that were not understood are searched, sounds and signs are asked about', () => {
  const story = intent({ act: 'unclear', sureness: 0.2 }, NO_STATE, '石になった世界で科学を復活させる')
  assert.ok(story.kind === 'identify' && story.quest.text === '石になった世界で科学を復活させる')
  assert.deepEqual(intent({ act: 'unclear' }, NO_STATE, '?!'), { kind: 'talk', topic: 'unclear' })
})

test('distress comes before everything else', () => {
  assert.deepEqual(intent({ act: 'recommend', isDistressed: true }), { kind: 'talk', topic: 'distress' })
})

test('what the recognised entry is about decides the service answer, whatever service act was judged', () => {
  const about = (id: string) => ({ id, isSure: true, isAsked: true })
  assert.deepEqual(intent({ act: 'order', faq: about('late-delivery') }), { kind: 'complaint', grievance: 'late' })
  assert.deepEqual(intent({ act: 'person', faq: about('support-hours') }), { kind: 'faq', id: 'support-hours' })
  assert.deepEqual(intent({ act: 'complaint', faq: about('order-cancel') }), { kind: 'order', topic: 'cancel' })
  assert.deepEqual(intent({ act: 'complaint', grievances: ['answer'], faq: about('returns') }), {
    kind: 'complaint',
    grievance: 'answer',
  })
  assert.deepEqual(intent({ act: 'complaint', faq: about('returns') }), {
    kind: 'complaint',
    grievance: 'other',
    about: 'returns',
  })
})

test('a shopper who says sorry is forgiven; a question after a sorry is answered', () => {
  const state = { ...NO_STATE, turns: 2 }
  assert.deepEqual(intent({ act: 'complaint' }, state, 'ごめん言い過ぎた'), { kind: 'talk', topic: 'forgiven' })
  assert.deepEqual(intent({ act: 'recommend' }, state, 'sorry, that was rude of me'), {
    kind: 'talk',
    topic: 'forgiven',
  })
  const faq = { id: 'shipping-fee', isSure: true, isAsked: true }
  assert.equal(intent({ act: 'faq', faq }, state, "I'm sorry, how much is shipping?").kind, 'faq')
})

test('a series that is only described by its name is introduced, and a greeting beside a wish is a wish', () => {
  const series = [{ role: 'title' as const, text: '桜木花道', id: 'slam-dunk' }]
  const named = intent({ act: 'recommend', otherwise: 'find', series }, NO_STATE, '桜木花道が出てくるやつ')
  assert.deepEqual(named, { kind: 'introduce', ids: ['slam-dunk'], isGuessed: false })
  assert.equal(intent({ act: 'greet', want: [sampleAspect()] }, NO_STATE, '洋菓子・スイーツ').kind, 'suggest')
})
