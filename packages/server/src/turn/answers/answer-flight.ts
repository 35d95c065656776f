// One answer for all who ask the same at once: a turn looks into the cache, and where nothing fresh is there it either makes
// the answer for the others or waits a little for the one that does. What was made is handed on when it may be shared.
import type { TurnOutcome } from '#domain/turn/turn-record.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Lead } from '#lib/async/single-flight.ts'
import type { CachedAnswers } from './cached-answers.ts'
import type { CacheLookup, Routed } from '../turn.ts'

/** Disposing of it leaves those who wait to themselves. */
export interface AnswerFlight extends Disposable {
  readonly look: CacheLookup
  /** Keeps what was made, if it may be shared. Never rejects. */
  land(outcome: TurnOutcome, text: string): Promise<void>
}

const UNSHARED: CacheLookup = { kind: 'unshared', why: 'policy' }

/** Never rejects, and waits for another turn no longer than the limit. */
export async function joinFlight(
  answers: CachedAnswers,
  routed: Routed,
  limit: { readonly ms: number; readonly signal: AbortSignal },
): Promise<AnswerFlight> {
  const look = routed.policy.mayShareAnswers ? await answers.look(routed) : UNSHARED
  // What is made without retrieval is never shared: nobody waits for it.
  const isAlone = look.kind === 'unshared' || routed.missing.length > 0
  if (isAlone || look.kind === 'fresh') return flight(answers, routed, { look })
  const joined = answers.flights.join(look.key)
  if (joined.kind === 'lead') return flight(answers, routed, { look, lead: joined })
  const answer = await joined.landed(limit)
  return flight(answers, routed, { look: answer === undefined ? look : { kind: 'fresh', key: look.key, answer } })
}

function flight(
  answers: CachedAnswers,
  routed: Routed,
  { look, lead }: { readonly look: CacheLookup; readonly lead?: Lead<CachedAnswer> },
): AnswerFlight {
  return {
    look,
    async land(outcome, text) {
      const kept = await answers.keep(routed, outcome, text)
      if (kept !== undefined) lead?.land(kept)
    },
    [Symbol.dispose]: () => lead?.[Symbol.dispose](),
  }
}
