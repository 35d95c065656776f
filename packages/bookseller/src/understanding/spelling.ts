// Finds names that are written with an error, in another script or with other long vowels, inside a message: by the pairs of
// letters that a stretch of the message shares with a name. An index of pairs keeps it from comparing with every name.
import { alike } from '../text/alike.ts'
import { roomFor } from '../text/room-for.ts'
import type { Name } from './name.ts'
import type { NameTable } from './name-table.ts'
import { PairIndexBuilder } from './pair-index.ts'

/** The letters of a message without spaces and marks. */
export interface Letters {
  readonly key: string
  /** Whether a word begins at this letter, or one ended before it; one more than there are letters. */
  readonly isEdge: readonly boolean[]
  /** Whether a sentence or a part of one begins at this letter: no name continues there. */
  readonly isBreak: readonly boolean[]
  /** Stretches that are names already. */
  readonly taken: readonly { readonly from: number; readonly to: number }[]
}

export interface Spelled {
  readonly name: Name
  /** Positions in the key. */
  readonly from: number
  readonly to: number
}

/** Whether a word is an everyday one. */
export type IsWord = (word: string) => boolean

const LATIN = /[\p{Script=Latin}\p{N}]/u
/** Kana that was folded to hiragana: a name in kana is not part of a longer word in kana. */
const KANA = /[\p{Script=Hiragana}ー]/u
const LENGTH_MIN = { latin: 5, japanese: 4 } as const
/** Both are compared by edges too, so that a name is not found inside a longer word. */
const SHARED_MIN = 0.55
const CANDIDATES_MAX = 60
/** Stretches that cannot be more alike are not compared. */
const LIKELY_MIN = 0.55
/** Aliases that describe a series share their words with any question. */
const DESCRIBES = /漫画|マンガ|まんが|manga|comic/u

export function spellingIndex(names: NameTable, isWord: IsWord): (letters: Letters) => readonly Spelled[] {
  const builder = new PairIndexBuilder()
  let indexed = new Uint32Array(256)
  let count = 0
  for (let name = 0; name < names.size; name += 1) {
    const key = names.keyOf(name)
    if (key.length < lengthMin(key) || DESCRIBES.test(key) || names.isShared(name)) continue
    indexed = roomFor(indexed, count + 1)
    indexed[count] = name
    count += 1
    builder.add(sounded(key))
  }
  const byPairs = builder.index()
  /** The names that have most of their pairs somewhere in the message. */
  function candidates(key: string): readonly number[] {
    return byPairs
      .sharing(key, SHARED_MIN)
      .map(({ text, shared, own }) => ({ text, share: shared / Math.ceil(own * SHARED_MIN) }))
      .sort((a, b) => b.share - a.share || a.text - b.text)
      .slice(0, CANDIDATES_MAX)
      .map(({ text }) => indexed[text]!)
  }

  return (letters) => {
    const text = soundedLetters(letters)
    const found: (Spelled & { readonly score: number })[] = []
    for (const index of candidates(text.key)) {
      const name = names.nameOf(index)
      const folded = sounded(name.key)
      const pairs = pairsIn(folded)
      const edged = pairsIn(`^${folded}$`)
      for (const stretch of stretches(text, folded.length, likelyIn(text.key, new Set(pairs)))) {
        const { from, to } = stretch
        const written = text.key.slice(from, to)
        const score = alike(pairsIn(`^${written}$`), edged)
        const original = letters.key.slice(text.origin[from], text.origin[to - 1]! + 1)
        if (original === name.key || score < scoreMin({ letters: text, from, to, original, name: folded }, isWord))
          continue
        found.push({ name, from: text.origin[from]!, to: text.origin[to - 1]! + 1, score })
      }
    }
    return apart(found)
  }
}

const lengthMin = (key: string): number => (LATIN.test(key[0] ?? '') ? LENGTH_MIN.latin : LENGTH_MIN.japanese)

interface SoundedLetters extends Letters {
  /** For each letter its place in the original key. */
  readonly origin: readonly number[]
}

function soundedLetters({ key, isEdge, isBreak, taken }: Letters): SoundedLetters {
  const plain = sounded(key, true)
  const origin = Array.from({ length: key.length }, (_, at) => at).filter((at) => plain[at] !== LEFT_OUT)
  const placeOf = (at: number) => origin.filter((own) => own < at).length
  return {
    key: plain.replaceAll(LEFT_OUT, ''),
    origin,
    isEdge: [...origin.map((at) => isEdge[at] === true), true],
    isBreak: [...origin.map((at) => isBreak[at] === true), true],
    taken: taken.map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to) })),
  }
}

/** The number of pairs before each place of the text that the name has. */
function likelyIn(key: string, pairs: ReadonlySet<string>): Uint16Array {
  const before = new Uint16Array(key.length + 1)
  for (let at = 0; at < key.length; at += 1) before[at + 1] = before[at]! + (pairs.has(key.slice(at, at + 2)) ? 1 : 0)
  return before
}

/** The stretches of the message that are about as long as a name and share pairs with it, and that nothing else has a claim on. */
function* stretches(
  { key, isEdge, isBreak, taken }: Letters,
  length: number,
  shared: Uint16Array,
): Generator<{ from: number; to: number }> {
  const slack = Math.max(1, Math.floor(length / 5))
  for (let from = 0; from < key.length; from += 1) {
    if (!isStart(key, isEdge, from)) continue
    for (let to = from + 1; to <= Math.min(key.length, from + length + slack); to += 1) {
      if (isBreak[to - 1] === true && to - 1 > from) break
      if (to - from < length - slack || !isStart(key, isEdge, to)) continue
      const upper = (2 * (shared[to - 1]! - shared[from]! + 2)) / (to - from + length + 2)
      if (upper < LIKELY_MIN || taken.some((other) => other.from < to && from < other.to)) continue
      yield { from, to }
    }
  }
}

/** Whether a name may begin or end before this letter: not inside a word in Latin letters or katakana. */
function isStart(key: string, isEdge: readonly boolean[], at: number): boolean {
  if (isEdge[at] === true) return true
  const [before, after] = [key[at - 1] ?? '', key[at] ?? '']
  if (LATIN.test(before) && LATIN.test(after)) return false
  return !(KANA.test(before) && KANA.test(after))
}

interface Stretch {
  readonly letters: Letters
  readonly from: number
  readonly to: number
  /** As it is written. */
  readonly original: string
  /** The folded name that it is compared with. */
  readonly name: string
}

/** How alike a stretch must be: a message that is nothing else may be spelled worse, and ordinary words must be nearly right. */
function scoreMin({ letters, from, to, original, name }: Stretch, isWord: IsWord): number {
  const written = letters.key.slice(from, to)
  const isWhole = from === 0 && to === letters.key.length
  const strict = written[0] === name[0] ? 0 : 0.12
  if (DESCRIBES.test(written)) return NEVER
  if (!LATIN.test(written[0] ?? '')) {
    if (!isWhole && (isWord(original) || isWord(original.replace(/\p{Script=Hiragana}{1,2}$/u, '')))) return NEVER
    const kanji = written.match(/\p{Script=Han}/gu)?.length ?? 0
    return (isWhole ? 0.55 : kanji > 2 && to - from > 4 ? 0.65 : 0.75) + strict
  }
  const words = wordsBetween(letters, from, to)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  // "A monster" and "given a" are a title and a word beside it.
  if ((isLittle(first) && !name.startsWith(first)) || (isLittle(last) && !name.endsWith(last))) return NEVER
  if (words.every((word) => isLittle(word) || isWord(word)))
    return words.length === 1 ? NEVER : isWhole ? 0.62 : words.length > 2 ? 0.9 : NEVER
  return (isWhole ? 0.6 : words.length === 1 ? 0.8 : 0.7) + strict
}

const NEVER = Number.POSITIVE_INFINITY
const isLittle = (word: string): boolean => word.length < 4 || isContraction(word)
const isContraction = (word: string): boolean => /^(?:there|that|what|who|he|she|it|here)s$/u.test(word)

function wordsBetween({ key, isEdge }: Letters, from: number, to: number): readonly string[] {
  const words: string[] = []
  for (let at = from; at < to; at += 1) {
    if (at === from || isEdge[at] === true) words.push('')
    words.push(`${words.pop() ?? ''}${key[at]}`)
  }
  return words
}

/** The most alike first, and none that overlaps it. */
function apart(found: readonly (Spelled & { readonly score: number })[]): readonly Spelled[] {
  const chosen: Spelled[] = []
  for (const { name, from, to } of found.toSorted((a, b) => b.score - a.score || b.to - b.from - (a.to - a.from)))
    if (!chosen.some((other) => other.from < to && from < other.to)) chosen.push({ name, from, to })
  return chosen
}

const LEFT_OUT = '\0'

/** Romanised Japanese is written with or without long vowels, and kana in either script. */
function sounded(key: string, isInPlace = false): string {
  const left = isInPlace ? LEFT_OUT : ''
  return key
    .replaceAll(/(?<=[ou])u|(?<=o)o/gu, left)
    .replaceAll(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
}

const pairsIn = (key: string): readonly string[] =>
  Array.from({ length: Math.max(0, key.length - 1) }, (_, index) => key.slice(index, index + 2))
