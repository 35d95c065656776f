// The words of a text that have a meaning of their own, as rows of the word vectors. English words are found without their
// endings. Japanese is cut by the longest known word, because a segmenter cuts inflected verbs and compounds differently
// in a question and in a synopsis.
import { fold } from '../text/words.ts'
import type { WordVectors } from './word-vectors.ts'

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const RUN = /[a-z]+(?:['’][a-z]+)?|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー々]+/gu
const LATIN = /^[a-z]/u
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u
const STARTS_WORD = /[\p{Script=Han}\p{Script=Katakana}々]/u
const JAPANESE_WORD_MAX = 9
/** Shorter words in hiragana are particles and endings. */
const HIRAGANA_WORD_MIN = 3
const HAS_HIRAGANA_WORD = /[\p{Script=Hiragana}ー]{3}/u

/** Words that occur in any question or any story. */
const EMPTY = new Set(
  (
    'a an the and or of in on at to for with without by from as is are was were be been being it its he she they his her their ' +
    'him them this that these those who whom whose which what when where how i me my you your we our us do does did doing have ' +
    'has had having not no but if then than so just one ones some any into out up down over about like want looking manga ' +
    'series story book something anything read please good find recommend there here can could would will should may might ' +
    'must get gets got also very too more most all each other another again don didn doesn isn wasn ' +
    'する なる ある いる いう 言う こと もの ため よう それ これ やつ 漫画 マンガ 話 作品 ください おすすめ オススメ 読みたい 出てくる みたい みたいな っぽい ' +
    'volume volumes vol finished complete completed ongoing yen magazine 完結 巻 全巻 連載 連載中 以内 以下 以上 円 ' +
    '主人公 主役 主人 登場 出る キャラ キャラクター 系 設定 protagonist lead character characters main hero heroine ' +
    'ありますか ありませんか 教えて 探して 読む 読み 本 中 人 感じ シリーズ'
  ).split(' '),
)

const ENDINGS: readonly (readonly [ending: string, instead: string])[] = [
  ['s', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ed', ''],
  ['ed', 'e'],
  ['ing', ''],
  ['ing', 'e'],
]

export interface ContentWord {
  readonly word: string
  readonly row: number
}

/** In the order of the text; a word may repeat. */
export function contentWords(text: string, vectors: WordVectors): readonly ContentWord[] {
  const words: ContentWord[] = []
  for (const [run] of fold(text).matchAll(RUN))
    words.push(...(LATIN.test(run) ? englishWord(run, vectors) : japaneseWords(run, vectors)))
  return words
}

function englishWord(run: string, vectors: WordVectors): readonly ContentWord[] {
  const word = run.replace(/['’].*$/u, '')
  if (word.length < 2 || EMPTY.has(word)) return []
  const own = vectors.find(word)
  if (own !== -1) return [{ word, row: own }]
  for (const [ending, instead] of ENDINGS) {
    if (!word.endsWith(ending)) continue
    const stem = `${word.slice(0, -ending.length)}${instead}`
    const row = vectors.find(stem)
    if (row !== -1 && !EMPTY.has(stem)) return [{ word: stem, row }]
  }
  return []
}

function japaneseWords(run: string, vectors: WordVectors): readonly ContentWord[] {
  const words: ContentWord[] = []
  const add = (word: string, row: number) => {
    if (row !== -1 && !EMPTY.has(word)) words.push({ word, row })
  }
  for (const { segment } of HAS_HIRAGANA_WORD.test(run) ? segmenter.segment(run) : [])
    if (segment.length >= HIRAGANA_WORD_MIN && HIRAGANA.test(segment)) add(segment, vectors.find(segment))
  for (let at = 0; at < run.length;) {
    const length = STARTS_WORD.test(run[at] ?? '') ? longestWord(run, at, vectors) : 0
    if (length > 0) {
      const word = run.slice(at, at + length)
      add(word, vectors.find(word))
    }
    at += Math.max(1, length)
  }
  return words
}

function longestWord(run: string, at: number, vectors: WordVectors): number {
  for (let length = Math.min(JAPANESE_WORD_MAX, run.length - at); length > 0; length -= 1)
    if (vectors.find(run.slice(at, at + length)) !== -1) return length
  return 0
}
