// What to look for: the standing conditions, and the words of the wishes.
import type { Reading, Role } from '../understanding/reading.ts'
import { isStory } from './act.ts'
import { saysNothing, uniqueOf } from './advance.ts'
import { defined, NO_CONDITIONS } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Quest } from './intent.ts'
import type { Understood } from './understood.ts'
import type { DialogueState } from './state.ts'

const SHOWN = 3
const SHOWN_MAX = 4
const EXCLUDED_MAX = 80

/** What to look for now: the standing conditions, and the words of the wishes. */
export function questOf({ reading, state, before, words }: Understood, { isPlot = false } = {}): Quest {
  const { conditions } = state
  const exclude = uniqueOf([
    ...state.hated,
    ...state.read,
    ...conditions.like,
    ...(isRepeatable(reading, before) ? [] : before.seen),
  ]).slice(0, EXCLUDED_MAX)
  const count = Math.min(SHOWN_MAX, Math.max(1, reading.count ?? SHOWN))
  return {
    text: isPlot && reading.plot === '' ? wordsOf(reading, words) : searchedText(reading, conditions, words),
    conditions: isPlot ? storyConditions(reading, conditions) : conditions,
    exclude: isPlot ? state.hated : exclude,
    count: reading.count === undefined && isPlot ? SHOWN : count,
    ...(state.compared === undefined ? {} : { compared: state.compared }),
  }
}

/** A described story is that story: only dislikes, an age, and what the message itself states, hold for it. */
function storyConditions(reading: Reading, { avoid, notBy, limits }: Conditions): Conditions {
  const { age } = limits
  const own = { by: reading.by, publishedIn: reading.publishedIn, limits: defined({ ...reading.limits, age }) }
  return { ...NO_CONDITIONS, avoid, notBy, ...own, want: reading.want }
}

/** Roles whose words are not searched for: names, limits, dislikes and references. */
const SEARCHED: ReadonlySet<Role> = new Set(['want', 'plot'])

/**
 * The words to search: those of the wish as they were written, without names, limits and dislikes, and the wishes that stand
 * from before. A follow-up such as "others" has no words of its own.
 */
function searchedText(reading: Reading, { want }: Conditions, words: string): string {
  const standing = want.map(({ text }) => text)
  const isStated = reading.plot !== '' || reading.want.length > 0 || (saysNothing(reading) && isStory(words))
  if (!isStated) return standing.join(' ')
  const own = wordsOf(reading, words)
  return [own, ...standing.filter((text) => !own.includes(text))].join(' ').trim()
}

/** The message without its names, limits and dislikes. */
const wordsOf = ({ spans }: Reading, words: string): string =>
  spans
    .filter(({ role }) => !SEARCHED.has(role))
    .reduce((left, { text }) => left.replace(text, ' '), words.normalize('NFKC'))
    .trim()

/** A new wish may be met by a series that was shown for another one; a follow-up wants something else. */
function isRepeatable(reading: Reading, before: DialogueState): boolean {
  const { changes, measures, want, series, plot, by } = reading
  if (before.list.length === 0) return true
  if (changes.length > 0 || measures.length > 0) return false
  return want.length > 0 || series.length > 0 || plot !== '' || by.length > 0
}
