// Refreshes stale answers after they were given, while a model has calls to spare: a few at a time, each by one
// node. A refresh that fails is dropped; the next shopper's own answer replaces it.
import type { Config } from '#config/config.ts'
import type { TurnOutcome } from '#domain/turn/log-records.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { CachedAnswers } from './cached-answers.ts'
import type { Routed } from '../turn.ts'

export interface RefreshAnswersParts {
  readonly answers: CachedAnswers
  readonly cache: AnswerCache
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'answers'>
  /** Whether the route's own model has calls to spare for bulk work. */
  readonly isReady: (routed: Routed) => boolean
  /** Asks the route's own model once, outside of any turn and at the shop's cost. */
  readonly make: (routed: Routed) => Promise<{ readonly outcome: TurnOutcome; readonly text: string } | undefined>
}

export interface RefreshAnswers {
  /** Queues the question of a stale answer. Beyond the limit the oldest is dropped. */
  due(key: string, routed: Routed): void
  /** Must be called at intervals; returns how many answers were refreshed. */
  round(): Promise<number>
}

/** Longer than a model needs, so that two nodes do not refresh the same answer. */
const CLAIM_MS = 120_000

export function createRefreshAnswers(parts: RefreshAnswersParts): RefreshAnswers {
  const { answers, clock, telemetry, config } = parts
  const waiting = new BoundedMap<string, { readonly routed: Routed; readonly until: number }>(config.answers.refreshMax)

  async function refresh(key: string, routed: Routed): Promise<boolean> {
    const lookup = await answers.lookUp(routed)
    if (lookup.kind === 'fresh' || lookup.kind === 'unshared' || !(await parts.cache.claim(key, CLAIM_MS))) return false
    const made = await parts.make(routed)
    return made !== undefined && (await answers.keep(routed, made.outcome, made.text)) !== undefined
  }

  return {
    due(key, routed) {
      if (waiting.has(key)) return
      waiting.set(key, { routed, until: clock.now() + config.answers.freshMs })
    },
    async round() {
      let made = 0
      const ready = [...waiting].filter(([, { routed }]) => parts.isReady(routed))
      for (const [key, { routed, until }] of ready.slice(0, config.answers.refreshPerRound)) {
        waiting.delete(key)
        if (until <= clock.now()) continue
        try {
          if (await refresh(key, routed)) made += 1
        } catch (error) {
          telemetry.log('warn', 'answer-cache.refresh-failed', {}, error)
        }
      }
      if (made > 0) telemetry.count('answer_cache_refreshed_total')
      return made
    },
  }
}
