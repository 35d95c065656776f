// Limits that a number states by its own words: 「20巻まで」, "three volumes at the very most", 「1万円以内」. Exact, so it holds
// where the trained roles leave such words unmarked; an amount without a word of comparison is not a limit.
import { numberIn } from './numbers.ts'
import type { Role, Span } from './reading.ts'

const NUMBER_JA = String.raw`(?:[\d,.]+\s*[万千百]?(?:\d+[千百]?)?|[一二三四五六七八九十百千万]+)`
const NUMBER_EN = String.raw`(?:[¥￥]?\s?\d[\d,.]*\s?k?|(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|dozen|hundred|thousand)[\s-]?(?:of\s)?)+)`
const VOLUMES_EN = String.raw`(?:volumes?|vols?\.?|books|tankobon)`
const YEN_EN = String.raw`(?:yen|jpy)`
const AT_MOST_EN = String.raw`(?:under|below|less than|fewer than|at most|up to|no more than|not more than|max(?:imum)?(?: of)?|within|no longer than|(?:can't|cannot|don't want to) (?:spend|pay) (?:more than|over))`
const AT_MOST_AFTER_EN = String.raw`(?:at (?:the )?(?:very )?most|max(?:imum)?|tops|or (?:less|fewer|under|shorter|below|cheaper)|and (?:under|below))`
const AT_LEAST_EN = String.raw`(?:at least|no (?:less|fewer) than)`
const AT_MOST_JA = String.raw`(?:くらい|ぐらい|程度)?(?:以内|以下|未満|まで|いない|いか|におさ|に収|で収)`

interface Rule {
  readonly role: Role
  readonly pattern: RegExp
}

const rule = (role: Role, source: string): Rule => ({ role, pattern: new RegExp(source, 'giu') })

const RULES: readonly Rule[] = [
  rule('vols<', `${NUMBER_JA}\\s*(?:巻|冊|かん|さつ)${AT_MOST_JA}(?!に)`),
  rule('vols<', `${AT_MOST_EN}\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule('vols<', `${NUMBER_EN}\\s?${VOLUMES_EN},?\\s${AT_MOST_AFTER_EN}`),
  rule('vols<', `max(?:imum)?\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule('vols>', `${NUMBER_JA}\\s*(?:巻|冊)(?:以上|超)`),
  rule('vols>', `${AT_LEAST_EN}\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule('each<', `(?:1|一)\\s*[冊巻](?:あたり|につき)?\\s*(${NUMBER_JA}\\s*円${AT_MOST_JA})`),
  rule('each<', `${AT_MOST_EN}\\s${NUMBER_EN}\\s?${YEN_EN}?\\s?(?:a|per|each) (?:volume|book)`),
  rule('total<', `${NUMBER_JA}\\s*円${AT_MOST_JA}`),
  rule('total<', `予算(?:は|が|、|:)?\\s*(?:全部で)?${NUMBER_JA}\\s*円`),
  rule('total<', `${AT_MOST_EN}\\s(?:[¥￥]\\s?\\d[\\d,]*(?:\\s?k)?|${NUMBER_EN}\\s?${YEN_EN})`),
  rule('total<', `(?:[¥￥]\\s?\\d[\\d,]*|${NUMBER_EN}\\s?${YEN_EN}),?\\s${AT_MOST_AFTER_EN}`),
]

/** The limits that the text states and no span covers, as spans. */
export function statedLimits(text: string, spans: readonly Pick<Span, 'from' | 'to'>[]): readonly Span[] {
  const found: Span[] = []
  const isFree = (from: number, to: number) => ![...spans, ...found].some((other) => other.from < to && from < other.to)
  for (const { role, pattern } of RULES)
    for (const match of text.matchAll(pattern)) {
      const [whole, amount = whole] = match
      const to = match.index + whole.length
      if (numberIn(amount) === undefined || !isFree(match.index, to)) continue
      found.push({ role, text: amount, from: match.index, to })
    }
  return found
}
