// The places in a list that a message names: 「2番目」, "the first two", 「一番下」. Exact: a place is a number that the
// words state, whatever a model took them for.
import { numberIn } from '../../understanding/numbers.ts'

export interface Place {
  /** From 1; negative counts from the end. */
  readonly at: number
  readonly from: number
  readonly to: number
}

const NUMBER = '(\\d{1,2}|[一二三四五六七八九]|ひと|ふた|みっ|よっ)'
const KANA: Readonly<Record<string, number>> = { ひと: 1, ふた: 2, みっ: 3, よっ: 4 }
const ENGLISH: Readonly<Record<string, number>> = {
  first: 1,
  top: 1,
  second: 2,
  middle: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: -1,
  bottom: -1,
  final: -1,
}
/** Nouns after which a number is a count and not a position in the list. */
const COUNTED =
  '(?:\\s+(?:[4-9]|\\d\\d+|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|fifteen|twenty)\\b|\\s*(?:\\d+|two|three|four|five|few|couple of)?\\s*(?:volumes?|vols?\\b|books?|chapters?|seasons?|episodes?|editions?|years?|grade|time|name|half|part|page|world|place|thing|person|class|love|date|day|week|month|order|parcel|message|question))'

const JAPANESE_PLACE = new RegExp(`${NUMBER}\\s*(?:番目?(?!号)|ばん\\s*め|つ\\s*(?:目|め)|個目|作目)`, 'gu')
const JAPANESE_WORDS: readonly (readonly [RegExp, number])[] = [
  [
    /(?:一番|いちばん)\s*(?:上|うえ|はじめ|最初|初め)|(?:先頭|最初|はじめ)の(?:やつ|もの|ほう|方|作品|漫画|候補|一つ|ひとつ|は|が)/gu,
    1,
  ],
  [/真ん中|まんなか/gu, 2],
  [/(?:一番|いちばん)\s*(?:下|した|最後|さいご|後)|最後の(?:やつ|もの|ほう|方|作品|漫画|候補|一つ|ひとつ|は|が)/gu, -1],
]
const JAPANESE_SEVERAL = new RegExp(`(最初|上|はじめ|最後|下)の(\\d|[二三四])つ`, 'gu')
const ORDINAL = '(1st|2nd|3rd|4th|5th|first|second|third|fourth|fifth|last|final|top|middle|bottom)'
const ENGLISH_PLACE = new RegExp(
  `\\b(?:(?:the|your|that|ur|their|very)\\s+)*${ORDINAL}(?:\\s+(two|three|2|3)\\b(?!${COUNTED}))?(?!${COUNTED})(\\s+ones?\\b|\\s+(?:of|on|in)\\s+(?:the|your|those|them|these)\\b|\\s+(?:title|series|manga|pick|suggestion|recommendation|option|choice)s?\\b)?`,
  'giu',
)
const NUMBERED = /(?:\b(?:number|no\.?|option|#)\s*)(\d)\b(?!\s*(?:volumes?|vols?|yen|円|巻))/giu
/** 「2の値段」: a number alone, of which something is asked. */
const NUMBER_ALONE =
  /(?<=^|[\s、。,.!?！？])([1-5])(?=の(?:値段|価格|在庫|作者|著者|巻数|全巻|合計|あらすじ|内容|やつ|ほう|方)|って|はいくら)/gu
/** The word before an ordinal that makes it a place without "one" after it. */
const ARTICLE = /^(?:(?:the|your|that|ur)\s)/iu

export function placesIn(text: string): readonly Place[] {
  const plain = text.normalize('NFKC')
  const found = [...japanesePlaces(plain), ...englishPlaces(plain), ...numbered(plain)]
  return found
    .toSorted((a, b) => a.from - b.from || a.at - b.at)
    .filter((place, index, all) => all.findIndex(({ at }) => at === place.at) === index)
}

function japanesePlaces(text: string): readonly Place[] {
  const several = [...text.matchAll(JAPANESE_SEVERAL)].flatMap((match) =>
    counted(match, { count: numberIn(match[2] ?? '') ?? 2, isFromEnd: match[1] === '最後' || match[1] === '下' }),
  )
  const numbers = [...text.matchAll(JAPANESE_PLACE)].flatMap((match): readonly Place[] => {
    const at = KANA[match[1] ?? ''] ?? numberIn(match[1] ?? '')
    // 「一番」 alone is "the most".
    const isMost = /^[一]番$/u.test(match[0])
    return at === undefined || at === 0 || isMost ? [] : [{ at, ...extent(match) }]
  })
  const words = JAPANESE_WORDS.flatMap(([pattern, at]) =>
    [...text.matchAll(pattern)].map((match) => ({ at, ...extent(match) })),
  )
  return [...several, ...numbers, ...words]
}

function englishPlaces(text: string): readonly Place[] {
  return [...text.matchAll(ENGLISH_PLACE)].flatMap((match): readonly Place[] => {
    const [whole, ordinal = '', several, noun] = match
    // "Alright, second then": a numeral or an article makes it a place.
    if (several === undefined && noun === undefined && !ARTICLE.test(whole) && !/\d/u.test(ordinal)) return []
    const at = ENGLISH[ordinal.toLowerCase()] ?? Number.parseInt(ordinal, 10)
    if (several !== undefined) return counted(match, { count: numberIn(several) ?? 2, isFromEnd: at < 0 })
    return [{ at, ...extent(match) }]
  })
}

const numbered = (text: string): readonly Place[] =>
  [...text.matchAll(NUMBERED), ...text.matchAll(NUMBER_ALONE)].map((match) => ({
    at: Number(match[1]),
    ...extent(match),
  }))

function counted(
  match: RegExpMatchArray,
  { count, isFromEnd }: { readonly count: number; readonly isFromEnd: boolean },
): readonly Place[] {
  return Array.from({ length: Math.min(count, 4) }, (_, index) => ({
    at: isFromEnd ? index - count : index + 1,
    ...extent(match),
  }))
}

function extent(match: RegExpMatchArray): { readonly from: number; readonly to: number } {
  const from = match.index ?? 0
  return { from, to: from + match[0].length }
}

/** The series at a place; an earlier list answers for a place that the last one does not have. */
export function atPlace(place: number, lists: readonly (readonly string[])[]): string | undefined {
  for (const list of lists) {
    const id = list.at(place > 0 ? place - 1 : place)
    if (id !== undefined) return id
  }
  return undefined
}
