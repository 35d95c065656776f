// Which of the series of a conversation a description means: "the space junk one", 「ホルモン焼きのほう」. Its words are
// compared with everything that is known of those series, in both languages.
import type { Product } from '../../catalogue/catalogue.ts'
import { contentWords } from '../../retrieval/content-words.ts'
import { passagesOf } from '../../retrieval/passages.ts'
import type { WordVectors } from '../../retrieval/word-vectors.ts'
import { fold } from '../../text/words.ts'
import { titlesOf } from '../../understanding/names.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { Vocabulary } from '../../understanding/vocabulary.ts'

/** The series among `ids` that the words describe, or none. Of equals the one that comes first in `ids`. */
export type Recall = (words: string, ids: readonly string[], how?: 'well' | 'exactly') => string | undefined

export const NO_RECALL: Recall = () => undefined

const RUN = /[a-z][a-z'’]*|[\p{Script=Han}々]+|[\p{Script=Katakana}ー]{2,}/gu
const LATIN = /^[a-z]/u
const LATIN_TERM_MIN = 2
/** Shorter words are found as whole words only. */
const WHOLE_LENGTH_MAX = 3
/** Words that describe no series. */
const EMPTY = new Set(
  (
    'a i an of to in on it is at by my me do so as or be we he if no up us ok oh vs am the and with about where who that this one ones two three book books series manga story comic set sets full complete whole all both ' +
    'each other same first second third last next cheaper shorter longer newer older cheapest shortest longest newest better best ' +
    'price cost total volume volumes vol copy copies order cart author artist end ending anime film page list shop store way rest ' +
    'you your she her his him has have had was were are for not but just only really very said told showed mentioned suggested ' +
    'recommended thing things stuff please too also well out off what which how much many still yet ' +
    '元 全巻 巻 全部 合計 値段 価格 在庫 作品 漫画 本 作者 最初 最後 先 前 今 方 話 名前 題名 一 二 三 両方 購入 注文 円 冊 何 勧 当 見 教 言 出 安 高 短 長 多 少 新 古 他 別'
  ).split(' '),
)
/** A description of which less is known of the series does not mean it. */
const SHARE_MIN = 0.6
/** Two words below this cosine are not another word for the same. */
const SIMILAR_MIN = 0.5
/** Another word counts less than the same word. */
const SIMILAR_SHARE = 0.8
const KIND_SHARE = 0.6

interface Known {
  readonly id: string
  readonly text: string
  /** Other words for its genres and moods, which many series have. */
  readonly kinds: string
  /** Rows of the words of its passages, found when they are needed. */
  rows?: ReadonlySet<number>
  readonly product: Product
}

export function recallOf(products: readonly Product[], vectors?: WordVectors): Recall {
  const known = new Map<string, Known>()
  const knownOf = (id: string): readonly Known[] => {
    const before = known.get(id)
    if (before !== undefined) return [before]
    const product = products.find((one) => one.id === id)
    if (product === undefined) return []
    const made = { id, text: textOf(product), kinds: kindsOf(product), product }
    known.set(id, made)
    return [made]
  }
  return (words, ids, how = 'well') => {
    const terms = termsOf(words)
    const pool = ids.flatMap(knownOf)
    if (terms.length === 0 || pool.length === 0) return undefined
    const scored = scoresOf(terms, pool, vectors)
    const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
    if (best.score < SHARE_MIN) return undefined
    return how === 'well' || isExact(terms, pool, best.id) ? best.id : undefined
  }
}

/** Every word is in a name, a theme or the protagonist of the series. */
function isExact(terms: readonly string[], pool: readonly Known[], id: string): boolean {
  const known = pool.find((one) => one.id === id)
  return known !== undefined && terms.every((term) => includesTerm(shortTextOf(known.product), term))
}

function shortTextOf(product: Product): string {
  const { themes, protagonist } = product
  return fold(
    [
      ...titlesOf(product),
      ...(themes?.ja ?? []),
      ...(themes?.en ?? []),
      protagonist?.ja ?? '',
      protagonist?.en ?? '',
    ].join('\n'),
  )
}

/** How much of the words each series matches. A word that all series match has no weight. */
function scoresOf(terms: readonly string[], pool: readonly Known[], vectors: WordVectors | undefined) {
  const found = terms.map((term) => pool.map((one) => matchOf(term, one, vectors)))
  const weights = found.map((matches, index) => {
    const count = matches.reduce((sum, match) => sum + match, 0)
    return rarity(terms[index]!, vectors) * Math.log(1 + pool.length / Math.max(count, 0.5))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return pool.map(({ id }, index) => ({
    id,
    score:
      terms.reduce((sum, _, term) => sum + found[term]![index]! * weights[term]!, 0) / total +
      aboutness(terms, pool[index]!),
  }))
}

/** Several series may have all the words: the one that is about them wins, by its themes and by how often they occur. */
function aboutness(terms: readonly string[], { text, product }: Known): number {
  const short = shortTextOf(product)
  const themes = terms.filter((term) => includesTerm(short, term)).length
  const times = terms.reduce((sum, term) => sum + Math.min(TIMES_MAX, text.split(term).length - 1), 0)
  return 0.1 * (themes / terms.length) + 0.1 * (times / (TIMES_MAX * terms.length))
}

const TIMES_MAX = 5

/** A word that is rare anywhere says more. */
function rarity(term: string, vectors: WordVectors | undefined): number {
  const row = vectors?.find(term) ?? -1
  return vectors === undefined || row === -1 ? 1 : Math.max(0.1, vectors.weight(row) ** 2)
}

function matchOf(term: string, known: Known, vectors: WordVectors | undefined): number {
  if (includesTerm(known.text, term)) return 1
  if (includesTerm(known.kinds, term)) return KIND_SHARE
  if (vectors === undefined) return 0
  const asked = contentWords(term, vectors)
  if (asked.length === 0) return 0
  known.rows ??= new Set(
    passagesOf(known.product).flatMap(({ text }) => contentWords(text, vectors).map(({ row }) => row)),
  )
  let best = 0
  for (const { row } of asked) for (const other of known.rows) best = Math.max(best, vectors.similarity(row, other))
  return best >= SIMILAR_MIN ? best * SIMILAR_SHARE : 0
}

export function termsOf(words: string): readonly string[] {
  const terms = [...fold(words).matchAll(RUN)].flatMap(([run]) => {
    if (EMPTY.has(run)) return []
    if (!LATIN.test(run)) return [run]
    const stem = run.replace(/['’].*$/u, '').replace(/(?<=[a-z]{3})(?:ies|es|s|ing|ed)$/u, '')
    return stem.length < LATIN_TERM_MIN || EMPTY.has(stem) ? [] : [stem]
  })
  return [...new Set(terms)]
}

function includesTerm(text: string, term: string): boolean {
  if (!LATIN.test(term)) return text.includes(term)
  let at = text.indexOf(term)
  while (at !== -1) {
    const isWhole = term.length > WHOLE_LENGTH_MAX || !LATIN.test(text[at + term.length] ?? ' ')
    if (!LATIN.test(text[at - 1] ?? ' ') && isWhole) return true
    at = text.indexOf(term, at + 1)
  }
  return false
}

function textOf(product: Product): string {
  const { author, genres, moods } = product
  const label = (vocabulary: Vocabulary, key: string) => [
    labelOf(vocabulary, key, 'ja'),
    labelOf(vocabulary, key, 'en'),
  ]
  return fold(
    [
      ...titlesOf(product),
      author?.ja ?? '',
      author?.en ?? '',
      ...passagesOf(product).map(({ text }) => text),
      ...genres.flatMap((key) => label(GENRES, key)),
      ...moods.flatMap((key) => label(MOODS, key)),
    ].join('\n'),
  )
}

function kindsOf({ genres, moods }: Product): string {
  const synonyms = (vocabulary: Vocabulary, key: string): readonly string[] => {
    const entry = Object.hasOwn(vocabulary, key) ? vocabulary[key] : undefined
    return entry === undefined ? [] : [...entry.synonyms.ja, ...entry.synonyms.en]
  }
  const all = [...genres.flatMap((key) => synonyms(GENRES, key)), ...moods.flatMap((key) => synonyms(MOODS, key))]
  return fold(all.join('\n'))
}
