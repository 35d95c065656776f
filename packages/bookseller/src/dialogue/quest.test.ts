// The words that are searched: all that describe a series, and no name, limit or dislike.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../test/fixtures/dialogue.ts'
import { aspectOf } from '../understanding/aspects.ts'
import type { Reading, Role } from '../understanding/reading.ts'
import { advance } from './advance.ts'
import { intend } from './intend.ts'
import { NO_STATE } from './state.ts'

const span = (words: string, role: Role, text: string) => ({
  role,
  text,
  from: words.indexOf(text),
  to: words.indexOf(text) + text.length,
})

function searched(words: string, over: Partial<Reading>): string {
  const reading = sampleReading(over)
  const intent = intend({ reading, words, before: NO_STATE, state: advance(NO_STATE, reading, words) })
  return 'quest' in intent ? intent.quest.text.replaceAll(/\s+/gu, ' ') : intent.kind
}

test('words that were taken for a name or a dislike inside a described story are searched', () => {
  const words = 'a veteran of the war and a girl hunting for gold'
  const spans = [span(words, 'avoid', 'war'), span(words, 'title', 'a girl')]
  assert.equal(searched(words, { act: 'find', spans }), words)
})

test('a name that the catalogue has, a limit and a dislike are not searched', () => {
  const words = 'quiet travel like Mushishi, no gore, ten volumes'
  const spans = [
    span(words, 'like', 'Mushishi'),
    span(words, 'avoid', 'gore'),
    span(words, 'vols<', 'ten volumes'),
    span(words, 'want', 'travel'),
  ]
  const want = [{ text: 'travel', genres: [], moods: [], content: [] }]
  const series = [{ role: 'like' as const, text: 'Mushishi', id: 'mushishi' }]
  assert.equal(searched(words, { act: 'recommend', spans, want, series }), 'quiet travel like , no ,')
})

test('the first words of a conversation that mean nothing in particular are searched', () => {
  assert.equal(searched('street racing cars', { act: 'greet', sureness: 0.3 }), 'street racing cars')
  assert.equal(searched('golf', { act: 'person', sureness: 0.3 }), 'golf')
  assert.equal(searched('hello there', { act: 'greet', sureness: 0.9 }), 'talk')
})

test('sentences that tell nothing of what is sought are not searched, and a story is searched whole', () => {
  const words = 'Lovely, thanks. Now something with trains, please. My aunt says hello.'
  const want = [{ text: 'trains', genres: [], moods: [], content: [] }]
  const spans = [span(words, 'want', 'trains')]
  assert.equal(searched(words, { act: 'recommend', spans, want }), 'Now something with trains, please')
  const story = 'I read it once. A boy meets a thing? that eats names. It rained.'
  const plot = [span(story, 'plot', 'A boy meets a thing? that eats names')]
  assert.equal(searched(story, { act: 'find', spans: plot }), 'A boy meets a thing? that eats names')
})

test('marks at the end are not searched', () => {
  for (const end of ['。', '.', '!', '？', '?!'])
    assert.equal(searched(`street racing cars${end}`, { act: 'greet', sureness: 0.3 }), 'street racing cars')
})

test('a wish in other words refines the wish before it; another genre replaces it', () => {
  const before = advance(NO_STATE, sampleReading({ want: [aspectOf('romance')] }), 'romance please')
  const after = (text: string) =>
    advance(before, sampleReading({ want: [aspectOf(text)] }), text).conditions.want.map((aspect) => aspect.text)
  assert.deepEqual(after('grown ups'), ['romance', 'grown ups'])
  assert.deepEqual(after('cooking'), ['cooking'])
  assert.deepEqual(after('a widow who slowly learns to laugh again'), ['a widow who slowly learns to laugh again'])
})

test('what was shown may be shown again where only a condition is added, and never where others are asked for', () => {
  const before = { ...NO_STATE, list: ['a', 'b'], seen: ['a', 'b'], previous: 'list' as const }
  const questFor = (over: Partial<Reading>) => {
    const reading = sampleReading(over)
    const intent = intend({ reading, words: 'x', before, state: advance(before, reading, 'x') })
    return 'quest' in intent ? [intent.quest.exclude, intent.quest.seen] : intent.kind
  }
  assert.deepEqual(questFor({ limits: { volumesMax: 10 } }), [[], undefined])
  assert.deepEqual(questFor({ changes: ['others'] }), [['a', 'b'], undefined])
  assert.deepEqual(questFor({ measures: ['cheaper'] }), [[], ['a', 'b']])
})

test('a reader who is no longer meant takes the age along, and a dislike keeps what is compared', () => {
  const before = {
    ...NO_STATE,
    list: ['a'],
    compared: { measures: ['shorter' as const], than: ['a'] },
    conditions: { ...NO_STATE.conditions, audience: 'my lil sis', limits: { age: 10, volumesMax: 9 } },
  }
  const dropped = advance(before, sampleReading({ allow: [aspectOf('sis')], changes: ['relax'] }), 'forget her')
  assert.deepEqual([dropped.conditions.audience, dropped.conditions.limits.age], [undefined, undefined])
  const refined = advance(before, sampleReading({ avoid: [aspectOf('怖い')] }), '怖いのは無理')
  assert.deepEqual(refined.compared, before.compared)
  assert.equal(advance(before, sampleReading({ want: [aspectOf('料理')] }), '料理もの').compared, undefined)
})

test('words that describe a series instead of naming it are searched', () => {
  const asked = (text: string) =>
    intend({
      reading: sampleReading({ act: 'fact', series: [{ role: 'title', text }] }),
      words: text,
      before: NO_STATE,
      state: NO_STATE,
    }).kind
  for (const text of ['農業高校のやつ', '竹宮さんのSFの方', 'the one with the alien mothership over tokyo'])
    assert.equal(asked(text), 'identify', text)
  for (const text of ['進撃の大根', 'Solo Leveling']) assert.equal(asked(text), 'unstocked', text)
})

test('a request without a marked wish wishes for the genre that its words name, unless a wish stands', () => {
  const words = "Something really creepy that'll keep me up. but no gore"
  const reading = sampleReading({ act: 'recommend', avoid: [aspectOf('gore')], spans: [span(words, 'avoid', 'gore')] })
  assert.deepEqual(
    advance(NO_STATE, reading, words).conditions.want.flatMap(({ genres }) => genres),
    ['horror'],
  )
  const romance = advance(NO_STATE, sampleReading({ want: [aspectOf('romance')] }), 'romance')
  assert.deepEqual(
    advance(romance, reading, words).conditions.want.map(({ text }) => text),
    ['romance'],
  )
})
