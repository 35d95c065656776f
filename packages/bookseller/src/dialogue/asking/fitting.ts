// The answer to a question whether a series is, or has, something.
import type { Act, Reading } from '../../understanding/reading.ts'
import { askedFacts } from '../asked-facts.ts'
import type { Intent } from '../intent.ts'
import type { Understood } from '../understood.ts'
import { aspectsAsked, isFitQuestion } from './fit-question.ts'

const SHOWN_MAX = 4

/** "Isn't that one violent?" asks of that series, and is no wish. */
export function fitting(act: Act, understood: Understood, meant: readonly string[]): Intent | undefined {
  const { reading, before, state, words } = understood
  if (act !== 'fact' || !(isFitQuestion(reading, words) || isOfContent(reading, words))) return undefined
  const named = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const talked = before.focus.length > 0 ? before.focus : before.list.slice(0, 1)
  const subject = meant.length > 0 ? meant : named.length > 0 ? named : talked
  const ids = subject.slice(0, SHOWN_MAX)
  const facts = askedFacts(reading, words).filter((fact) => fact !== 'content')
  const all = aspectsAsked(reading, words)
  const aspects = isFitQuestion(reading, words) ? all : all.filter(({ content }) => content.length > 0)
  if (ids.length === 0 || facts.length > 0) return undefined
  if (aspects.length === 0) {
    // Whether a reader of an age may read it.
    const { age } = reading.limits
    return named.length === 0 || age === undefined ? undefined : { kind: 'inform', ids, facts: ['age'], age }
  }
  const { age } = state.conditions.limits
  return { kind: 'fit', ids, aspects, ...(age === undefined ? {} : { age }) }
}

/** Whether the words ask if the current series has some content, without naming the series: 「グロいですか」. */
const isOfContent = ({ facts, changes, measures }: Reading, words: string): boolean =>
  facts.length > 0 &&
  facts.every((fact) => fact === 'content') &&
  changes.length + measures.length === 0 &&
  !OPEN.test(words)
const OPEN = /何|なに|どん|どう|どこ|気をつけ|注意|\b(?:what|how|which|where|anything|something)\b/iu
