// Where a word of the vocabulary occurs in folded words of a shopper: as a word of its own and not inside another one, such as
// "war" in "award", 「エロ」 in 「ピエロ」 or 「血」 in 「熱血」.

export interface Stretch {
  readonly from: number
  readonly to: number
}

const LATIN = /[a-z\d]/u
const KANJI = /\p{Script=Han}/u
const KATAKANA = /[\p{Script=Katakana}ー]/u
/** The endings of English words that mean the same: "fights", "gloomier" has its own entry. */
const INFLECTED = /^(?:s|es|ed|er|ers|est|ing|y|ish|ly|ness|like)?(?![a-z\d])/u
/** Short words take no other ending: "sexist" is not "sex". */
const INFLECTED_FROM = 5
/** What follows 「怖」 of 「怖い」. */
const OF_ADJECTIVE = /^(?:$|[いくさみめ]|そう|すぎ|過ぎ|かっ|けれ|がら|がり|[^\p{Script=Hiragana}])/u
/** They end like adjectives. */
const NOUNS: ReadonlySet<string> = new Set(['戦い', '闘い', '呪い', 'お笑い', 'たたかい', '笑い'])

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** `word` is folded; an asterisk at its end stands for any ending, and 「怖い」 is also found as 「怖く」. */
export function occurrencesOf(word: string, plain: string): readonly Stretch[] {
  const isAdjective = word.length > 1 && word.endsWith('い') && !NOUNS.has(word)
  const stem = word.endsWith('*') || isAdjective ? word.slice(0, -1) : word
  const found: Stretch[] = []
  for (let from = plain.indexOf(stem); from !== -1 && stem !== ''; from = plain.indexOf(stem, from + 1)) {
    const end = from + stem.length
    const after = plain.slice(end)
    if (LATIN.test(stem[0]!)) {
      const to = endOfLatin(word, plain, { from, to: end })
      if (to !== undefined) found.push({ from, to })
    } else if (isOwn(stem, plain, from) && (!isAdjective || OF_ADJECTIVE.test(after))) found.push({ from, to: end })
  }
  return found
}

function endOfLatin(word: string, plain: string, { from, to }: Stretch): number | undefined {
  if (LATIN.test(plain[from - 1] ?? ' ')) return undefined
  const after = plain.slice(to)
  if (word.endsWith('*')) return to + /^[a-z]*/u.exec(after)![0].length
  const ending = (word.length >= INFLECTED_FROM ? INFLECTED : /^s?(?![a-z\d])/u).exec(after)
  return ending === null ? undefined : to + ending[0].length
}

/** Katakana is cut by the segmenter; a single kanji is part of the word that the kanji beside it make. */
function isOwn(stem: string, plain: string, from: number): boolean {
  const before = plain[from - 1] ?? ''
  if (stem.length === 1 && !KANJI.test(stem)) return false
  if (stem.length === 1) return !KANJI.test(before) && !KANJI.test(plain[from + 1] ?? '')
  if (!KATAKANA.test(stem[0]!) || !KATAKANA.test(before)) return true
  return segmenter.segment(plain).containing(from)?.index === from
}
