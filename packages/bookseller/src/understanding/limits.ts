// The limits that the spans of a message state: money in all or for a volume, length, years, age, status, stock.
import type { Limits, Measure, Role, Span } from './reading.ts'
import { demographicIn } from './aspects.ts'
import { ageIn, numberIn, numbersIn, yearsIn, yenIn } from './numbers.ts'

/** What "short", "long", "cheap", "old" and "new" mean without a number. */
const SHORT_VOLUMES = 10
const LONG_VOLUMES = 20
const CHEAP_VOLUME_YEN = 560
const CLASSIC_YEAR = 1995
const RECENT_YEAR = 2018

const FUTURE_YEAR = 2100
const SINCE = /以降|以後|から|より[後新]|\bsince\b|\bonwards?\b|\bon$|\bafter\b|\bnewer\b|\blater\b|\bfrom\b/iu
const BEFORE = /以前|より[前古]|まで|\bbefore\b|\bpre\b|\bolder\b|\bprior\b|\bearlier\b/iu

type Limit = (text: string) => Limits

const STATED: Partial<Record<Role, Limit>> = {
  'total<': (text) => withYen(upper(text), (totalYenMax) => ({ totalYenMax })),
  'each<': (text) =>
    numberIn(text) === undefined
      ? { volumeYenMax: CHEAP_VOLUME_YEN }
      : withYen(upper(text), (volumeYenMax) => ({ volumeYenMax })),
  'each>': (text) => withYen(text, (volumeYenMin) => ({ volumeYenMin })),
  'vols<': (text) => {
    const volumesMax = lessThan(text, volumesIn(text, 9)) ?? withoutNumber(text, SHORT_VOLUMES)
    return volumesMax === undefined ? {} : { volumesMax }
  },
  'vols>': (text) => {
    const volumesMin = volumesIn(text, 10) ?? withoutNumber(text, LONG_VOLUMES)
    return volumesMin === undefined ? {} : { volumesMin }
  },
  'vols=': (text) => {
    const volumes =
      volumesIn(text, 10) ??
      (/単巻|読み?切り?|\bsingle\b|one[- ]?shot|standalone|self[- ]contained/iu.test(text) ? 1 : undefined)
    return volumes === undefined ? {} : { volumesMax: volumes, volumesMin: volumes }
  },
  'year<': (text) => {
    const years = yearsIn(text)
    if (years === undefined) return { yearTo: CLASSIC_YEAR }
    const isSpan = years.to > years.from
    if (isSpan && BEFORE.test(text)) return { yearTo: /以前/u.test(text) ? years.to : years.from - 1 }
    return isSpan ? { yearFrom: years.from, yearTo: years.to } : { yearTo: years.to }
  },
  'year>': (text) => {
    const years = yearsIn(text)
    if (years === undefined) return { yearFrom: RECENT_YEAR }
    const isOpen = years.to === years.from || years.to >= FUTURE_YEAR || SINCE.test(text)
    return isOpen ? { yearFrom: years.from } : { yearFrom: years.from, yearTo: years.to }
  },
  age: (text) => {
    const age = ageIn(text)
    return age === undefined ? {} : { age }
  },
  for: (text) => {
    const age = ageIn(text)
    return age === undefined || age > 18 ? {} : { age }
  },
  demo: (text) => {
    const demographic = demographicIn(text)
    if (demographic === 'kodomo') return { age: 9 }
    return demographic === undefined ? {} : { demographic }
  },
  avoid: (text) => dislikedLimit(text) ?? {},
  finished: () => ({ status: 'completed' }),
  running: () => ({ status: 'running' }),
  instock: () => ({ inStock: true }),
}

/** An exact age beats the one that a word such as 「小学生」 suggests, so ages are read last; and a number beats "not too old". */
const ORDER: readonly Role[] = ['demo', 'for', 'age']

export function limitsOf(spans: readonly Span[]): Limits {
  const rank = (role: Role) => (role === 'avoid' ? -2 : ORDER.indexOf(role))
  const sorted = spans.toSorted((a, b) => rank(a.role) - rank(b.role))
  const limits = Object.assign({}, ...sorted.map(({ role, text }) => STATED[role]?.(text))) as Limits
  // What is for several readers must suit the youngest.
  const ages = spans.flatMap(({ role, text }) => (role === 'age' ? (ageIn(text) ?? []) : []))
  return ages.length > 1 ? { ...limits, age: Math.min(...ages) } : limits
}

const TOO = String.raw`(?:(?:too|very|so|super|that|really|way too) )?`
const DISLIKED: readonly (readonly [RegExp, Limits])[] = [
  [
    new RegExp(
      `^${TOO}(?:old|dated|ancient)(?: ones| stuff| manga| series)?$|^(?:あまり|すごく)?古(?:い|く|め|すぎ.*|過ぎ.*|い(?:の|もの|漫画|作品))$`,
      'u',
    ),
    { yearFrom: CLASSIC_YEAR + 1 },
  ],
  [
    new RegExp(
      `^${TOO}(?:new|recent|modern)(?: ones| stuff| manga| series)?$|^新し(?:い|すぎ.*|い(?:の|もの|漫画|作品))$`,
      'u',
    ),
    { yearTo: RECENT_YEAR - 1 },
  ],
  [
    new RegExp(
      `^${TOO}(?:long|lengthy|endless)(?: ones| stuff| manga| series)?$|^(?:あまり|すごく)?長(?:い|く|め|編|すぎ.*|過ぎ.*|い(?:の|もの|漫画|作品|シリーズ))$`,
      'u',
    ),
    { volumesMax: LONG_VOLUMES - 1 },
  ],
  [
    new RegExp(`^${TOO}short(?: ones| stuff| manga| series)?$|^短(?:い|すぎ.*|編|い(?:の|もの|漫画|作品))$`, 'u'),
    { volumesMin: SHORT_VOLUMES + 1 },
  ],
  [
    /^(?:the )?(?:unfinished|incomplete|ongoing|not finished|on hiatus|hiatus|still running)(?: ones| stuff| manga| series)?$|^(?:未完|未完結|連載中|休載|休載中|完結してない|完結していない|終わってない|終わっていない)(?:の|のもの|もの|作品|漫画)?$/u,
    { status: 'completed' },
  ],
]

/** A dislike that is the opposite of a limit: 「古い」, "too long", "unfinished". */
export function dislikedLimit(text: string): Limits | undefined {
  const plain = text.normalize('NFKC').toLowerCase().trim()
  return DISLIKED.find(([words]) => words.test(plain))?.[1] ?? (isAdultOnly(plain) ? { age: ADULT_AGE - 1 } : undefined)
}

/** 「18禁」, "R18": the number is no amount. */
export const isAdultOnly = (text: string): boolean => ADULT.test(text.normalize('NFKC').toLowerCase())

const ADULT_AGE = 18
const ADULT =
  /18禁|r-?18|成[人年](?:向け|漫画|指定)|18歳未満|\b18(?:\+|[- ]rated)|\bx[- ]rated|\badults?[- ]only|\bporn|\bhentai|アダルト/u

function withYen(text: string, limit: (yen: number) => Limits): Limits {
  const yen = yenIn(text)
  // A price below that of any volume is a slip, or not a price.
  return yen === undefined || yen < 50 ? {} : limit(yen)
}

/** The larger amount of 「3000円から5000円」, which is what a shopper would pay at most. */
function upper(text: string): string {
  const numbers = numbersIn(text)
  return numbers.length > 1 && yenIn(text) !== undefined ? String(Math.max(...numbers)) : text
}

/** A number that cannot be a length is not "short" either. */
const withoutNumber = (text: string, volumes: number): number | undefined =>
  numberIn(text) === undefined ? volumes : undefined

const TWO_DIGITS = /二桁|2桁|ふた桁|double digits?/iu

/** The number of volumes; `twoDigits` is what 「二桁」 stands for: the first length that has two digits, or the last that has not. */
function volumesIn(text: string, twoDigits: number): number | undefined {
  const plain = text.normalize('NFKC')
  if (TWO_DIGITS.test(plain)) return twoDigits
  const numbers = numbersIn(plain.replace(/一桁|1桁|ひと桁|single digits?/iu, '9'))
  const most = Math.max(...numbers)
  return numbers.length === 0 || most > 300 || most < 1 ? undefined : most
}

/** "Fewer than ten" and 「10巻未満」 exclude ten itself. */
const lessThan = (text: string, volumes: number | undefined): number | undefined =>
  volumes !== undefined &&
  !TWO_DIGITS.test(text.normalize('NFKC')) &&
  /未満|(?:いか|行か|届か)(?:な|$)|(?:less|fewer) than|under|below/iu.test(text)
    ? volumes - 1
    : volumes

/** "It is too long, at most 15": what contradicts a limit was said of something else. */
export function contradicts(measure: Measure, limits: Limits): boolean {
  const { volumesMax, volumesMin, yearFrom, yearTo, volumeYenMin } = limits
  const opposed: Readonly<Partial<Record<Measure, boolean>>> = {
    longer: volumesMax !== undefined,
    shorter: volumesMin !== undefined && volumesMax === undefined,
    newer: yearTo !== undefined && yearFrom === undefined,
    older: yearFrom !== undefined && yearTo === undefined,
    cheaper: volumeYenMin !== undefined,
  }
  return opposed[measure] === true
}
