// Numbers in the words of a span: money, volumes, years and ages, in digits, kanji or English words. Exact: what is not
// surely a number is undefined.

const KANJI_DIGITS: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const KANJI_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }
const WORDS: Readonly<Record<string, number>> = {
  one: 1,
  a: 1,
  two: 2,
  couple: 2,
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
  dozen: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
}

/** The first number of the text; 「1万5千」 is 15,000, "3k" 3,000, "two thousand" 2,000. */
export function numberIn(text: string): number | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  return digitsIn(plain) ?? kanjiNumberIn(plain) ?? wordsIn(plain)
}

function digitsIn(text: string): number | undefined {
  const match = /(\d+(?:,\d{3})+|\d+(?:\.\d+)?)\s*(万|千|百|k\b)?\s*(?:(\d+)\s*(千|百)?)?/u.exec(text)
  if (match === null) return undefined
  const value = Number((match[1] ?? '').replaceAll(',', ''))
  const unit = { 万: 10_000, 千: 1000, 百: 100, k: 1000 }[match[2] ?? ''] ?? 1
  const rest =
    unit === 10_000 && match[3] !== undefined ? Number(match[3]) * ({ 千: 1000, 百: 100 }[match[4] ?? ''] ?? 1) : 0
  return value * unit + rest
}

function kanjiNumberIn(text: string): number | undefined {
  const run = /[〇零一二三四五六七八九十百千万]+/u.exec(text)?.[0]
  if (run === undefined) return undefined
  const [left = '', right = ''] = run.includes('万') ? run.split('万') : ['', run]
  return (run.includes('万') ? (left === '' ? 1 : belowTenThousand(left)) * 10_000 : 0) + belowTenThousand(right)
}

function belowTenThousand(run: string): number {
  let sum = 0
  let digit: number | undefined
  for (const character of run) {
    const unit = KANJI_UNITS[character]
    if (unit === undefined) digit = (digit ?? 0) * (digit === undefined ? 1 : 10) + (KANJI_DIGITS[character] ?? 0)
    else {
      sum += (digit ?? 1) * unit
      digit = undefined
    }
  }
  return sum + (digit ?? 0)
}

function wordsIn(text: string): number | undefined {
  const words = text.split(/[\s-]+/u)
  const at = words.findIndex((word) => word !== 'a' && Object.hasOwn(WORDS, word))
  if (at === -1) return undefined
  let value = WORDS[words[at]!]!
  for (const word of words.slice(at + 1)) {
    const next = Object.hasOwn(WORDS, word) ? WORDS[word]! : undefined
    if (next === undefined) break
    value = next >= 100 ? value * next : value + next
  }
  return value
}

/** Yen; an amount in dollars or euros is not converted, because the rate is not ours to guess. */
export function yenIn(text: string): number | undefined {
  if (/[$€£]|\b(?:usd|eur|gbp|dollars?|euros?|bucks|pounds?|quid)\b|ドル|ユーロ/iu.test(text)) return undefined
  if (/ワンコイン/u.test(text)) return 500
  return numberIn(text)
}

const SCHOOL: readonly (readonly [RegExp, number])[] = [
  [/小学?校?(\d|[一二三四五六])年?/u, 6],
  [/中学?校?(\d|[一二三])年?/u, 12],
  [/高校?(\d|[一二三])年?/u, 15],
]
const STAGES: readonly (readonly [RegExp, number])[] = [
  [/赤ちゃん|乳児|\bbaby\b/u, 1],
  [/幼児|未就学|\btoddler\b/u, 3],
  [/保育園|幼稚園|園児|年長|\bkindergart|\bpreschool/u, 5],
  [/低学年|\b(?:first|1st|second|2nd) grade/u, 7],
  [/中学年|\b(?:third|3rd|fourth|4th) grade/u, 9],
  [/高学年|\b(?:fifth|5th|sixth|6th) grade|\btween/u, 11],
  [/小学生|\belementary|\bprimary school|\bgrade school/u, 9],
  [/中学生|\bmiddle school|\bjunior high/u, 13],
  [/高校生|\bhigh school|\bteen/u, 16],
  [/子ども|子供|こども|キッズ|\bkids?\b|\bchild(?:ren)?\b/u, 9],
  [/大人|社会人|\badults?\b|\bgrown/u, 20],
]

/** The age of a reader in years: 「小3」 is nine, "teenager" sixteen. */
export function ageIn(text: string): number | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  for (const [pattern, base] of SCHOOL) {
    const grade = pattern.exec(plain)?.[1]
    if (grade !== undefined) return base + (numberIn(grade) ?? 1)
  }
  const stage = STAGES.find(([pattern]) => pattern.test(plain))?.[1]
  const number = numberIn(plain)
  if (number !== undefined && number > 0 && number < 100) return number
  return stage
}

/** The years of 「90年代」, "the nineties", 「昭和」, 「2015年」. */
export function yearsIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  if (/昭和|\bshowa/u.test(plain)) return { from: 1926, to: 1989 }
  if (/平成|\bheisei/u.test(plain)) return { from: 1989, to: 2019 }
  if (/令和|\breiwa/u.test(plain)) return { from: 2019, to: 2100 }
  const named = ['fifties', 'sixties', 'seventies', 'eighties', 'nineties'].findIndex((word) => plain.includes(word))
  if (named !== -1) return decade(1950 + named * 10)
  const tens = /(?:19|20)?(\d0)\s*(?:年代|'?s\b)/u.exec(plain)
  if (tens !== null) {
    const short = Number(tens[1])
    return decade(short >= 50 ? 1900 + short : 2000 + short)
  }
  const year = /(?:19|20)\d\d/u.exec(plain)?.[0]
  return year === undefined ? undefined : { from: Number(year), to: Number(year) }
}

const decade = (from: number) => ({ from, to: from + 9 })
