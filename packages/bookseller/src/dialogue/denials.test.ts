// Dislikes in plain words count even where they were not recognised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleAspect, sampleReading } from '../../test/fixtures/dialogue.ts'
import { withDenials } from './denials.ts'

const avoided = (words: string) => withDenials(sampleReading(), words).avoid.flatMap(({ genres }) => genres)

test('a word of the vocabulary beside a denial is a dislike', () => {
  for (const words of [
    'ファンタジーが好き。怖いのはだめ',
    'ホラーは苦手',
    'ホラー抜きで',
    'no horror please',
    "I don't like horror.",
  ])
    assert.ok(avoided(words).includes('horror'), words)
  assert.ok(!avoided('ファンタジーが好き。怖いのはだめ').includes('fantasy'))
})

test('what is not disliked, or no quality of a series, is none', () => {
  for (const words of ['ホラーは嫌いじゃない', 'ホラーが好き', 'no problem', 'not finished', '怖いもの見たさ'])
    assert.deepEqual(avoided(words), [], words)
})

test('a wish that is denied is no wish', () => {
  const reading = sampleReading({ want: [sampleAspect({ text: '怖い' })] })
  assert.deepEqual(withDenials(reading, '怖いのはだめ').want, [])
})
