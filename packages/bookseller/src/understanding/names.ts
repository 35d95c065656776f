// Finds the names of the catalogue in a message: series, authors, magazines and publishers, each with its position, so
// that a name is recognised before its words get another meaning. The longest name first; width, case, spaces and
// punctuation do not matter.
import type { Product } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import { isNamedKey } from './aspects.ts'
import { magazineNames, personNames, publisherNames } from './people.ts'
import { NameTable } from './name-table.ts'
import { standsAlone } from './stands-alone.ts'
import { spellingIndex } from './spelling.ts'
import type { IsWord, Letters, Spelled } from './spelling.ts'
import type { Name, NameKind } from './name.ts'

export interface Mention {
  readonly kind: NameKind
  readonly means: Name['means']
  /** Positions in the message in NFKC, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** It is written with an error, and this is the likeliest name. */
  readonly guessed?: true
}

export interface Names {
  find(text: string): readonly Mention[]
  /** The series whose name the text is, with a typing error or another spelling of a long vowel, or a part of its title. */
  guess(text: string): string | undefined
}

const IGNORED = /[\p{P}\p{S}\p{Z}\s]/u
const LATIN = /[\p{Script=Latin}\p{N}]/u
const SCRIPTS = [LATIN, /[\p{Script=Katakana}ー]/u, /\p{Script=Hiragana}/u] as const
const KEY_LENGTH_MIN = 2
/** Names of one or two Latin letters would be found everywhere. */
const LATIN_KEY_LENGTH_MIN = 3
/** 「H2」, 「K2」: no word is written so. */
const LETTER_AND_DIGIT = /^[a-z]\d$/u

/**
 * `isWord` distinguishes everyday words from misspelt names. Without it, a misspelt name is found only if the message
 * contains nothing else.
 */
export function namesOf(products: Iterable<Product>, isWord?: IsWord, isCommon?: IsWord): Names {
  const builder = new NamesBuilder()
  for (const product of products) builder.add(product)
  return builder.names(isWord, isCommon)
}

/** Takes the products one at a time: those of a large catalogue are never in memory together. */
export class NamesBuilder {
  readonly #table = new NameTable()
  readonly #tiny: TinyName[] = []
  readonly #mainTitles: { readonly key: string; readonly id: string }[] = []
  /** "Chi" of "Chi's Sweet Home". */
  readonly #owners: { readonly key: string; readonly id: string }[] = []
  /** 「岳」, "X": titles of one letter, by their key. */
  readonly #letters = new Map<string, string>()

  add(product: Product): void {
    const { id } = product
    for (const name of titlesOf(product)) this.#put(keyOf(fold(name)), 'title', id)
    for (const { name, means } of personNames(product)) this.#put(keyOf(fold(name)), 'person', means)
    for (const { name, means } of [...magazineNames(product), ...publisherNames(product)])
      this.#put(keyOf(fold(name)), 'magazine', means)
    for (const key of titlesOf(product).map((name) => keyOf(fold(name))))
      if (key.length === 1) this.#letters.set(key, id)
    this.#tiny.push(...tinyNamesOf(product))
    this.#mainTitles.push(...mainTitlesOf(product).map((name) => ({ key: keyOf(fold(name)), id })))
    const owner = OWNER.exec(product.title.en)?.[1]
    if (owner !== undefined) this.#owners.push({ key: keyOf(fold(owner)), id })
  }

  /** `isCommon` tells the words that name no series as a part of its title. */
  names(isWord: IsWord = () => true, isCommon: IsWord = isWord): Names {
    // A short form of a title is a name only if no other series has it.
    const owners = this.#owners.filter(({ key }) => !isCommon(key))
    for (const { key, id } of [...this.#mainTitles, ...owners]) if (!this.#table.has(key)) this.#put(key, 'title', id)
    this.#table.finish()
    const dictionary = { table: this.#table, tiny: this.#tiny, spelled: spellingIndex(this.#table, isWord) }
    return {
      find: (text) => findIn(text, dictionary),
      guess: (text) =>
        findIn(text, dictionary).find(({ kind, from, to }) => kind === 'title' && to - from > text.trim().length / 2)
          ?.means[0] ?? this.#partlyNamed(text, isCommon),
    }
  }

  /** 「黒子 在庫」: a word may stand beside the title. */
  #partlyNamed(text: string, isCommon: IsWord): string | undefined {
    for (const part of [text, ...(LATIN.test(text[0] ?? '') ? [] : text.split(/[\s、]+/u))]) {
      const key = keyOf(fold(part))
      const id =
        this.#letters.get(key) ?? (isLongPart(key) && !isCommon(key) ? this.#table.partlyNamed(key) : undefined)
      if (id !== undefined) return id
    }
    return undefined
  }

  #put(key: string, kind: NameKind, means: string): void {
    const isLatin = LATIN.test(key[0] ?? '') && !LETTER_AND_DIGIT.test(key)
    if (key.length >= (isLatin ? LATIN_KEY_LENGTH_MIN : KEY_LENGTH_MIN)) this.#table.add(key, kind, means)
  }
}

/** A shorter part belongs to too many titles. */
const isLongPart = (key: string): boolean =>
  key.length >= (LATIN.test(key[0] ?? '') ? 5 : /^\p{Script=Han}/u.test(key) ? 2 : 4)

export const titlesOf = ({ title, aliases }: Product): readonly string[] => [
  title.ja,
  title.en,
  title.romaji,
  ...(title.kana === undefined ? [] : [title.kana]),
  ...aliases,
]

const SUBTITLE_JA = /^([^-―〜~\s]{2,}[^-―〜~\s!！?？])(?:\s*[-―〜~].+[-―〜~]$|\s.+$)/u
const SUBTITLE_EN = /^(\S+ [^:]+): /u
const OWNER = /^(?!What|It|That|There|Who|Here|Let)(\p{Lu}\p{L}{2,})['’]s \p{Lu}/u

/** The names of series without their subtitles: 「花の慶次」, "The Tale of Genji". A single English word names too much. */
function mainTitlesOf({ title }: Product): readonly string[] {
  const [, ja = ''] = SUBTITLE_JA.exec(title.ja) ?? []
  const [, en = ''] = SUBTITLE_EN.exec(title.en) ?? []
  return [...(LATIN.test(ja[0] ?? '') ? [] : [ja]), en].filter((name) => name !== '')
}

interface Dictionary {
  readonly table: NameTable
  readonly tiny: readonly TinyName[]
  readonly spelled: (letters: Letters) => readonly Spelled[]
}

function findIn(text: string, { table, tiny, spelled }: Dictionary): readonly Mention[] {
  const written = [...text.normalize('NFKC')]
  const characters = written.map((character) => character.toLowerCase())
  const units = offsetsOf(written)
  const { key, origin } = keyed(characters)
  const mentions: Mention[] = []
  const taken: { from: number; to: number }[] = []
  for (let at = 0; at < key.length;) {
    const position = { key, at, origin, characters, written }
    const name = longestAt(position, table)
    if (name === undefined) {
      at += 1
      continue
    }
    const [from, to] = [origin[at] ?? 0, (origin[at + name.key.length - 1] ?? 0) + 1]
    mentions.push({ kind: name.kind, means: name.means, from: units[from]!, to: units[to]! })
    taken.push({ from: at, to: at + name.key.length })
    at += name.key.length
  }
  for (const { name, from, to } of spelled({ key, ...edgesOf({ key, origin }, characters), taken })) {
    const [first, last] = [origin[from] ?? 0, (origin[to - 1] ?? 0) + 1]
    // 「バレーボール」 is no misspelt 「プレイボール」.
    if (isNamedKey(characters.slice(first, last).join(''))) continue
    mentions.push({ kind: name.kind, means: name.means, from: units[first]!, to: units[last]!, guessed: true })
  }
  mentions.sort((a, b) => a.from - b.from)
  if (mentions.some(({ kind }) => kind === 'title')) return mentions
  const folded = characters.join('')
  const small = tiny.find(({ name }) => folded.includes(name))
  if (small === undefined) return mentions
  const from = folded.indexOf(small.name)
  return [...mentions, { kind: 'title', means: [small.id], from, to: from + small.name.length }]
}

/** Where a word begins or ended, at a space, a mark or another script; and where a part of a sentence does. */
function edgesOf(
  { key, origin }: { readonly key: string; readonly origin: readonly number[] },
  characters: readonly string[],
): Pick<Letters, 'isEdge' | 'isBreak'> {
  const between = Array.from({ length: key.length + 1 }, (_, at) =>
    at === 0 || at === key.length ? '' : characters.slice((origin[at - 1] ?? 0) + 1, origin[at]).join(''),
  )
  const scriptAt = (at: number) => SCRIPTS.findIndex((script) => script.test(key[at] ?? ''))
  const isEnd = (at: number) => at === 0 || at === key.length
  return {
    isEdge: between.map(
      (left, at) => isEnd(at) || scriptAt(at) !== scriptAt(at - 1) || (left !== '' && !/^['’]$/u.test(left)),
    ),
    isBreak: between.map((left, at) => isEnd(at) || /[.,;:!?()]\s|[、。！？「」『』（）\n]/u.test(left)),
  }
}

interface Position {
  readonly key: string
  readonly at: number
  readonly origin: readonly number[]
  readonly characters: readonly string[]
  /** The text as the shopper wrote it, with capitals. */
  readonly written: readonly string[]
}

function longestAt(position: Position, table: NameTable): Name | undefined {
  for (const number of table.at(position.key, position.at)) {
    const name = table.nameOf(number)
    // A character's name that several series share names none of them.
    if (!isAmbiguous(name) && standsAlone(name, position)) return name
  }
  return undefined
}

const isAmbiguous = ({ kind, means }: Name): boolean => kind === 'title' && means.length > 1

const ALL_IGNORED = /[\p{P}\p{S}\p{Z}\s]+/gu
const ACCENTED = /[[\p{Script=Latin}\p{N}]--[\0-\x7f]]/gv

/** The key of `keyed`, where no positions are needed: tens of thousands of names are read for a catalogue. */
export function keyOf(folded: string): string {
  const plain = folded.replaceAll(ALL_IGNORED, '')
  return plain.replaceAll(ACCENTED, (letter) => letter.normalize('NFD').replaceAll(/\p{M}/gu, ''))
}

/** The characters without spaces, punctuation and accents, and for each unit of the result its original index. */
export function keyed(characters: readonly string[]): { readonly key: string; readonly origin: readonly number[] } {
  let key = ''
  const origin: number[] = []
  for (const [index, character] of characters.entries()) {
    if (IGNORED.test(character)) continue
    const plain = LATIN.test(character) ? character.normalize('NFD').replaceAll(/\p{M}/gu, '') : character
    key += plain
    for (let unit = 0; unit < plain.length; unit += 1) origin.push(index)
  }
  return { key, origin }
}

/** The UTF-16 position of every code point, and of the end. */
function offsetsOf(characters: readonly string[]): readonly number[] {
  const offsets = [0]
  for (const character of characters) offsets.push(offsets.at(-1)! + character.length)
  return offsets
}

interface TinyName {
  readonly id: string
  readonly name: string
}

/** A name of one letter is recognised only with its punctuation: 「チ。」. */
function tinyNamesOf(product: Product): readonly TinyName[] {
  return titlesOf(product)
    .map(fold)
    .flatMap((name) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][。．.!！?？]/u.exec(name)?.[0] ?? [])
    .map((name) => ({ id: product.id, name }))
}
