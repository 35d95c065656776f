// One answer for concurrent turns with the same question: a turn looks into the cache, and on a miss it either makes the
// answer for the others or waits a little for the turn that does. The answer is passed on when it may be shared.
import type { TurnOutcome } from '#domain/turn/log-records.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Lead } from '#lib/async/single-flight.ts'
import type { CachedAnswers } from './cached-answers.ts'
import type { CacheLookup, Routed } from '../turn.ts'

/** Disposing it lets waiting turns continue by themselves. */
export interface AnswerFlight extends Disposable {
  readonly lookup: CacheLookup
  /** Stores the answer if it may be shared. Never rejects. */
  land(outcome: TurnOutcome, text: string): Promise<void>
}

const UNSHARED: CacheLookup = { kind: 'unshared', why: 'policy' }

/** Never rejects, and waits for another turn at most the limit. */
export async function joinFlight(
  answers: CachedAnswers,
  routed: Routed,
  limit: { readonly ms: number; readonly signal: AbortSignal },
): Promise<AnswerFlight> {
  const lookup = routed.policy.mayShareAnswers ? await answers.lookUp(routed) : UNSHARED
  // An answer without retrieval is never shared: no turn waits for it.
  const isAlone = lookup.kind === 'unshared' || routed.missing.length > 0
  if (isAlone || lookup.kind === 'fresh') return flight(answers, routed, { lookup })
  const joined = answers.flights.join(lookup.key)
  if (joined.kind === 'lead') return flight(answers, routed, { lookup, lead: joined })
  const answer = await joined.landed(limit)
  return flight(answers, routed, { lookup: answer === undefined ? lookup : { kind: 'fresh', key: lookup.key, answer } })
}

function flight(
  answers: CachedAnswers,
  routed: Routed,
  { lookup, lead }: { readonly lookup: CacheLookup; readonly lead?: Lead<CachedAnswer> },
): AnswerFlight {
  return {
    lookup,
    async land(outcome, text) {
      const kept = await answers.keep(routed, outcome, text)
      if (kept !== undefined) lead?.land(kept)
    },
    [Symbol.dispose]: () => lead?.[Symbol.dispose](),
  }
}
