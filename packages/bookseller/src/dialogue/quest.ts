// What to look for: the standing conditions, and the words of the wishes.
import { namedIn } from '../retrieval/read-words.ts'
import { ROLES } from '../understanding/reading.ts'
import type { Reading, Role, Span } from '../understanding/reading.ts'
import { isStory } from './act.ts'
import { relativeMeasures, saysNothing, uniqueOf } from './advance.ts'
import { defined, isNarrowed, NO_CONDITIONS } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Quest } from './intent.ts'
import type { Understood } from './understood.ts'
import type { DialogueState } from './state.ts'

const SHOWN = 3
const SHOWN_MAX = 4
const EXCLUDED_MAX = 80

/** What to look for now: the standing conditions, and the words of the wishes. */
export function questOf({ reading, state, before, words, isProtest }: Understood, { isPlot = false } = {}): Quest {
  const { conditions } = state
  const isElse = reading.changes.includes('others')
  const exclude = uniqueOf([
    ...state.hated,
    ...state.read,
    ...conditions.like,
    ...(isElse ? before.seen : []),
    ...(isProtest === true ? before.list : []),
  ]).slice(0, EXCLUDED_MAX)
  const seen = isElse || (isRepeatable(reading, before) && isProtest !== true) ? [] : before.seen
  const count = Math.min(SHOWN_MAX, Math.max(1, reading.count ?? SHOWN))
  return {
    text: isPlot ? wordsOf(reading, describingPart(reading, words)) : searchedText(reading, conditions, words),
    ...(isPlot ? { named: namedIn(reading, words) } : {}),
    conditions: isPlot ? storyConditions(reading, conditions) : conditions,
    exclude: isPlot ? state.hated : exclude,
    ...(isPlot ? { isStory: true as const } : seen.length === 0 ? {} : { seen }),
    count: reading.count === undefined && isPlot ? SHOWN : count,
    ...(state.compared === undefined ? {} : { compared: state.compared }),
  }
}

/** Other works of the maker of a series: what this message says of them, and the standing dislikes and age. */
export function worksQuest(understood: Understood, of: string | undefined): Quest {
  const { reading, state, words } = understood
  const { compared: _, ...quest } = questOf(understood)
  const measures = relativeMeasures(reading)
  const { avoid, notBy, notPublishedIn, limits } = state.conditions
  return {
    ...quest,
    text: wordsOf(reading, words),
    conditions: {
      ...NO_CONDITIONS,
      avoid,
      notBy,
      notPublishedIn,
      want: reading.want,
      limits: defined({ ...reading.limits, age: limits.age }),
    },
    ...(measures.length === 0 || of === undefined ? {} : { compared: { measures, than: [of] } }),
  }
}

/**
 * The conditions for finding a described story: dislikes, an age, and what this message states; earlier wishes do not
 * apply. Genres are words of the description and exclude nothing.
 */
function storyConditions(reading: Reading, { avoid, notBy, limits }: Conditions): Conditions {
  const { age } = limits
  const own = { by: reading.by, publishedIn: reading.publishedIn, limits: defined({ ...reading.limits, age }) }
  return { ...NO_CONDITIONS, avoid, notBy, ...own }
}

/** Roles whose words are values or references; they describe no series. */
const VALUES: ReadonlySet<Role> = new Set<Role>([
  ...(['total<', 'each<', 'each>', 'vols<', 'vols>', 'vols=', 'year<', 'year>', 'vol', 'orderid', 'count'] as const),
  ...(['finished', 'running', 'instock', 'demo', 'cmp'] as const),
  ...ROLES.filter((role) => role.startsWith('ref:')),
])
/** Roles of words that are not searched: they state a dislike, a reader or another restriction. */
const ASIDE: ReadonlySet<Role> = new Set<Role>(['avoid', 'allow', 'read', 'hate', 'notby', 'notin', 'in', 'age', 'for'])

/**
 * The words to search: all of the message but names, limits and dislikes, and the wishes that stand from before. A follow-up
 * such as "others" has no words of its own.
 */
function searchedText(reading: Reading, conditions: Conditions, words: string): string {
  const standing = conditions.want.map(({ text }) => text)
  const hasWords = isStory(words) || !isNarrowed(conditions)
  const isStated = reading.plot !== '' || reading.want.length > 0 || (saysNothing(reading) && hasWords)
  if (!isStated) return standing.join(' ')
  const own = wordsOf(reading, describingPart(reading, words))
  return [own, ...standing.filter((text) => !own.includes(text))].join(' ').trim()
}

const SENTENCE = /[^。．.!?！？\n]+[。．.!?！？\n]*/gu

/** The sentences that tell what is sought; the others are small talk, and would be searched in vain. */
function describingPart({ spans }: Reading, words: string): string {
  const plain = words.normalize('NFKC')
  const describing = spans
    .filter(({ role }) => role === 'want' || role === 'plot')
    .map(({ text }) => ({ from: plain.indexOf(text), to: plain.indexOf(text) + text.length }))
    .filter(({ from }) => from >= 0)
  const parts = [...plain.matchAll(SENTENCE)].filter(({ 0: sentence, index }) =>
    describing.some(({ from, to }) => from < index + sentence.length && index < to),
  )
  return parts.length === 0 ? plain : parts.map(([sentence]) => sentence).join(' ')
}

/** The message without its names, limits and dislikes. */
const wordsOf = (reading: Reading, words: string): string =>
  withoutEndMarks(
    reading.spans
      .filter((span) => !isSearched(span, reading))
      .reduce((left, { text }) => left.replace(text, ' '), words.normalize('NFKC')),
  )

/** Removes punctuation at the end: it has no meaning for the search, but would change the last word. */
export const withoutEndMarks = (words: string): string => words.replace(/(?<![\s。.!?！？])[\s。.!?！？]+$/u, '').trim()

/** A name that the catalogue does not have may be words of the story; in a described story so may everything but values. */
function isSearched({ role, text }: Span, { act, series, by }: Reading): boolean {
  if (VALUES.has(role)) return false
  if (act === 'find') return true
  if (ASIDE.has(role)) return false
  if (role === 'by') return by.length === 0
  return !series.some((named) => named.id !== undefined && named.text === text)
}

/** A new wish may be met by a series that was shown for another one; a follow-up wants something else. */
function isRepeatable(reading: Reading, before: DialogueState): boolean {
  const { changes, want, avoid, series, plot, by, limits } = reading
  if (before.list.length === 0) return true
  if (changes.some((change) => change !== 'relax') || relativeMeasures(reading).length > 0) return false
  const isStated = want.length + avoid.length + series.length + by.length + Object.keys(limits).length > 0
  return isStated || plot !== ''
}
