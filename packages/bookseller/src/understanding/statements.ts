// Statements of shoppers about themselves: series that they like, volumes that they own, and their budget. Only the
// words right before or after a title count, so that a question about another series in the same message is no
// statement. Used by `understand`; `pinned` collects them for the conversation.

export interface Owned {
  readonly id: string
  /** Absent when the message does not say which. */
  readonly volumes?: 'all' | { readonly from: number; readonly to: number }
}

export interface Statements {
  readonly liked: readonly string[]
  readonly owned: readonly Owned[]
  /** The limit for one volume. */
  readonly budgetYen?: number
}

interface Mention {
  readonly id: string
  /** The start in the text, in code points. */
  readonly from: number
}

/** `text` is folded, with blanks in place of the titles. */
export function readStatements(text: string, mentions: readonly Mention[]): Statements {
  const characters = [...plain(text)]
  const around = mentions.map(({ id, from }) => ({
    id,
    before: characters.slice(Math.max(0, from - AROUND_MAX), from).join(''),
    after: characters
      .slice(from, from + AROUND_MAX)
      .join('')
      .trimStart(),
  }))
  const budgetYen = budgetIn(text)
  return {
    liked: around
      .filter(({ before, after }) => LIKED_BEFORE.test(before) || LIKED_AFTER.test(after))
      .map(({ id }) => id),
    owned: around.flatMap(({ id, before, after }) => ownedOf(id, before, after)),
    ...(budgetYen === undefined ? {} : { budgetYen }),
  }
}

/** A statement about a title is within so many characters of it. */
const AROUND_MAX = 120

const plain = (text: string): string => text.replaceAll('’', "'")

/** "I'd like X" and "something like X" are requests, not statements. Titles joined to a liked one are liked too. */
const LIKED_BEFORE =
  /(?:\b(?:i|we)(?: (?:really|also|do|always|still|just|absolutely))* (?:love|loved|like|liked|enjoy|enjoyed|adore|adored)|\bfans? of|\bfavou?rites?(?: (?:manga|series|ones?))? (?:is|are|was|were))(?:[\s,]|\band\b|\bboth\b|\balso\b|\bthe\b)*$/u
const LIKED_AFTER =
  /^s?[』」\s]*(?:[はがも]?(?:とても|すごく|本当に|一番|ずっと)?(?:大好き|好き(?!じゃ|では|でも|か|です?か)|お気に入り)|(?:is|are|was|were) (?:my|our)(?: \w+)? favou?rites?\b)/u

/** Only words of an amount may stand between verb and title: after any other word a question may begin. */
const OWNED_BEFORE =
  /(?<!\bdo |\bdid )\b(?:i|we)(?:'ve| have)?(?: (?:already|only|now|still|currently))* (?:own|have|got|bought|collected)((?:[\s,\d~–-]|\b(?:all|every|the|first|volumes?|vols?\.?|books?|up|to|through|until|of|and|both|complete|whole|entire|set|series)\b)*)$/u
const OWNED_AFTER =
  /^[』」\s]*[はもをの]?[、\s]*((?:もう|すでに|既に)?(?:全巻|全部|すべて|全て|\d+巻?(?:から|[~〜–-])\d+巻|\d+巻)?(?:まで|だけ)?)(?:を|は|も|もう|すでに|既に)?(?:持って|所有して|揃えて|そろえて)(?!な|いな|いませ|ませ|い?ますか|い?る[?？かの])/u
const VOLUMES_AFTER = /^s?[\s,(]*(?:,? ?)((?:up to|volumes?|vols?\.?|the first) [^.!?]{0,30})/u

function ownedOf(id: string, before: string, after: string): readonly Owned[] {
  const english = OWNED_BEFORE.exec(before)
  const said = english === null ? OWNED_AFTER.exec(after)?.[1] : `${english[1]} ${VOLUMES_AFTER.exec(after)?.[1] ?? ''}`
  if (said === undefined) return []
  const volumes = volumesIn(said)
  return [{ id, ...(volumes === undefined ? {} : { volumes }) }]
}

const RANGE = /(\d+)\s*巻?\s*(?:から|to|through|until|[~〜–-])\s*(\d+)/u
const UP_TO = /(?:up to|until|through|first)\s*(?:vol\w*\.?\s*)?(\d+)|(\d+)巻まで/u
const ONE = /(\d+)/u

function volumesIn(said: string): Owned['volumes'] {
  const [, first, last] = RANGE.exec(said) ?? []
  if (first !== undefined && last !== undefined) return { from: Number(first), to: Number(last) }
  const upTo = UP_TO.exec(said)
  if (upTo !== null) return { from: 1, to: Number(upTo[1] ?? upTo[2]) }
  const one = ONE.exec(said)?.[1]
  if (one !== undefined) return { from: Number(one), to: Number(one) }
  return /全巻|全部|すべて|全て|\b(?:all|every|complete|whole|entire)\b/u.test(said) ? 'all' : undefined
}

/** Removes owned volumes (「5巻まで持ってる」), which are no wish for a short series. */
export function withoutOwned(text: string): string {
  return text.replaceAll(
    /(?<!\d)\d+(?:巻?(?:から|[~〜–-])\d+)?巻?(?:まで|だけ)?(?:を|は|も|もう)?(?:持って|所有して|揃えて|そろえて)\S*/gu,
    ' ',
  )
}

/** Includes the unit, so that the yen of a budget are not mistaken for a question about a price. */
const BUDGET =
  /(?:予算[はがも]?(?:[、\s]|だいたい|大体|約|一冊|1冊|一巻|1巻|あたり|につき|で|最大)*(?:¥\s*)?(\d[\d,]*)\s*円|\bbudget(?: (?:is|of|would be))?:?(?: (?:about|around|roughly|only|just|at most|up to|max|maximum|under|below))*\s*(?:¥\s*)?(\d[\d,]*)|\bspend(?: (?:about|around|only|just|at most|up to|max|no more than))*\s*(?:¥\s*)?(\d[\d,]*)(?= ?(?:yen|jpy|円)))(?: ?(?:yen|jpy|円))?(?: ?(?:max|maximum|or less|以内|以下|まで|くらい|ぐらい))?(?: (?:per|a|each|for (?:a|one|each)) (?:volume|vol|book))?/gu
/** A smaller number is a number of volumes, or a typing error. */
const BUDGET_YEN_MIN = 100

export function budgetIn(text: string): number | undefined {
  const [, ...groups] = text.matchAll(BUDGET).next().value ?? []
  const digits = groups.find((group) => group !== undefined)
  const yen = digits === undefined ? 0 : Number(digits.replaceAll(',', ''))
  return yen >= BUDGET_YEN_MIN ? yen : undefined
}

export const withoutBudget = (text: string): string => text.replaceAll(BUDGET, ' ')
