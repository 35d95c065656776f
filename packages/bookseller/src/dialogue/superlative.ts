// The measure by which a message asks for the first of all: "the shortest you have", 「一番安い漫画」. Exact words of number and
// money; without them a measure compares with what was shown.
import type { Act, Measure } from '../understanding/reading.ts'
import type { Understood } from './understood.ts'

const MOST: readonly (readonly [RegExp, Measure])[] = [
  [
    /\b(?:cheapest|least expensive|lowest[- ]priced?)\b|(?:一番|いちばん|最も|もっとも)[^、。]{0,4}安|最安/iu,
    'cheaper',
  ],
  [/\b(?:shortest|fewest volumes)\b|(?:一番|いちばん|最も|もっとも)[^、。]{0,4}(?:短|巻数が少)|最短/iu, 'shorter'],
  [
    /\b(?:longest(?:[- ]running)?|most volumes)\b|(?:一番|いちばん|最も|もっとも)[^、。]{0,8}(?:長|巻数が多|巻数読め)|最長/iu,
    'longer',
  ],
  [/\b(?:newest|latest|most recent)\b|(?:一番|いちばん|最も|もっとも)[^、。]{0,4}(?:新し|最近)|最新/iu, 'newer'],
  [/\b(?:oldest|earliest)\b|(?:一番|いちばん|最も|もっとも)[^、。]{0,4}(?:古|昔)|最古/iu, 'older'],
]

/** A volume can be the latest, and a message can be about the newest of what was shown. */
const OF_VOLUME = /最新(?:刊|巻|話)|(?:latest|newest) (?:volume|chapter|book|issue|one of)/iu

export function superlativeIn(words: string): Measure | undefined {
  const text = words.normalize('NFKC')
  return OF_VOLUME.test(text) ? undefined : MOST.find(([pattern]) => pattern.test(text))?.[1]
}

const OF_SERIES: ReadonlySet<Act> = new Set([
  'recommend',
  'fact',
  'compare',
  'title',
  'find',
  'unclear',
  'author',
  'tell',
])
const OF_CATALOGUE =
  /you (?:have|sell|stock|carry|got)|in (?:the|your) (?:shop|store)|on your shelves|お店|店で|置いて|取り扱|扱って|漫画|マンガ/iu

/** Whether a superlative is about the catalogue, and not about what was shown. */
export function asksForFirst(act: Act, { reading, before, words }: Understood): boolean {
  if (superlativeIn(words) === undefined || !OF_SERIES.has(act)) return false
  if (reading.series.some(({ role, id }) => role === 'title' && id !== undefined)) return false
  const isOfList = before.list.length > 0 && reading.by.length === 0
  return !isOfList || (reading.referents.length === 0 && OF_CATALOGUE.test(words))
}
