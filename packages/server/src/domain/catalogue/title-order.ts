// The order of titles: by reading in Japanese, by letters in English. A reading that the catalogue lacks is made from the
// romaji, well enough for an order. Pure.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'

type Title = Product['title']

const COLLATORS: Readonly<Record<Language, Intl.Collator>> = {
  ja: new Intl.Collator('ja', { numeric: true }),
  en: new Intl.Collator('en', { numeric: true, ignorePunctuation: true }),
}
const KANJI = /\p{sc=Han}/u
const ARTICLE = /^(?:the|a|an) /i
const ROWS: readonly (readonly [string, string])[] = [
  ['', 'あいうえお'],
  ['k', 'かきくけこ'],
  ['s', 'さしすせそ'],
  ['t', 'たちつてと'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['m', 'まみむめも'],
  ['r', 'らりるれろ'],
  ['g', 'がぎぐげご'],
  ['z', 'ざじずぜぞ'],
  ['d', 'だぢづでど'],
  ['b', 'ばびぶべぼ'],
  ['p', 'ぱぴぷぺぽ'],
]
const VOWELS = 'aiueo'
const SYLLABLES = syllables()
const SYLLABLE_LETTERS_MAX = 3

/** The text by which a title is ordered. */
export function readingOf(title: Title, language: Language): string {
  if (language === 'en') return title.en.replace(ARTICLE, '')
  if (title.kana !== undefined) return title.kana
  return KANJI.test(title.ja) ? kanaOf(title.romaji) : title.ja
}

export function compareReadings(one: string, other: string, language: Language): number {
  return COLLATORS[language].compare(one, other)
}

function syllables(): ReadonlyMap<string, string> {
  const known = new Map<string, string>([
    ...Object.entries({ shi: 'し', chi: 'ち', tsu: 'つ', fu: 'ふ', ji: 'じ', wa: 'わ', wo: 'を', n: 'ん' }),
    ...Object.entries({ ya: 'や', yu: 'ゆ', yo: 'よ' }),
  ])
  for (const [consonant, kana] of ROWS) {
    for (const [index, vowel] of [...VOWELS].entries()) known.set(consonant + vowel, kana[index] ?? '')
    const before = kana[1] ?? ''
    if (consonant !== '')
      for (const small of ['aゃ', 'uゅ', 'oょ']) known.set(`${consonant}y${small[0]}`, before + small[1])
  }
  for (const [consonant, before] of [
    ['sh', 'し'],
    ['ch', 'ち'],
    ['j', 'じ'],
  ] as const)
    for (const small of ['aゃ', 'uゅ', 'oょ']) known.set(consonant + small[0], before + small[1])
  return known
}

function kanaOf(romaji: string): string {
  const text = romaji.toLowerCase().replace(/[^a-z0-9]/g, '')
  let kana = ''
  for (let at = 0; at < text.length;) {
    const syllable = syllableAt(text, at)
    // A doubled consonant is a small tsu; any other letter, as of a foreign word, stays.
    kana += SYLLABLES.get(syllable) ?? (text[at] === text[at + 1] ? 'っ' : syllable)
    at += syllable.length
  }
  return kana
}

function syllableAt(text: string, at: number): string {
  for (let length = SYLLABLE_LETTERS_MAX; length > 0; length -= 1) {
    const syllable = text.slice(at, at + length)
    if (SYLLABLES.has(syllable)) return syllable
  }
  return text[at] ?? ''
}
