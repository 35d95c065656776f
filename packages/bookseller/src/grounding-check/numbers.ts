// Numbers as answers write them: digits with commas, 「1万2千」, 「二十三」, and English words up to a hundred.

const UNITS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
}
const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}
const KANJI = '〇一二三四五六七八九'

const words = (list: Readonly<Record<string, number>>): string => Object.keys(list).join('|')
/** Longer words first: "six" must not be found in "sixteen". */
const UNIT_WORDS = Object.keys(UNITS).toReversed().join('|')

/** The source of a pattern for a number; it has no group. */
export const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9}|[〇一二三四五六七八九十百]{1,6}|\b(?:(?:${words(TENS)})(?:[- ](?:${UNIT_WORDS}))?|${UNIT_WORDS}|a hundred|one hundred)\b)`
/** The same for amounts of money, which may have 万 and 千. */
export const AMOUNT = String.raw`(?:\d{1,4}万(?:\d千|\d{1,4})?|\d千|\d{1,3}(?:,\d{3}){1,3}|\d{1,9})`

/** Parses an amount; undefined for any other text. */
export function amountIn(text: string): number | undefined {
  const plain = text.replaceAll(',', '').toLowerCase()
  if (/^\d+$/u.test(plain)) return Number(plain)
  const grand = /^(\d+)万(?:(\d+)千|(\d{1,4}))?$/u.exec(plain)
  if (grand !== null) return Number(grand[1]) * 10_000 + Number(grand[2] ?? 0) * 1000 + Number(grand[3] ?? 0)
  const thousands = /^(\d+)千$/u.exec(plain)
  if (thousands !== null) return Number(thousands[1]) * 1000
  return ofKanji(plain) ?? ofWords(plain)
}

function ofKanji(text: string): number | undefined {
  if (!/^[〇一二三四五六七八九十百]+$/u.test(text)) return undefined
  const parts = /^(?:([二三四五六七八九]?)百)?(?:([二三四五六七八九]?)十)?([〇一二三四五六七八九]?)$/u.exec(text)
  if (parts === null) return undefined
  const digit = (kanji: string | undefined) => (kanji === undefined ? 0 : kanji === '' ? 1 : KANJI.indexOf(kanji))
  return digit(parts[1]) * 100 + digit(parts[2]) * 10 + (parts[3] === '' ? 0 : KANJI.indexOf(parts[3] ?? ''))
}

function ofWords(text: string): number | undefined {
  if (text === 'a hundred' || text === 'one hundred') return 100
  const [first = '', second] = text.split(/[- ]/u)
  const high = TENS[first] ?? UNITS[first]
  if (high === undefined) return undefined
  return high + (second === undefined ? 0 : (UNITS[second] ?? 0))
}
