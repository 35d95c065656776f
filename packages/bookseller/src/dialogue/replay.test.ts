// The state that stored turns replay to: what holds, what is talked about, what "yes" means. All of it is bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleAspect, sampleReading } from '../../test/fixtures/dialogue.ts'
import { ACTS } from '../understanding/reading.ts'
import type { Reading } from '../understanding/reading.ts'
import { hear, replay } from './replay.ts'
import type { PastTurn, Read } from './understood.ts'
import { CONDITIONS_MAX, LIST_MAX, SEEN_MAX } from './state.ts'

const turn = (over: Partial<PastTurn> = {}): PastTurn => ({
  question: '',
  answer: 'はい。',
  language: 'ja',
  productIds: [],
  ...over,
})

/** A conversation whose messages mean these readings, in order. */
function conversation(...steps: readonly (Partial<Reading> & { readonly shown?: readonly string[] })[]) {
  const readings = new Map(steps.map((step, index) => [`m${index}`, sampleReading(step)]))
  const read: Read = (message) => readings.get(message) ?? sampleReading({ act: 'unclear' })
  const turns = steps.map(({ shown = [] }, index) => turn({ question: `m${index}`, productIds: shown }))
  return replay(turns, read)
}

const horror = sampleAspect()
const cooking = sampleAspect({ text: '料理', genres: ['cooking'] })
const soccer = sampleAspect({ text: 'サッカー', genres: ['sports'] })

test('dislikes, age and limits hold until the end', () => {
  const { conditions } = conversation(
    { act: 'tell', avoid: [horror], limits: { age: 10 } },
    { act: 'recommend', want: [cooking], limits: { totalYenMax: 5000 } },
    { act: 'fact', facts: ['status'] },
    { act: 'recommend', changes: ['others'] },
  )
  assert.deepEqual(conditions.avoid, [horror])
  assert.deepEqual(conditions.want, [cooking])
  assert.deepEqual(conditions.limits, { age: 10, totalYenMax: 5000 })
})

test('a dislike that is taken back no longer holds, and a new number replaces the old one', () => {
  const taken = conversation(
    { avoid: [horror], limits: { totalYenMax: 3000, volumesMax: 10 } },
    {
      act: 'tell',
      allow: [sampleAspect({ text: '怖くてもいい', content: ['frightening'] })],
      limits: { totalYenMax: 8000 },
    },
  )
  assert.deepEqual([taken.conditions.avoid, taken.conditions.limits], [[], { totalYenMax: 8000, volumesMax: 10 }])
  const free = conversation(
    { limits: { totalYenMax: 3000, volumesMax: 10, age: 8 } },
    { changes: ['relax'], allow: [sampleAspect({ text: 'the budget', genres: [] })] },
  )
  assert.deepEqual(free.conditions.limits, { volumesMax: 10, age: 8 })
})

test('a wish for another genre replaces the one before, a mood refines it', () => {
  assert.deepEqual(conversation({ want: [cooking] }, { want: [soccer] }).conditions.want, [soccer])
  const funny = sampleAspect({ text: '笑える', genres: [], moods: ['funny'] })
  assert.deepEqual(conversation({ want: [cooking] }, { want: [funny] }).conditions.want, [cooking, funny])
  assert.deepEqual(conversation({ want: [cooking] }, { act: 'tell', want: [soccer] }).conditions.want, [
    cooking,
    soccer,
  ])
})

test('what is unwanted inside a wish is known by its words alone', () => {
  const contests = sampleAspect({ text: '料理対決', genres: ['cooking'] })
  const { conditions } = conversation({ act: 'recommend', want: [cooking], avoid: [contests] })
  assert.deepEqual(conditions.want, [cooking])
  assert.deepEqual(
    conditions.avoid.map(({ text, genres }) => [text, genres]),
    [['料理対決', []]],
  )
  const schoolLove = sampleAspect({ text: 'high-school romance', genres: ['school', 'romance'], content: [] })
  const love = sampleAspect({ text: 'love', genres: ['romance'], content: [] })
  const later = conversation({ act: 'recommend', want: [love] }, { act: 'tell', avoid: [schoolLove] })
  assert.deepEqual([later.conditions.want, later.conditions.avoid.map(({ genres }) => genres)], [[love], [['school']]])
})

test('a bound that contradicts the old one replaces it', () => {
  const { limits } = conversation({ limits: { volumesMax: 5 } }, { limits: { volumesMin: 20 } }).conditions
  assert.deepEqual(limits, { volumesMin: 20 })
})

test('a complaint states no wish', () => {
  const { conditions } = conversation({ act: 'complaint', avoid: [sampleAspect({ text: '待つ' })], limits: { age: 3 } })
  assert.deepEqual([conditions.avoid, conditions.limits], [[], {}])
})

test('a list stays the list while one of it is talked about, and a new list is not talked about yet', () => {
  const list = { shown: ['a', 'b', 'c'] }
  const one = conversation(list, { act: 'fact', referents: ['2'], shown: ['b'] })
  assert.deepEqual([one.list, one.focus], [['a', 'b', 'c'], ['b']])
  const next = conversation(list, { act: 'fact', referents: ['2'], shown: ['b'] }, { shown: ['d', 'e'] })
  assert.deepEqual([next.list, next.focus, next.seen], [['d', 'e'], [], ['d', 'e', 'b', 'a', 'c']])
})

test('"cheaper" compares with what was shown, and holds while others are asked for', () => {
  const cheaper = conversation({ shown: ['a', 'b'] }, { measures: ['cheaper'], shown: ['c'] }, { changes: ['others'] })
  assert.deepEqual(cheaper.compared, { measures: ['cheaper'], than: ['a', 'b'] })
  assert.equal(conversation({ shown: ['a'] }, { measures: ['cheaper'] }, { want: [soccer] }).compared, undefined)
  // Beside a number it is the number.
  const under = conversation({ shown: ['a'] }, { measures: ['cheaper'], limits: { totalYenMax: 3000 } })
  assert.equal(under.compared, undefined)
})

test('something similar is similar to what is talked about, else to what was shown', () => {
  const read: Read = (message) =>
    message === 'about a'
      ? sampleReading({ act: 'title', series: [{ role: 'title', text: 'a', id: 'a' }] })
      : sampleReading()
  const about = turn({ question: 'about a', productIds: ['a'] })
  const likes = (question: string, shown = about) => replay([shown, turn({ question })], read).conditions.like
  for (const question of ['似たのある？', 'something similar, please', 'more like that'])
    assert.deepEqual(likes(question), ['a'])
  assert.deepEqual(likes('something sad'), [])
  assert.deepEqual(likes('similar ones?', turn({ question: 'sports', productIds: ['b', 'c'] })), ['b', 'c'])
})

test('yes is the first follow-up that was offered, and a yes that says more is read for what it says', () => {
  const read: Read = (message) =>
    message === 'yes'
      ? sampleReading({ act: 'yes' })
      : message === 'similar'
        ? sampleReading({ series: [{ role: 'like', text: 'x', id: 'x' }] })
        : sampleReading({ act: 'yes', limits: { volumesMax: 5 } })
  const offering = replay([turn({ question: 'q', suggestions: [{ label: 'l', message: 'similar' }] })], read)
  const accepted = hear(offering, { message: 'yes', language: 'ja' }, read)
  assert.deepEqual([accepted.words, accepted.state.conditions.like], ['similar', ['x']])
  assert.equal(hear(offering, { message: 'yes, but short', language: 'en' }, read).words, 'yes, but short')
})

test('the page that is opened is what is talked about, until something else is', () => {
  const read: Read = () => sampleReading({ act: 'fact' })
  const opened = hear(replay([], read), { message: 'q', language: 'en', page: { productId: 'berserk' } }, read)
  assert.deepEqual([opened.state.focus, opened.state.page], [['berserk'], 'berserk'])
  const other = replay([turn({ productIds: ['x'], page: { productId: 'berserk' } })], read)
  assert.deepEqual(hear(other, { message: 'q', language: 'en', page: { productId: 'berserk' } }, read).state.focus, [
    'x',
  ])
})

test('whatever is said for however long, the state is bounded', () => {
  const aspect = fc.record({
    text: fc.string({ maxLength: 5 }),
    genres: fc.constant([]),
    moods: fc.constant([]),
    content: fc.constant([]),
  })
  const id = fc.integer({ max: 500, min: 0 }).map(String)
  const step = fc.record({
    act: fc.constantFrom(...ACTS),
    want: fc.array(aspect, { maxLength: 5 }),
    avoid: fc.array(aspect, { maxLength: 5 }),
    notBy: fc.array(fc.string(), { maxLength: 5 }),
    series: fc.array(fc.record({ role: fc.constantFrom('title', 'like', 'read', 'hate'), text: fc.string(), id }), {
      maxLength: 6,
    }),
    shown: fc.array(id, { maxLength: 30 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { conditions, list, seen, read, hated, focus, said } = conversation(...(steps as Partial<Reading>[]))
      for (const part of [conditions.want, conditions.avoid, conditions.notBy]) assert.ok(part.length <= CONDITIONS_MAX)
      assert.ok(list.length <= LIST_MAX && seen.length <= SEEN_MAX && focus.length <= LIST_MAX)
      assert.ok(read.length <= 60 && hated.length <= 60 && said.length <= 16)
    }),
    { numRuns: 50 },
  )
})
