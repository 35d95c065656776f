// Finds limits that a number and its words state exactly: 「20巻まで」, "three volumes at the very most", 「1万円以内」. They
// apply even where the trained model has not marked the words. An amount without a word of comparison is not a limit.
import { numberIn } from './numbers.ts'
import type { Role, Span } from './reading.ts'

const NUMBER_JA = String.raw`(?:[\d,.]+\s*[万千百]?(?:\d+[千百]?)?|[一二三四五六七八九十百千万]+)`
const NUMBER_EN = String.raw`(?:[¥￥]?\s?\d[\d,.]*\s?k?|(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|dozen|hundred|thousand)[\s-]?(?:of\s)?)+)`
const VOLUMES_EN = String.raw`(?:volumes?|vols?\.?|books|tankobon)`
const YEN_EN = String.raw`(?:yen|jpy)`
const AT_MOST_EN = String.raw`(?:under|below|less than|fewer than|at most|up to|no more than|not more than|max(?:imum)?(?: of)?|within|no longer than|(?:can't|cannot|don't want to) (?:spend|pay) (?:more than|over))`
const AT_MOST_AFTER_EN = String.raw`(?:at (?:the )?(?:very )?most|max(?:imum)?|tops|or (?:less|fewer|under|shorter|below|cheaper)|and (?:under|below))`
const AT_LEAST_EN = String.raw`(?:at least|no (?:less|fewer) than)`
const AT_MOST_JA = String.raw`(?:くらい|ぐらい|程度)?(?:以内|以下|未満|まで|いない|いか(?:な)?|行かな|におさ|でおさ|に収|で収|を?超えな|を?こえな|が限界|が限度|が上限|が精一杯|ぽっきり|ポッキリ)`

const LARGE_JA = String.raw`(?:\d[\d,.]*\s*[万千](?:\d+[千百]?)?|[一二三四五六七八九十]*[万千][一二三四五六七八九]?千?)`
const LARGE_EN = String.raw`(?:\d+(?:\.\d+)?\s?k\b|\d{1,3},?\d{3}\b(?!\s?(?:volumes?|vols?|books|pages|chapters))|(?:[a-z]+[\s-])?(?:thousand|grand)\b)`
const REFUSED_JA = String.raw`(?:は|のは|だと|も|とか)?(?:ちょっと)?(?:無理|嫌|いや|だめ|ダメ|駄目|きつ|しんど|つら|パス|なし|避け|長すぎ|多すぎ|読め(?:な|ませ))`

interface Rule {
  readonly role: Role
  readonly pattern: RegExp
  /** Rewrites the words of the limit where the message states the opposite limit. */
  readonly as?: (amount: string) => string
}

const rule = (role: Role, source: string, as?: Rule['as']): Rule => ({
  role,
  pattern: new RegExp(source, 'giu'),
  ...(as === undefined ? {} : { as }),
})

const RULES: readonly Rule[] = [
  rule('vols<', `(${NUMBER_JA}\\s*[巻冊])以上${REFUSED_JA}`, (amount) => `${amount}未満`),
  rule('vols<', `(${NUMBER_JA}\\s*[巻冊])を?(?:超え?|こえ)(?:る|た|てる)?${REFUSED_JA}`),
  rule('vols<', `\\b(?:nothing|not|no|none) (?:over|above|more than|longer than|past)\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule(
    'vols<',
    `(${NUMBER_EN}\\s?(?:${VOLUMES_EN}|book))s? is (?:the|my|his|her|our)?\\s?(?:absolute )?(?:limit|max(?:imum)?|most)`,
  ),
  rule('vols<', `${NUMBER_JA}\\s*(?:巻|冊|かん|さつ)${AT_MOST_JA}(?!に)`),
  rule('vols<', `${AT_MOST_EN}\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule('vols<', `${NUMBER_EN}\\s?${VOLUMES_EN},?\\s${AT_MOST_AFTER_EN}`),
  rule('vols<', `max(?:imum)?\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule(
    'age',
    `\\b(?:he|she|they|who)(?:['’](?:s|ll be)| is| are| will be| turns| is turning)\\s(?:only |just |about |nearly |almost )?(${NUMBER_EN})(?=(?:\\s(?:a |and\\b|next|this|on\\b|soon|years?|yrs?|y/o))|[,.!]|$)`,
  ),
  rule('vols>', `${NUMBER_JA}\\s*(?:巻|冊)(?:以上|超)`),
  rule('vols>', `${AT_LEAST_EN}\\s${NUMBER_EN}\\s?${VOLUMES_EN}`),
  rule('each<', `(?:1|一)\\s*[冊巻](?:あたり|につき)?\\s*(${NUMBER_JA}\\s*円${AT_MOST_JA})`),
  rule('each<', `${AT_MOST_EN}\\s${NUMBER_EN}\\s?${YEN_EN}?\\s?(?:a|per|each) (?:volume|book)`),
  rule('total<', `${NUMBER_JA}\\s*円${AT_MOST_JA}`),
  rule('total<', `(?:予算|上限)(?:は|が|、|:)?\\s*(?:全部で)?(?:${NUMBER_JA}\\s*円|${LARGE_JA})`),
  rule('total<', `${LARGE_JA}${AT_MOST_JA}(?!に)`),
  rule('total<', `[〜~]\\s*${NUMBER_JA}\\s*円`),
  rule('total<', `(?:${AT_MOST_EN}|budget(?: is|'s| of|:)?)\\s(?:about |around )?[¥￥]?${LARGE_EN}`),
  rule('total<', `[¥￥]?${LARGE_EN},?\\s${AT_MOST_AFTER_EN}`),
  rule('total<', `${AT_MOST_EN}\\s(?:[¥￥]\\s?\\d[\\d,]*(?:\\s?k)?|${NUMBER_EN}\\s?${YEN_EN})`),
  rule('total<', `(?:[¥￥]\\s?\\d[\\d,]*|${NUMBER_EN}\\s?${YEN_EN}),?\\s${AT_MOST_AFTER_EN}`),
]

/** The limits that the text states and no span covers, as spans. */
export function statedLimits(text: string, spans: readonly Pick<Span, 'from' | 'to'>[]): readonly Span[] {
  const found: Span[] = []
  const isFree = (from: number, to: number) => ![...spans, ...found].some((other) => other.from < to && from < other.to)
  for (const { role, pattern, as } of RULES)
    for (const match of text.matchAll(pattern)) {
      const [whole, amount = whole] = match
      const to = match.index + whole.length
      if (numberIn(amount) === undefined || !isFree(match.index, to)) continue
      found.push({ role, text: as?.(amount) ?? amount, from: match.index, to })
    }
  return found
}

/** Adds the stated limits to the marked spans. Where a mark and the words disagree on "at most" or "at least", the words win. */
export function withStatedLimits(text: string, marked: readonly Span[]): readonly Span[] {
  const lengths = statedLimits(text, []).filter(({ role }) => role === 'vols<' || role === 'vols>')
  const isOpposed = (span: Span) =>
    (span.role === 'vols<' || span.role === 'vols>') &&
    lengths.some(({ role, from, to }) => role !== span.role && from < span.to && span.from < to)
  const kept = marked.filter((span) => !isOpposed(span))
  return withPlainLength(text, [...kept, ...statedLimits(text, kept)])
}

/** 「短くて泣ける漫画」, "short romance manga": of a kind of series it is a length, and compares with nothing. */
const SHORT =
  /(?<!もっと|もう少し|ちょっと|より|一番|いちばん)短(?:い|め(?:の|で)|くて)(?!の(?:は|を|が|も|で)|やつ|方|ほう)(?=[^。、,.!?？]{0,12}(?:漫画|マンガ|作品|シリーズ|もの|名作))|\bshort\b(?=,? (?:[a-z-]+,? (?:and )?){0,3}(?:manga|series|comics?|titles)\b)/iu

function withPlainLength(text: string, spans: readonly Span[]): readonly Span[] {
  const match = SHORT.exec(text)
  if (match === null || spans.some(({ role }) => role.startsWith('vols'))) return spans
  const [{ length }, from] = [match[0], match.index]
  const short: Span = { role: 'vols<', text: match[0], from, to: from + length }
  const isCompared = ({ role, from: start, to }: Span) => role === 'cmp' && start < short.to && from < to
  return [...spans.filter((span) => !isCompared(span)), short]
}
