// The names that shoppers use for authors, magazines and publishers: full name, surname, or without 週刊 and "Weekly".
import type { Product } from '../catalogue/catalogue.ts'
import { GENRES, READERSHIPS } from './vocabulary.ts'

interface KnownName {
  readonly name: string
  /** The Japanese name of the author or the magazine. */
  readonly means: string
}

const SURNAME_LENGTH_MIN = 4
const KIND_WORDS = new Set(
  [...Object.values(GENRES), ...Object.values(READERSHIPS)].flatMap(({ label, synonyms, kinds }) => [
    label.ja,
    label.en,
    ...synonyms.ja,
    ...synonyms.en,
    ...kinds,
  ]),
)
/** The first two kanji, which are a surname as a rule; 「日本橋」 and 「五十嵐」 are longer. */
const KANJI_SURNAME = /^(?!日本橋|五十嵐|長谷川|佐々木)\p{Script=Han}{2}/u

/** 「あだち」 of 「あだち充」. */
const KANA_SURNAME = /^\p{Script=Hiragana}{3,}(?=\p{Script=Han})/u

/**
 * The people of an author field. " / " separates writer and artist. So does 「・」, but it also occurs inside names; only the
 * English field, which then has " & ", shows which it is.
 */
export function authorNames(author: Product['author']): {
  readonly ja: readonly string[]
  readonly en: readonly string[]
} {
  if (author === undefined) return { ja: [], en: [] }
  const en = author.en.split(/ [&/] /u)
  const ja = en.length === 1 ? [author.ja] : author.ja.split(author.ja.includes(' / ') ? ' / ' : '・')
  return { ja: ja.length === en.length ? ja : [author.ja], en }
}

/** All names of the writer, the artist and the author field. */
export function personNames(product: Product): readonly KnownName[] {
  const { writer, artist, author } = product
  return [writer, artist, author].flatMap((person) => (person === undefined ? [] : namesOfAuthors({ author: person })))
}

export function publisherNames({ publisher }: Product): readonly KnownName[] {
  if (publisher === undefined) return []
  return [publisher.ja, publisher.en].map((name) => ({ name, means: publisher.ja }))
}

function namesOfAuthors({ author }: Pick<Product, 'author'>): readonly KnownName[] {
  const { ja, en } = authorNames(author)
  const called = (index: number, names: readonly string[]) => names.map((name) => ({ name, means: ja[index] ?? name }))
  return ja.flatMap((name, index) => {
    const latin = en[index] ?? ''
    // A pen name of a few letters is a common word: only with an honorific or "by" it is a name.
    const spoken = latin.length >= SURNAME_LENGTH_MIN ? [latin] : [`${latin}先生`, `${latin}さん`, `by ${latin}`]
    const own = name.length >= SURNAME_LENGTH_MIN || !/^[A-Za-z]+$/u.test(name) ? [name] : []
    const surname = latin.split(' ').at(-1) ?? ''
    const kanji = name.length >= 3 ? (KANJI_SURNAME.exec(name)?.[0] ?? KANA_SURNAME.exec(name)?.[0] ?? []) : []
    return called(index, [
      ...own,
      ...spoken,
      ...(surname.length >= SURNAME_LENGTH_MIN ? [surname] : []),
      ...[kanji].flat(),
    ])
  })
}

/** Words that several magazines share, and by which shoppers mean all of them. */
const FAMILY = /(ジャンプ|マガジン|サンデー|アフタヌーン|チャンピオン|スピリッツ|モーニング|マーガレット|ガンガン)/u
const FAMILY_IN_ENGLISH = /\b(Jump|Margaret|Gangan)\b/u

export function magazineNames({ magazine }: Product): readonly KnownName[] {
  if (magazine === undefined) return []
  const plain = magazine.ja.replace(/^(週刊|月刊)/u, '')
  const english = magazine.en.replace(/^(Weekly|Monthly) /u, '')
  const plus = plain.endsWith('+') ? [plain.replace('+', 'プラス'), plain.replace(/^少年(.*)\+$/u, '$1プラス')] : []
  const families = [FAMILY.exec(magazine.ja)?.[0], FAMILY_IN_ENGLISH.exec(magazine.en)?.[0]]
  const names = [magazine.ja, plain, ...plus, magazine.en, english, `${english} magazine`, ...families]
  return names
    .filter((name) => name !== undefined)
    .filter((name) => name.length > 2 && !KIND_WORDS.has(name) && !KIND_WORDS.has(name.toLowerCase()))
    .map((name) => ({ name, means: magazine.ja }))
}
