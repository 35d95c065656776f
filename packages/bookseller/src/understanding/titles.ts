// The dictionary of titles: all names of each series, so that a title is recognised before its words get another
// meaning. The longest name first; width, case, spaces and punctuation do not matter.
import { fold } from '../text/words.ts'
import type { Product } from '../catalogue/catalogue.ts'

interface TitleMention {
  readonly id: string
  /** The position in the text, for the order of a comparison. */
  readonly at: number
  /** The start in `rest`, in code points. */
  readonly from: number
}

export interface TitleIndex {
  /** The series that a text names, in its order, and the folded text with those names blanked. */
  find(text: string): { readonly mentions: readonly TitleMention[]; readonly rest: string }
  /** The series whose name the whole text is, with a typing error or another spelling of a long vowel. */
  guess(text: string): string | undefined
}

interface Name {
  readonly key: string
  readonly id: string
  readonly latin: boolean
}

const IGNORED = /[\p{P}\p{S}\p{Z}\s]/u
const LATIN = /[\p{Script=Latin}\p{N}]/u
const KEY_LENGTH_MIN = 2
/** Names of one or two Latin letters would be found everywhere. */
const LATIN_KEY_LENGTH_MIN = 3

export function titleIndex(products: readonly Product[]): TitleIndex {
  const names = products.flatMap(namesOf).sort((a, b) => b.key.length - a.key.length)
  const byFirst = Map.groupBy(names, (name) => name.key[0] ?? '')
  const tiny = products.flatMap(tinyNamesOf)
  return {
    find(text) {
      const characters = [...fold(text)]
      const { key, origin } = keyed(characters)
      const written = [...text.normalize('NFKC')]
      const mentions: TitleMention[] = []
      const blanked = [...characters]
      for (let at = 0; at < key.length;) {
        const position = { key, at, origin, characters, written }
        const name = byFirst
          .get(key[at] ?? '')
          ?.find((candidate) => key.startsWith(candidate.key, at) && standsAlone(candidate, position))
        if (name === undefined) {
          at += 1
          continue
        }
        if (!mentions.some((mention) => mention.id === name.id))
          mentions.push({ id: name.id, at, from: origin[at] ?? 0 })
        const [from, to] = [origin[at] ?? 0, origin[at + name.key.length - 1] ?? 0]
        for (let index = from; index <= to; index += 1) blanked[index] = ' '
        at += name.key.length
      }
      const rest = blanked.join('')
      const mentionedIds = new Set(mentions.map((mention) => mention.id))
      const whole = tiny
        .filter(({ id, name }) => !mentionedIds.has(id) && rest.includes(name))
        .map(({ id, name }) => ({ id, at: rest.indexOf(name), from: rest.indexOf(name) }))
      return { mentions: [...mentions, ...whole.slice(0, 1)], rest }
    },
    guess: (text) => guessed(keyed([...fold(text)]).key, names),
  }
}

const GUESS_LENGTH_MIN = 4
const ALIKE_MIN = 0.72

function guessed(key: string, names: readonly Name[]): string | undefined {
  const asked = pairsIn(shortVowels(key))
  if (key.length < GUESS_LENGTH_MIN) return undefined
  let best: { readonly id: string; readonly score: number } | undefined
  for (const name of names) {
    if (Math.abs(name.key.length - key.length) > 3) continue
    const score = alike(asked, pairsIn(shortVowels(name.key)))
    if (score >= ALIKE_MIN && score > (best?.score ?? 0)) best = { id: name.id, score }
  }
  return best?.id
}

/** Romanised Japanese is written with or without long vowels. */
const shortVowels = (key: string): string => key.replaceAll(/ou|oo/gu, 'o').replaceAll('uu', 'u')

function pairsIn(key: string): readonly string[] {
  return Array.from({ length: Math.max(0, key.length - 1) }, (_, index) => key.slice(index, index + 2))
}

/** The share of pairs of letters that two names have in common. */
function alike(a: readonly string[], b: readonly string[]): number {
  const rest = [...b]
  let shared = 0
  for (const pair of a) {
    const at = rest.indexOf(pair)
    if (at === -1) continue
    rest.splice(at, 1)
    shared += 1
  }
  return (2 * shared) / (a.length + b.length || 1)
}

/** A name of one letter is recognised only with its punctuation: 「チ。」. */
function tinyNamesOf({ id, title, aliases }: Product): readonly { readonly id: string; readonly name: string }[] {
  return [title.ja, ...aliases]
    .map(fold)
    .flatMap((name) => /^\p{L}[。．.!！?？]/u.exec(name)?.[0] ?? [])
    .map((name) => ({ id, name }))
}

function namesOf(product: Product): readonly Name[] {
  const { title, aliases } = product
  return [title.ja, title.en, title.romaji, ...aliases].flatMap((name) => {
    const { key } = keyed([...fold(name)])
    const latin = LATIN.test(key[0] ?? '')
    return key.length < (latin ? LATIN_KEY_LENGTH_MIN : KEY_LENGTH_MIN) ? [] : [{ key, id: product.id, latin }]
  })
}

/** The characters without spaces, punctuation and accents, and for each unit of the result its original index. */
function keyed(characters: readonly string[]): { readonly key: string; readonly origin: readonly number[] } {
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

interface Position {
  readonly key: string
  readonly at: number
  readonly origin: readonly number[]
  readonly characters: readonly string[]
  /** The text as the shopper wrote it, with capitals. */
  readonly written: readonly string[]
}

function standsAlone(name: Name, position: Position): boolean {
  return name.latin ? standsAloneInLatin(name, position) : standsAloneInJapanese(name.key, position)
}

/** Titles that are everyday English words: they count only with a capital, and not at the start of a sentence. */
const EVERYDAY = new Set([
  'monster',
  'touch',
  'given',
  'blame',
  'phoenix',
  'kingdom',
  'cobra',
  'orange',
  'beck',
  'emma',
  'atom',
  'orb',
])

/** Only whole words count; a plural or possessive s is allowed. */
function standsAloneInLatin(name: Name, { at, origin, characters, written }: Position): boolean {
  const from = origin[at] ?? 0
  const to = origin[at + name.key.length - 1] ?? 0
  if (LATIN.test(characters[from - 1] ?? ' ')) return false
  const after = characters[to + 1] ?? ' '
  if (LATIN.test(after) && after !== 's') return false
  if (!EVERYDAY.has(name.key)) return true
  const isWhole = from === 0 && to >= characters.length - 2
  const isCapital = /\p{Lu}/u.test(written[from] ?? '')
  return isWhole || (isCapital && (from > 0 || /[!?！？]/u.test(after)))
}

const HIRAGANA_RUN = /^[\p{Script=Hiragana}ー]+$/u
const KATAKANA_RUN = /^[\p{Script=Katakana}ー]+$/u
const KANJI_RUN = /^\p{Script=Han}+$/u
/** The text that may follow a name in hiragana without making it part of another word. */
const AFTER_HIRAGANA_NAME =
  /^(?:$|[^\p{Script=Hiragana}]|[がのはをにともで](?:$|[^\p{Script=Hiragana}])|と\p{Script=Hiragana}{2}|って|みたい|っぽい|より|から|まで|ある|あり|ください|くらい|ぐらい|いくら|すき|どんな|のような|の)/u
const SPECIFIC_LENGTH = 6
const AFTER_SHORT_KANJI = /[好似風系的読全最完在連漫面]/u

const touch = (origin: readonly number[], at: number): boolean => (origin[at + 1] ?? 0) - (origin[at] ?? 0) <= 1

/** A short name is found only where its script starts and ends: not 「ナナ」 in 「バナナ」, nor 「あきら」 in 「あきらめる」. */
function standsAloneInJapanese(name: string, { key, at, origin }: Position): boolean {
  const end = at + name.length
  // Where the key omits a space or a mark, no character is adjacent to the name.
  const before = touch(origin, at - 1) ? (key[at - 1] ?? '') : ''
  const after = touch(origin, end - 1) ? key.slice(end) : ''
  if (KATAKANA_RUN.test(name)) return !KATAKANA_RUN.test(before) && !KATAKANA_RUN.test(after[0] ?? '')
  if (HIRAGANA_RUN.test(name) && name.length < SPECIFIC_LENGTH)
    return !HIRAGANA_RUN.test(before) && AFTER_HIRAGANA_NAME.test(after)
  if (KANJI_RUN.test(name) && name.length <= 2) {
    const next = after[0] ?? ''
    return !KANJI_RUN.test(before) && (!KANJI_RUN.test(next) || AFTER_SHORT_KANJI.test(next))
  }
  return true
}
