// The calls of the search engine behind their circuit. Each takes a permit, reports its outcome once, and is counted; a failure is a
// value, because the caller continues without the engine. An unavailable engine is logged once until it answers again.
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { asksForNothing } from '#ports/search-engine/asks-for-nothing.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { CandidateQuery, Candidates, SearchEngine } from '#ports/search-engine/port.ts'
import type { EngineStatus } from '#ports/search/engine-search.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface EngineGuardParts {
  readonly engine: Pick<SearchEngine, 'candidates' | 'name'>
  readonly lane: NodeLane
  readonly callMs: number
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Pick<Telemetry, 'count' | 'log' | 'observe'>
}

/** The edition that the answer must be of, and whether the engine searches it, as far as this node knows. */
export interface WantedEdition {
  readonly edition: string
  readonly state: EngineStatus['edition']
}

export interface EngineGuard {
  /** Returns a text that says why there is no answer, instead of throwing; only the caller's abort is thrown. */
  candidates(query: CandidateQuery, signal: AbortSignal, wanted?: WantedEdition): Promise<Candidates | string>
  /** Why the last call failed; undefined after a success. */
  failure(): string | undefined
}

/** A permit lasts longer than the call, so that its report always comes first. */
const LEASE_SLACK_MS = 5000
const LOG_EVERY_MS = 10_000
const CIRCUIT_OPEN = 'the circuit of the search engine is open'
const NOTHING_ASKED = 'the question has nothing to search for'
const OTHER_EDITION = 'the search engine has another edition'

/** Why an edition in this state is not searched in the engine. */
export const REASONS: Readonly<Record<Exclude<EngineStatus['edition'], 'current'>, string>> = {
  unknown: 'it is not yet known which edition the search engine has',
  writing: 'the edition is being written to the search engine',
  behind: 'the search engine has a newer edition than this node',
}

export function engineGuard({ callMs, clock, engine, lane, telemetry }: EngineGuardParts): EngineGuard {
  let failure: string | undefined
  let loggedAt = Number.NEGATIVE_INFINITY
  let isReported = false

  function failed(error: StoreUnavailable): string {
    failure = error.message
    if (!isReported && clock.now() - loggedAt >= LOG_EVERY_MS) {
      isReported = true
      loggedAt = clock.now()
      telemetry.log('warn', 'search.engine-unavailable', { reason: failure })
    }
    return failure
  }

  function answered(): void {
    failure = undefined
    if (!isReported) return
    isReported = false
    telemetry.log('info', 'search.engine-available', {})
  }

  return {
    async candidates(query, signal, wanted) {
      const count = (outcome: Outcome) => telemetry.count('search_engine_questions_total', { outcome })
      if (wanted !== undefined && wanted.state !== 'current') {
        count('other-edition')
        return REASONS[wanted.state]
      }
      if (asksForNothing(query)) return NOTHING_ASKED
      const id = lane.take(callMs + LEASE_SLACK_MS)
      if (id === undefined) {
        count('circuit-open')
        return failure ?? CIRCUIT_OPEN
      }
      const at = clock.now()
      try {
        const found = await engine.candidates(query, signal)
        lane.report(id, 'success')
        answered()
        const isOther = wanted !== undefined && found.edition !== undefined && found.edition !== wanted.edition
        count(isOther ? 'other-edition' : 'answered')
        return isOther ? OTHER_EDITION : found
      } catch (error) {
        if (signal.aborted) {
          // A caller that left says nothing about the engine.
          lane.report(id, 'neutral')
          throw error
        }
        if (!(error instanceof StoreUnavailable)) {
          lane.report(id, 'fault')
          throw error
        }
        const kind = error instanceof EngineFailure ? error.kind : 'unreachable'
        lane.report(id, kind === 'late' || kind === 'overload' ? 'overload' : 'fault')
        count(kind)
        return failed(error)
      } finally {
        telemetry.observe('search_engine_call_seconds', (clock.now() - at) / 1000)
      }
    },
    failure: () => (lane.view().phase === 'open' ? (failure ?? CIRCUIT_OPEN) : failure),
  }
}

type Outcome = 'answered' | 'late' | 'overload' | 'unreachable' | 'refused' | 'circuit-open' | 'other-edition'
