// Which series a shopper chooses: those that are named or pointed at, the one that is talked about, or one by a measure.
import type { Measure } from '../../understanding/reading.ts'
import { measuresIn } from '../advance.ts'
import type { DialogueState } from '../state.ts'
import type { Understood } from '../understood.ts'
import { referred } from './referred.ts'

/** Those of which one is chosen: several that are talked about, or else the list. */
export const choicesOf = ({ focus, list }: DialogueState): readonly string[] => (focus.length > 1 ? focus : list)

/** "The cheaper one", 「多いほう」: one of those shown, by a measure. */
export function chosenBy({ reading, before, words }: Understood): Measure | undefined {
  if (choicesOf(before).length < 2 || reading.series.some(({ id }) => id !== undefined)) return undefined
  return measureNamed(words)
}

/** The measure by which the words mean one of several. */
export function measureNamed(words: string): Measure | undefined {
  const picked = BY_MEASURE.exec(words)
  return picked === null ? undefined : measuresIn(picked[0])[0]
}

const BY_MEASURE =
  /[^、。\s]{1,6}(?:ほう|方)(?=[がをにはでっのも、。!?！？]|いくら|何|全|$)|\bthe (?:\w+(?:er|est)(?: (?:one|of)\b|(?= two\b))|(?:short|long|cheap|old|new|recent|easy|simple) one\b)/iu

export function choiceOf({ reading, state, before }: Understood): readonly string[] {
  const meant = referred(reading, before)
  if (meant.length > 0) return meant
  const named = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (named.length > 0) return named
  if (state.focus.length > 0) return state.focus
  return before.page !== undefined && before.list.length === 0 ? [before.page] : before.list
}
