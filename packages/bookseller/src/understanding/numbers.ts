// Numbers in the words of a span: money, volumes, years and ages, in digits, kanji or English words. Exact: what is not
// surely a number is undefined.

const KANJI_DIGITS = '〇一二三四五六七八九'
const UNITS: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1000,
  万: 10_000,
  k: 1000,
  hundred: 100,
  thousand: 1000,
  grand: 1000,
}
const SMALL =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.split(' ').map((word, index) => [word, index + 1] as const),
  ...TENS.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
  ['couple', 2],
])
const DOZEN = 12
const PART = /\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[〇零一二三四五六七八九]+|[十百千万]|[a-z]+|[^\s-]/gu

/** The first number of the text; 「1万5千」 is 15,000, "3k" 3,000, "two thousand five hundred" 2,500. */
export const numberIn = (text: string): number | undefined => numbersIn(text)[0]

/** All numbers of the text, in their order: 「2、3巻」 has two. */
export function numbersIn(text: string): readonly number[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/half (?:a )?dozen/gu, 'six')
  const parts = plain.match(PART) ?? []
  const found: number[] = []
  let sum = emptySum()
  const end = () => {
    if (sum.isStarted) found.push(sum.large + sum.section + (sum.last ?? 0))
    sum = emptySum()
  }
  for (const [index, part] of parts.entries()) {
    const value = valueOf(part)
    if (value !== undefined) {
      // "Twenty-five" is one number; 「2、3」 are two.
      const isTens = sum.last !== undefined && sum.last >= 20 && sum.last % 10 === 0 && value < 10 && WORDS.has(part)
      if (sum.last !== undefined && !isTens) end()
      sum = { ...sum, isStarted: true, last: isTens ? (sum.last ?? 0) + value : value }
    } else if (part === 'dozen') sum = { ...sum, isStarted: true, last: (sum.last ?? 1) * DOZEN }
    else if (Object.hasOwn(UNITS, part) && (part !== 'k' || sum.last !== undefined)) sum = multiplied(sum, UNITS[part]!)
    else if (!joins(part, parts[index + 1], sum)) end()
  }
  end()
  return found
}

interface Sum {
  readonly isStarted: boolean
  /** Tens of thousands that are complete. */
  readonly large: number
  /** What comes before the next 万, without `last`. */
  readonly section: number
  /** The digits that no unit has followed yet. */
  readonly last: number | undefined
}

const emptySum = (): Sum => ({ isStarted: false, large: 0, section: 0, last: undefined })

function multiplied({ large, section, last }: Sum, unit: number): Sum {
  if (unit === 10_000)
    return { isStarted: true, large: large + (section + (last ?? 0) || 1) * unit, section: 0, last: undefined }
  const isWhole = unit === 1000 && last === undefined && section > 0
  return { isStarted: true, large, section: isWhole ? section * unit : section + (last ?? 1) * unit, last: undefined }
}

function valueOf(part: string): number | undefined {
  if (/^\d/u.test(part)) return Number(part.replaceAll(',', ''))
  if (/^[〇零一二三四五六七八九]/u.test(part))
    return Number([...part.replaceAll('零', '〇')].map((digit) => KANJI_DIGITS.indexOf(digit)).join(''))
  return WORDS.get(part)
}

/** "A" before a unit, and "and" after one, are part of a number. */
function joins(part: string, next: string | undefined, sum: Sum): boolean {
  if (next === undefined) return false
  if (part === 'a') return !sum.isStarted && (Object.hasOwn(UNITS, next) || next === 'dozen' || next === 'couple')
  return part === 'and' && sum.isStarted && sum.last === undefined && WORDS.has(next)
}

/** Yen; an amount in dollars or euros is not converted, because the rate is not ours to guess. */
export function yenIn(text: string): number | undefined {
  if (/[$€£]|\b(?:usd|eur|gbp|dollars?|euros?|bucks|pounds?|quid)\b|ドル|ユーロ/iu.test(text)) return undefined
  if (/ワンコイン/u.test(text)) return 500
  return numberIn(text)
}

const SCHOOL: readonly (readonly [RegExp, number])[] = [
  [/小(?:学校?)?\s*(\d|[一二三四五六])(?!\d)/u, 6],
  [/中(?:学校?)?\s*(\d|[一二三])(?!\d)/u, 12],
  [/高(?:校)?\s*(\d|[一二三])(?!\d)/u, 15],
  [/大学?(\d|[一二三四])年/u, 18],
  // A grade without a school is one of the six years of primary school.
  [/(?:^|[^\d])(\d|[一二三四五六])\s*年生/u, 6],
  // British "year 4" is the grade of eight-year-olds; "4 year old" has its number first.
  [/\byear (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)\b(?![\s-]old)/u, 4],
  [/\b(\d{1,2})(?:st|nd|rd|th)[\s-]grade/u, 5],
  [/\bgrade (\d{1,2})\b/u, 5],
  [/\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)[\s-]grade/u, 5],
]
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const STAGES: readonly (readonly [RegExp, number])[] = [
  [/赤ちゃん|乳児|\bbaby\b/u, 1],
  [/幼児|未就学|年少|\btoddler/u, 3],
  [/年中(?:さん|組|の)/u, 4],
  [/保育園|幼稚園|園児|年長|\bkindergart|\bpreschool/u, 5],
  [/(?<![二三四五六七八九])(?:10|十)代/u, 15],
  [/はたち/u, 20],
  [/低学年/u, 7],
  [/中学年/u, 9],
  [/高学年|\bpre-?teens?\b|\btween/u, 11],
  [/小学|\belementary|\bprimary school|\bgrade school/u, 9],
  [/中学|\bmiddle school|\bjunior high/u, 13],
  [/高校|ティーン|\bhigh school|\bteen/u, 16],
  [/大学|\bcollege|\buniversity|\bundergrad/u, 19],
  [/子ども|子供|こども|キッズ|\bkids?\b|\bchild(?:ren)?\b/u, 9],
  [/大人|社会人|\badults?\b|\bgrown/u, 20],
  [/\btwenties\b/u, 20],
  [/アラサー|\bthirties\b/u, 30],
  [/アラフォー|\bforties\b/u, 40],
  [/アラフィフ|\bfifties\b/u, 50],
  [/還暦|\bsixties\b/u, 60],
  [/古希|\bseventies\b/u, 70],
]

/** The age of a reader in years: 「小3」 is nine, "third grader" eight, "teenager" sixteen. */
export function ageIn(text: string): number | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  for (const [pattern, base] of SCHOOL) {
    const grade = pattern.exec(plain)?.[1]
    if (grade !== undefined) return base + (numberIn(grade) ?? ORDINALS.indexOf(grade) + 1)
  }
  // The youngest of several readers decides.
  const numbers = /(?<![二三四五六七八九])(?:10|十)代/u.test(plain)
    ? []
    : numbersIn(plain).filter((number) => number > 0 && number < 100)
  if (numbers.length > 0) return Math.min(...numbers)
  return STAGES.find(([pattern]) => pattern.test(plain))?.[1]
}

const ERAS: readonly (readonly [RegExp, number, number])[] = [
  [/昭和|\bshowa/u, 1926, 1989],
  [/平成|\bheisei/u, 1989, 2019],
  [/令和|\breiwa/u, 2019, 2100],
]

/** The years of 「90年代」, "the nineties", 「昭和」, 「2015年」. */
export function yearsIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  for (const [era, from, to] of ERAS) if (era.test(plain)) return yearsOfEra(plain, { from, to })
  const named = ['fifties', 'sixties', 'seventies', 'eighties', 'nineties'].findIndex((word) => plain.includes(word))
  if (named !== -1) return decade(1950 + named * 10)
  if (/ゼロ年代|\bnoughties\b/u.test(plain)) return decade(2000)
  if (/今世紀|(?:21|二十一)世紀|\b(?:21st|this) century/u.test(plain)) return { from: 2001, to: 2100 }
  if (/20世紀|二十世紀|前世紀|\b(?:20th|last) century/u.test(plain)) return { from: 1901, to: 2000 }
  if (/\bthis decade/u.test(plain)) return decade(Math.floor(THIS_YEAR / 10) * 10)
  const span = PAST.map((pattern) => pattern.exec(plain)?.[1]).find((found) => found !== undefined)
  const back = span === undefined ? undefined : /decade/u.test(span) ? 10 : numberIn(span)
  if (back !== undefined) return { from: THIS_YEAR - back, to: 2100 }
  const tens = /(?:19|20)?(\d0)\s*(?:年代|'?s\b)/u.exec(plain)
  if (tens !== null) {
    const short = Number(tens[1])
    return decade(short >= 50 ? 1900 + short : 2000 + short)
  }
  const year = /(?:19|20)\d\d/u.exec(plain)?.[0] ?? shortYear(plain)
  return year === undefined ? undefined : { from: Number(year), to: Number(year) }
}

/** Nothing here reads a clock: "the last ten years" are counted back from this one. */
const THIS_YEAR = 2026
const PAST = [
  /\b(?:last|past) ((?:\w+ ){1,3}years?|decade)/u,
  /(?:ここ|この|過去|直近)\s*(\d+|[一二三四五六七八九十]+)年/u,
  /(?<!\d)(\d{1,2}|[一二三四五六七八九十]+)年以内/u,
]

/** 「90年」 of 「90年以降」, "'95". A number below fifty is a span of years as a rule. */
function shortYear(plain: string): string | undefined {
  const short = /(?<!\d)([5-9]\d)\s*年(?![代間前生])|'([5-9]\d)\b/u.exec(plain)
  if (short !== null) return `19${short[1] ?? short[2]}`
  const recent = /(?<!\d)([0-2]\d)\s*年(?=以降|以後|より|から)/u.exec(plain)?.[1]
  return recent === undefined ? undefined : `20${recent}`
}

const decade = (from: number) => ({ from, to: from + 9 })

/** 「昭和50年代」 are ten years, 「平成元年」 one, and 「昭和」 alone all of them. */
function yearsOfEra(plain: string, era: { readonly from: number; readonly to: number }) {
  const stated = /元年/u.test(plain) ? 1 : numberIn(plain)
  if (stated === undefined || stated < 1 || era.from + stated - 1 > era.to) return era
  const from = era.from + stated - 1
  return /年代/u.test(plain) ? decade(from) : { from, to: from }
}
