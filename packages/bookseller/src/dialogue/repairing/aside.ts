// A message of several sentences that ends with a question: what only the statements before it name is not what it asks about.
// "None of those has a dog in it. Do you have X?" asks about X alone.
import type { Act, Reading } from '../../understanding/reading.ts'
import { hasNamed, hasWish } from '../act.ts'
import { isQuestion } from '../asking/fit-question.ts'
import type { Sentence } from '../understood.ts'

/** Acts of a sentence that is a remark, even if it has the form of a question. */
const REMARK: ReadonlySet<Act> = new Set(['why', 'complaint', 'no', 'abuse', 'smalltalk'])
/** Acts that a wish beside a named series is taken for. */
const TAKEN_FOR: ReadonlySet<Act> = new Set(['title', 'fact', 'compare', 'why', 'no', 'complaint'])
const OF_SERIES: ReadonlySet<Act> = new Set(['title', 'fact', 'compare', 'complaint'])
const SURE_MIN = 0.6

export function askedLast(reading: Reading, sentences: readonly Sentence[]): Reading {
  const last = sentences.at(-1)
  if (last === undefined || !isQuestion(last.words)) return reading
  const earlier = sentences.slice(0, -1)
  if (earlier.some(({ words, reading: own }) => isQuestion(words) && !REMARK.has(own.act))) return reading
  const words = last.words.normalize('NFKC')
  const own = last.reading
  if (own.sureness < SURE_MIN) return reading
  const isWish = own.act === 'recommend' && hasWish(own) && !hasNamed(own) && TAKEN_FOR.has(reading.act)
  if (isWish) return { ...withoutTitles(reading), act: 'recommend', sureness: own.sureness, grievances: [] }
  const named = own.series.filter(({ id, role }) => id !== undefined && role === 'title')
  // "X looks good. Is Y cheaper?" compares the two.
  if (named.length < (own.act === 'compare' ? 2 : 1)) return reading
  if (own.referents.length > 0 || !OF_SERIES.has(own.act) || !OF_SERIES.has(reading.act)) return reading
  return {
    ...reading,
    act: own.act,
    facts: own.facts,
    grievances: [],
    spans: reading.spans.filter(({ role, text }) => !refers(role) || words.includes(text)),
    series: reading.series.filter(({ role, text }) => role !== 'title' || words.includes(text)),
    referents: [],
    ...(own.faq === undefined ? {} : { faq: own.faq }),
  }
}

const refers = (role: string): boolean => role === 'title' || role.startsWith('ref:')

function withoutTitles(reading: Reading): Reading {
  return {
    ...reading,
    spans: reading.spans.filter(({ role }) => !refers(role)),
    series: reading.series.filter(({ role }) => role !== 'title'),
    referents: [],
  }
}
