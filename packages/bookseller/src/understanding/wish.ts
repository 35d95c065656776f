// Reads wishes and filters from a message: genres and moods, wanted or not, and limits such as "finished", "short",
// "cheap", "under ten volumes", "from the nineties".
import type { Filters, Wish } from './ask.ts'
import type { PeopleIndex } from './people.ts'
import { utteranceOf, contains, spansOf } from './utterance.ts'
import type { Utterance, Span } from './utterance.ts'
import { budgetIn } from './statements.ts'
import { GENRES, MOODS, READERSHIPS } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The meaning of "short", "long" and "cheap" when no series was shown to compare with. */
const SHORT_VOLUMES = 10
const LONG_VOLUMES = 25
const NOT_LONG_VOLUMES = 15
const CHEAP_YEN = 560

const PHRASES = {
  completed: ['完結', '完結済み', '終わった', '終わってる', '最後まで', 'finished', 'completed', 'complete', 'ended'],
  running: ['連載中', '続いている', '続いてる', '未完', 'ongoing', 'still running', 'currently running', 'unfinished'],
  inStock: [
    '在庫あり',
    '在庫がある',
    '在庫のある',
    '在庫有り',
    '今買える',
    'すぐ買える',
    'in stock',
    'available now',
    'can buy now',
  ],
  short: [
    '短い',
    '短め',
    '短くて',
    '短編',
    '巻数が少ない',
    '巻数少なめ',
    'すぐ読める',
    'さくっと',
    'サクッと',
    'short',
    'shorter',
    'quick read',
  ],
  notLong: ['長すぎない', '長くない', 'not too long', 'not very long'],
  notCompleted: [
    '完結していな',
    '完結してな',
    '完結じゃな',
    '終わっていな',
    '終わってな',
    'not finished',
    'not yet finished',
    'not completed',
    'not complete',
    'not ended',
    "isn't finished",
    "isn't complete",
    "hasn't ended",
  ],
  notRunning: ['連載中じゃな', '連載中ではな', '連載中以外', 'not ongoing', 'not still running', 'not running'],
  hiatus: ['休載', '休載中', 'on hiatus', 'hiatus'],
  long: [
    '長い',
    '長編',
    '長め',
    '巻数が多い',
    'longer',
    'long running',
    'something long',
    'long series',
    'long manga',
    'long one',
    'long story',
  ],
  cheap: [
    '安い',
    '安め',
    '安く',
    'お手頃',
    '手頃',
    'リーズナブル',
    'cheap',
    'cheaper',
    'affordable',
    'inexpensive',
    'budget',
  ],
  classic: ['名作', '古典', 'クラシック', '昔の', '古い', 'classic', 'classics', 'old', 'older'],
  recent: ['最近', '新しい', '最新', '新作', 'recent', 'newer', 'new', 'latest', 'modern'],
} as const

const CLASSIC_YEAR_MAX = 1990
const RECENT_YEAR_MIN = 2015

export const containsAny = (utterance: Utterance, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => contains(utterance, phrase))

export function readWish(utterance: Utterance, people: PeopleIndex): Wish {
  const wished = withoutStatusDenied(utterance)
  const genres = keysSaid(wished, GENRES)
  const authors = people.authors(utterance)
  const avoidAuthors = authors.filter(({ name }) => isNegated(utterance, name)).map(({ means }) => means)
  const moods = keysSaid(genres.wanted.includes('dark-fantasy') ? withoutDarkFantasy(wished) : wished, MOODS)
  return {
    genres: genres.wanted.includes('dark-fantasy')
      ? genres.wanted.filter((genre) => genre !== 'fantasy')
      : genres.wanted,
    moods: moods.wanted,
    avoid: [...genres.unwanted, ...moods.unwanted],
    ...(avoidAuthors.length === 0 ? {} : { avoidAuthors }),
    filters: readFilters(utterance, people, authors.find(({ means }) => !avoidAuthors.includes(means))?.means),
  }
}

/** "Not finished horror" negates "finished", not "horror". */
function withoutStatusDenied(utterance: Utterance): Utterance {
  const denied = [...PHRASES.notCompleted, ...PHRASES.notRunning].filter((phrase) => contains(utterance, phrase))
  return denied.length === 0
    ? utterance
    : utteranceOf(denied.reduce((text, phrase) => text.replaceAll(phrase, ','), utterance.folded))
}

/** "Dark fantasy" is one genre, not a wish for fantasy or for something dark. */
function withoutDarkFantasy(utterance: Utterance): Utterance {
  return utteranceOf(utterance.folded.replaceAll(/dark fantasy|ダーク・?ファンタジー/gu, ' '))
}

function keysSaid(utterance: Utterance, vocabulary: Vocabulary): { wanted: string[]; unwanted: string[] } {
  const wanted: string[] = []
  const unwanted: string[] = []
  for (const [key, { label, synonyms }] of Object.entries(vocabulary)) {
    const names = [key, label.ja, label.en, ...synonyms.ja, ...synonyms.en]
    const phrases = longest(names.filter((phrase) => contains(utterance, phrase)))
    const isDenied = names.some((name) => deniesAdjective(utterance.folded, name))
    if (isDenied || phrases.some((phrase) => isNegated(utterance, phrase))) unwanted.push(key)
    else if (phrases.length > 0) wanted.push(key)
  }
  return { wanted, unwanted }
}

/** Omits phrases that are part of another: of 恋 and 恋愛 in 「恋愛なし」 only the second is visibly negated. */
function longest(phrases: readonly string[]): readonly string[] {
  return phrases.filter((phrase) => !phrases.some((other) => other !== phrase && other.includes(phrase)))
}

// A negation applies to everything up to the end of its clause: "I don't want anything with school".
const NOT_BEFORE =
  /(?:\b(?:not|no|without|less|isn't|don't|doesn't|hate|hated|dislike|disliked|non|avoid|nothing|never|except|besides|other than)\b(?:\s+(?!(?:but|mind)\b)\w+){0,2}\s*|\b(?:not|don't|dont|didn't|never) (?:want|like|need|enjoy|read|care for)\b(?:\s+(?!(?:but|mind|just|only|please|instead|rather|though|give|show|i|so|then)\b)\w+){0,5}\s*)$/u
const NOT_AFTER =
  /^(?:要素|もの|系|モノ|展開)?(?:なし|無し|は?いらな|抜き|以外|じゃな|ではな|[がの]ない|[がの]無い|[がの]出て?こ?な|は(?:嫌|苦手|いや|NG|ng)|が(?:苦手|嫌)|すぎな|過ぎな)/u

/** 「怖くない」 and 「怖すぎない」 negate 「怖い」, which does not occur itself then. */
function deniesAdjective(text: string, adjective: string): boolean {
  if (adjective.length < 2 || !adjective.endsWith('い')) return false
  return ['くな', 'すぎな', '過ぎな'].some((ending) => text.includes(`${adjective.slice(0, -1)}${ending}`))
}

function isNegated(utterance: Utterance, phrase: string): boolean {
  const negates = ({ from, to }: Span) =>
    NOT_BEFORE.test(utterance.folded.slice(0, from)) || NOT_AFTER.test(utterance.folded.slice(to))
  return spansOf(utterance, phrase).every(negates)
}

function readFilters(utterance: Utterance, people: PeopleIndex, author: string | undefined): Filters {
  const text = utterance.folded
  const magazines = people.magazines(utterance)
  const readership = keysSaid(utterance, READERSHIPS).wanted[0]
  const forChildren = readership === 'kodomo' || CHILD.test(text)
  const demographic = readership === 'kodomo' ? undefined : readership
  return {
    ...statusOf(utterance),
    ...(containsAny(utterance, PHRASES.inStock) ? { inStock: true as const } : {}),
    ...lengthOf(utterance),
    ...priceOf(utterance),
    ...yearsOf(utterance, text),
    ...(forChildren ? { forChildren } : {}),
    ...(demographic === undefined ? {} : { demographic }),
    ...(author === undefined ? {} : { author }),
    ...(magazines.length === 0 ? {} : { magazines }),
  }
}

const CHILD =
  /小学|子ども(?!の頃)|子供(?!の頃)|こども|園児|(?<!\d)(?:[4-9]|1[0-2])歳|\b(?:kids?|child|children|son|daughter|nephew|niece)\b|\b(?:[4-9]|1[0-2]|four|five|six|seven|eight|nine|ten|eleven|twelve) years? olds?\b/u

/** Negations first: "not finished" contains "finished" too. */
function statusOf(utterance: Utterance): Filters {
  if (containsAny(utterance, PHRASES.notCompleted)) return { status: 'running' }
  if (containsAny(utterance, PHRASES.notRunning)) return { status: 'completed' }
  if (containsAny(utterance, PHRASES.hiatus)) return { status: 'hiatus' }
  if (containsAny(utterance, PHRASES.running)) return { status: 'running' }
  return containsAny(utterance, PHRASES.completed) ? { status: 'completed' } : {}
}

const VOLUMES_MAX =
  /(\d+)\s*巻\s*(?:以内|以下|未満|まで|くらい|ぐらい|程度)|(?:under|below|less than|fewer than|at most|up to|within|max)\s+(\d+)\s*(?:volumes?|vols?|books?)|(\d+)\s*(?:volumes?|vols?)\s+or\s+(?:fewer|less)/u
const PRICE_MAX =
  /(\d[\d,]*)\s*円\s*(?:以内|以下|未満|まで|くらい|ぐらい|程度)|(?:under|below|less than|at most|up to|cheaper than)\s*(?:¥\s*)?(\d[\d,]*)\s*(?:yen|jpy|円)?\b(?!\s*vol)/u

const VOLUMES_MIN =
  /(\d+)\s*巻\s*(?:以上|を超え|超え|より)|(?:over|more than|at least)\s+(\d+)\s*(?:volumes?|vols?)|(\d+)\s*(?:volumes?|vols?)\s+or more/u
const PRICE_MIN =
  /(\d[\d,]*)\s*円\s*(?:以上|を超え|超え)|(?:over|more than|at least)\s*(?:¥\s*)?(\d[\d,]*)\s*(?:yen|jpy|円)/u

function firstNumber(match: RegExpExecArray | null): number | undefined {
  const digits = match?.slice(1).find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

function lengthOf(utterance: Utterance): Filters {
  const volumesMax = firstNumber(VOLUMES_MAX.exec(utterance.folded))
  if (volumesMax !== undefined) return { volumesMax }
  const volumesMin = firstNumber(VOLUMES_MIN.exec(utterance.folded))
  if (volumesMin !== undefined) return { volumesMin }
  if (containsAny(utterance, PHRASES.notLong)) return { volumesMax: NOT_LONG_VOLUMES }
  if (containsAny(utterance, PHRASES.short)) return { volumesMax: SHORT_VOLUMES }
  return containsAny(utterance, PHRASES.long) ? { volumesMin: LONG_VOLUMES } : {}
}

function priceOf(utterance: Utterance): Filters {
  const budgetYen = budgetIn(utterance.folded)
  if (budgetYen !== undefined) return { priceYenMax: budgetYen }
  const priceYenMax = VOLUMES_MAX.test(utterance.folded) ? undefined : firstNumber(PRICE_MAX.exec(utterance.folded))
  if (priceYenMax !== undefined && priceYenMax >= 100) return { priceYenMax }
  const priceYenMin = firstNumber(PRICE_MIN.exec(utterance.folded))
  if (priceYenMin !== undefined) return { priceYenMin }
  return containsAny(utterance, PHRASES.cheap) ? { priceYenMax: CHEAP_YEN } : {}
}

const DECADE = /\b(?:19|20)?(\d0)(?:年代|'?s\b)/u

function yearsOf(utterance: Utterance, text: string): Filters {
  const decade = DECADE.exec(text)?.[1] ?? /((?:19|20)\d0)年代/u.exec(text)?.[1]?.slice(2)
  if (decade !== undefined) {
    const from = Number(decade) >= 50 ? 1900 + Number(decade) : 2000 + Number(decade)
    return { yearFrom: from, yearTo: from + 9 }
  }
  // In "ten-year-old", "old" is not a wish for a classic.
  const aged = utteranceOf(text.replaceAll(/years? olds?/gu, ' '))
  if (containsAny(aged, PHRASES.classic)) return { yearTo: CLASSIC_YEAR_MAX }
  return containsAny(utterance, PHRASES.recent) ? { yearFrom: RECENT_YEAR_MIN } : {}
}
