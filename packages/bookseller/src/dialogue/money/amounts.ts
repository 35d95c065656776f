// How much of a series is meant: all of it, one volume, the first three, several copies. Exact: numbers beside the words for
// volumes and sets, each given to the series that it stands with.
import { numberIn } from '../../understanding/numbers.ts'
import type { Span } from '../../understanding/reading.ts'

/** Without `from` and `to` all volumes; without `copies` one of each. */
export interface Amount {
  readonly from?: number
  readonly to?: number
  readonly copies?: number
  /** Volumes that do not follow each other: 3 and 7. */
  readonly volumes?: readonly number[]
}

/** Series and amounts that are added up. */
export interface Sum {
  readonly ids: readonly string[]
  readonly amounts?: Readonly<Record<string, Amount>>
}

export interface StatedAmount extends Amount {
  readonly start: number
  readonly end: number
  /** "of X" follows: it belongs to the next series. */
  readonly isBefore: boolean
  /** The words do not say "volumes" ("the first three"): they count volumes only if exactly one series is meant. */
  readonly isBare?: true
}

const COUNT =
  '(?:\\d{1,3}|a couple of|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|a dozen|a few)'
const KANJI = '[\\d一二三四五六七八九十]{1,3}'
const VOLUME = '(?:volumes?|vols?\\.?|books?|bks?)'
const DASH = '\\s*(?:-|–|〜|~|ー|から|to|through|thru)\\s*'
const OF = /^\s*(?:only |just |each )?of\b/iu

type Rule = readonly [
  pattern: RegExp,
  amount: (numbers: readonly number[], words: readonly string[]) => Amount | undefined,
]

const BARE = /\bfirst ([23]|two|three|few|couple)\b(?! (?:ones?|of|series|titles?|manga|picks?|suggestions?)\b)/giu

const RULES: readonly Rule[] = [
  // 「1巻と2巻」, 「1・2巻」
  [
    new RegExp(
      `(?<![全刊何数\\d一二三四五六七八九十])(${KANJI})(?:巻|冊)?((?:\\s*[と・、,]\\s*${KANJI}(?:巻|冊)?)*\\s*[と・、,]\\s*${KANJI}(?:巻|冊))(?!目?(?:以内|以下|以上|くらい|ぐらい|完結))`,
      'giu',
    ),
    listed,
  ],
  [
    new RegExp(`(${KANJI})\\s*(?:巻|冊)?${DASH}(${KANJI})\\s*(?:巻|冊)(?:目)?(?:まで)?`, 'giu'),
    ([from, to]) => span(from, to),
  ],
  [new RegExp(`(?:最初|はじめ|初め|頭)(?:の|から)?(${KANJI})(?:巻|冊)`, 'giu'), ([to]) => span(1, to)],
  [new RegExp(`(?<![全刊\\d一二三四五六七八九十])(${KANJI})巻(?:まで|分)`, 'giu'), ([to]) => span(1, to)],
  [
    new RegExp(
      `(?<![全刊何数\\d一二三四五六七八九十])(${KANJI})(?:巻目?|冊目)(?!以内|以下|以上|くらい|ぐらい|完結|で完結|セット|ずつ)`,
      'giu',
    ),
    ([one]) => span(one, one),
  ],
  // 「6冊」 counts them.
  [
    new RegExp(
      `(?<![全刊何数巻\\d一二三四五六七八九十])(${KANJI})冊(?!目|以内|以下|以上|くらい|ぐらい|完結|で完結|ずつ|セット)`,
      'giu',
    ),
    ([to]) => span(1, to),
  ],
  [new RegExp(`(${KANJI})\\s*(?:セット|組|部|冊ずつ|人分)`, 'giu'), ([copies]) => copiesOf(copies)],
  [
    new RegExp(
      `\\b${VOLUME}\\s*(${COUNT})((?:\\s*(?:,|and|&|\\+|,\\s*and)\\s*${COUNT}(?!\\s+(?:of|sets?|copies)\\b))+)\\b`,
      'giu',
    ),
    listed,
  ],
  [new RegExp(`\\b${VOLUME}\\s*(${COUNT})${DASH}(${COUNT})\\b`, 'giu'), ([from, to]) => span(from, to)],
  [new RegExp(`\\bfirst (${COUNT}) ${VOLUME}\\b`, 'giu'), ([to]) => span(1, to)],
  // "The first ten": more than a list has.
  [/\bfirst ([4-9]|\d\d+|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)\b/giu, ([to]) => span(1, to)],
  [BARE, ([to]) => span(1, to)],
  [new RegExp(`\\b(?:volume|vol\\.?|book)\\s*(${COUNT})\\b`, 'giu'), ([one]) => span(one, one)],
  [/\b(?:(?:just|only) )?(?:the )?first (?:volume|vol|book)\b/giu, () => span(1, 1)],
  [/\b(?:one|a single|a) (?:volume|vol)\b/giu, () => span(1, 1)],
  [
    new RegExp(`(?<!\\bthe )\\b(${COUNT}) (?:(?:full|complete|whole|entire) )?(?:sets|copies)\\b`, 'giu'),
    ([copies]) => copiesOf(copies),
  ],
]

/** "Volumes 1, 2 and 3" are 1 to 3; "3 and 7" are those two. */
function listed(_: readonly number[], [first = '', more = '']: readonly string[]): Amount | undefined {
  const words = [first, ...more.split(/,|\band\b|&|\+|[と・、]/iu)].map((one) => one.trim()).filter((one) => one !== '')
  const numbers = [...new Set(words.map(countIn))].toSorted((a, b) => a - b)
  const [from, to] = [numbers[0] ?? 0, numbers.at(-1) ?? 0]
  if (from < 1) return undefined
  return to - from === numbers.length - 1 ? { from, to } : { volumes: numbers }
}

function span(from: number | undefined, to: number | undefined): Amount | undefined {
  return from === undefined || to === undefined || from < 1 || to < from ? undefined : { from, to }
}

const copiesOf = (copies: number | undefined): Amount | undefined =>
  copies === undefined || copies < 2 ? undefined : { copies }

/** In the order of the text; a number that was read as part of a longer amount is not read again. */
export function amountsIn(text: string): readonly StatedAmount[] {
  const plain = text.normalize('NFKC').replaceAll(/(?<=[\d一二三四五六七八九十])\s?さつ/gu, '冊')
  const found: StatedAmount[] = []
  for (const [pattern, amountOf] of RULES)
    for (const match of plain.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      if (found.some((one) => one.start < end && start < one.end)) continue
      const words = match.slice(1)
      const amount = amountOf(words.map(countIn), words)
      const bare = pattern === BARE ? { isBare: true as const } : {}
      if (amount !== undefined) found.push({ ...amount, start, end, isBefore: OF.test(plain.slice(end)), ...bare })
    }
  return found.toSorted((a, b) => a.start - b.start)
}

function countIn(words: string): number {
  if (/couple/iu.test(words)) return 2
  return /few/iu.test(words) ? 3 : (numberIn(words) ?? 0)
}

/** A series and the words that mean it. */
export interface Placed {
  readonly id: string
  readonly span?: Pick<Span, 'from' | 'to'>
}

/** The amount of each series that has one. An amount without a series of its own counts for all of them. */
export function amountsOf(text: string, series: readonly Placed[]): Readonly<Record<string, Amount>> {
  const amounts: Record<string, Amount> = {}
  for (const stated of amountsIn(text)) {
    const { start, end, isBefore, isBare, ...amount } = stated
    // The first three of a list are three series.
    if (isBare === true && series.length > 1) continue
    const owner = series.length === 1 ? series[0] : ownerOf({ start, end, isBefore }, series)
    for (const { id } of owner === undefined ? series : [owner]) amounts[id] = { ...amounts[id], ...amount }
  }
  return amounts
}

function ownerOf(
  { start, end, isBefore }: Pick<StatedAmount, 'start' | 'end' | 'isBefore'>,
  series: readonly Placed[],
): Placed | undefined {
  const placed = series.flatMap((one) => (one.span === undefined ? [] : [{ ...one, span: one.span }]))
  const after = placed.filter(({ span: { from } }) => from >= end).toSorted((a, b) => a.span.from - b.span.from)[0]
  const before = placed.filter(({ span: { to } }) => to <= start).toSorted((a, b) => b.span.to - a.span.to)[0]
  return isBefore ? (after ?? before) : (before ?? after)
}
