// Pinned facts: statements of a shopper that outlive the prompt's window.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@mangaassist/protocol'
import { sampleShelves } from '../../test/fixtures/samples.ts'
import { pinnedIn, pinnedLines } from './pinned.ts'
import { buildLexicon, understand } from './understand.ts'

const shelf = sampleShelves()
const lexicon = buildLexicon(shelf, [])

function factsOf(language: Language, ...questions: readonly string[]): Record<string, unknown> {
  const pinned = pinnedIn(questions.map((question) => understand(question, language, lexicon)))
  const lines = pinnedLines(pinned, shelf, language).map((line) => JSON.parse(line) as Record<string, unknown>)
  return Object.assign({}, ...lines) as Record<string, unknown>
}

test('avoided genres, the budget, "finished only", and liked and named series are facts', () => {
  assert.deepEqual(
    factsOf(
      'ja',
      'ホラーは苦手です',
      '予算は1冊500円以内でお願いします',
      '完結済みのものだけがいいです',
      '鬼滅の刃が好きです',
      'よつばと!はいくら？',
    ),
    {
      avoids: ['ホラー'],
      yenPerVolumeMax: 500,
      wantsOnly: 'completed',
      likes: ['鬼滅の刃'],
      askedAbout: ['よつばと!'],
    },
  )
})

test('the facts are in the language of the conversation', () => {
  assert.deepEqual(factsOf('en', 'I hate horror', 'I loved Demon Slayer'), {
    avoids: ['horror'],
    likes: ['Demon Slayer'],
  })
})

test('the latest statement counts', () => {
  assert.deepEqual(factsOf('ja', 'ホラーは苦手です', 'やっぱりホラーが読みたい'), {})
  assert.deepEqual(factsOf('ja', '500円以下の漫画', '800円以下の漫画'), { yenPerVolumeMax: 800 })
  assert.deepEqual(factsOf('ja', '鬼滅の刃が好きです', '鬼滅の刃は苦手'), { dislikes: ['鬼滅の刃'] })
})

test('a question whether a series is finished sets no limit', () => {
  assert.deepEqual(factsOf('ja', '鬼滅の刃は完結してる？'), { askedAbout: ['鬼滅の刃'] })
})

test('the most important facts come first, and of many series the newest stay', () => {
  const many = Array.from({ length: 8 }, (_, index) => ({ ...shelf[0]!, id: `p${index}` }))
  const asks = many.map(({ id }) => ({ ...understand('x', 'ja', lexicon), mentioned: [id] }))
  const pinned = pinnedIn([...asks, understand('ホラーは苦手です', 'ja', lexicon)])
  assert.deepEqual(pinned.named, ['p3', 'p4', 'p5', 'p6', 'p7'])
  assert.match(pinnedLines(pinned, many, 'ja')[0] ?? '', /^\{"avoids"/)
})

test('a series that is no longer in the catalogue is omitted', () => {
  const pinned = pinnedIn([understand('鬼滅の刃が好きです', 'ja', lexicon)])
  assert.deepEqual(pinnedLines(pinned, [], 'ja'), [])
})
