// What a shopper who is not content says: a refused series is not asked about and not suggested again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleReading } from '../../../test/fixtures/dialogue.ts'
import type { NamedSeries, Reading, Span } from '../../understanding/reading.ts'
import { NO_CONDITIONS } from '../conditions.ts'
import { intend } from '../intend.ts'
import { hear } from '../replay.ts'
import { NO_STATE } from '../state.ts'
import type { DialogueState } from '../state.ts'

const shown: DialogueState = {
  ...NO_STATE,
  list: ['a', 'b', 'c'],
  seen: ['a', 'b', 'c'],
  shown: [{ ids: ['a', 'b', 'c'], words: '' }],
  previous: 'list',
  turns: 1,
}
const cats = sampleAspect({ text: 'cats', genres: ['animals'], content: [] })

const titled = (text: string, id: string, role: NamedSeries['role'] = 'title'): NamedSeries => ({ role, text, id })
const spanIn = (message: string, text: string, role: Span['role']): Span => {
  const from = message.indexOf(text)
  return { role, text, from, to: from + text.length }
}

/** A message whose whole, and whose sentences, are read so. */
function said(message: string, whole: Partial<Reading>, parts: Readonly<Record<string, Partial<Reading>>> = {}) {
  const read = (words: string) => sampleReading(words === message ? whole : (parts[words] ?? { act: 'unclear' }))
  const understood = hear(shown, { message, language: 'en' }, read)
  return { ...understood, intent: intend(understood) }
}

test('a refused series is refused for good, and the wish beside it is what is asked', () => {
  const messages = ['Not Kimba, something with cats', 'Kimba isn’t for me, cats please', 'キンバは要りません。猫のは？']
  for (const message of messages) {
    const name = message.includes('Kimba') ? 'Kimba' : 'キンバ'
    const { state, intent } = said(message, {
      act: 'fact',
      want: [cats],
      series: [titled(name, 'a')],
      spans: [spanIn(message, name, 'title')],
    })
    assert.deepEqual(state.hated, ['a'], message)
    assert.equal(intent.kind, 'suggest', message)
  }
})

test('a place can be refused, and "the other two" are the others', () => {
  const message = 'Skip the first one. Which of the other two is shorter?'
  const { state, intent } = said(message, {
    act: 'compare',
    measures: ['shorter'],
    referents: ['1', 'both'],
    spans: [spanIn(message, 'the first one', 'ref:1'), spanIn(message, 'the other two', 'ref:both')],
  })
  assert.deepEqual(state.hated, ['a'])
  assert.deepEqual(intent.kind === 'compare' && intent.ids, ['b', 'c'])
})

test('that something is known by name is no refusal', () => {
  const message = '凪のお暇って聞いたことあるかも。何巻ですか？'
  const { state } = said(message, { act: 'fact', facts: ['volumes'], series: [titled('凪のお暇', 'n')] })
  assert.deepEqual(state.hated, [])
})

test('a question at the end is about what it names itself', () => {
  const message = 'None of those has a dog in it. Do you have Chi?'
  const spans = [spanIn(message, 'those', 'ref:all'), spanIn(message, 'Chi', 'title')]
  const { intent } = said(
    message,
    { act: 'fact', referents: ['all'], series: [titled('Chi', 'x')], spans },
    { 'Do you have Chi?': { act: 'title', series: [titled('Chi', 'x')], sureness: 0.9 } },
  )
  assert.deepEqual(intent.kind === 'introduce' && intent.ids, ['x'])
})

test('a comparison that names one series keeps the one that was named before', () => {
  const message = 'I like the look of Moyashimon. Is Silver Spoon cheaper?'
  const series = [titled('Moyashimon', 'm'), titled('Silver Spoon', 's')]
  const { intent } = said(
    message,
    { act: 'compare', measures: ['cheaper'], series },
    { 'Is Silver Spoon cheaper?': { act: 'compare', series: series.slice(1), measures: ['cheaper'], sureness: 1 } },
  )
  assert.deepEqual(intent.kind === 'compare' && intent.ids, ['m', 's'])
})

test('what is wished for in stock is wished for in stock', () => {
  const isInStock = (message: string) =>
    said(message, { act: 'recommend', want: [cats] }).state.conditions.limits.inStock === true
  assert.ok(isInStock('What else have you got, in stock?'))
  assert.ok(isInStock('在庫があるもので猫の漫画を'))
  assert.ok(!isInStock('Why show me one that is not in stock?'))
})

const wished: DialogueState = { ...shown, conditions: { ...NO_CONDITIONS, want: [cats] } }

function protested(message: string, whole: Partial<Reading>, parts: Readonly<Record<string, Partial<Reading>>> = {}) {
  const read = (words: string) => sampleReading(words === message ? whole : (parts[words] ?? { act: 'unclear' }))
  const understood = hear(wished, { message, language: 'en' }, read)
  return { ...understood, intent: intend(understood) }
}

test('a protest that names a wish gets an apology and other series', () => {
  const messages = [
    'I said cats',
    'That is not what I asked for. Cats!',
    '猫がいいって言ったのに',
    '猫の漫画をお願いしたんですが…',
  ]
  for (const message of messages)
    for (const act of ['recommend', 'complaint', 'fact'] as const) {
      const { intent } = protested(message, { act, want: [cats] })
      assert.ok(intent.kind === 'suggest' && intent.isCorrected === true, `${act}: ${message}`)
      assert.deepEqual(intent.quest.exclude, ['a', 'b', 'c'], message)
    }
})

test('that a wish is not met repeats the wish, and is no dislike', () => {
  const { state } = protested('There are no cats in it. I said cats.', {
    act: 'recommend',
    want: [cats],
    avoid: [cats],
  })
  assert.deepEqual([state.conditions.want, state.conditions.avoid], [[cats], []])
})

test('the question of a protest is answered', () => {
  const message = 'That is not what I asked. Who wrote the second one?'
  const asking = { act: 'fact', facts: ['author'], referents: ['2'], sureness: 0.9 } as const
  const whole = { act: 'complaint', grievances: ['answer'], facts: ['author'] } as const
  const { intent } = protested(message, whole, { 'Who wrote the second one?': asking })
  assert.deepEqual(intent, { kind: 'inform', ids: ['b'], facts: ['author'], isCorrected: true })
})

test('a protest in which nothing can be searched for is apologised for', () => {
  const { intent } = protested('OK but you didn’t answer about Osaka', { act: 'recommend', sureness: 0.2 })
  assert.equal(intent.kind, 'complaint')
})

test('what was said elsewhere, or about a parcel, is no protest', () => {
  const isProtest = (message: string, reading: Partial<Reading>, state = wished) =>
    hear(state, { message, language: 'en' }, () => sampleReading(reading)).isProtest === true
  assert.ok(!isProtest('I said I would read more. Cats?', { act: 'recommend', want: [cats] }, NO_STATE))
  assert.ok(!isProtest('I asked for it by Monday', { act: 'complaint', grievances: ['late'] }))
})
