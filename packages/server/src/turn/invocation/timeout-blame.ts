// Decides whether a timeout counts against its lane. A prompt that a caller wrote, as on `/v1`, can be one that no model
// answers in time: the timeouts of one caller alone must not open the circuit for all others. They count once other
// principals have failures on the same lane. The timeouts of a program with a key always count, because the shop chose to
// give it a key.
import { isFailure } from '#domain/lane/outcome.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Routed } from '../turn.ts'
import type { AttemptEnd } from './attempt.ts'
import { outcomeOfCall } from './held-permit.ts'

/** How long another principal's failure confirms a timeout. */
const WITNESS_MS = 30_000
/** Per lane: enough to find one that is not the caller. */
const WITNESSES_MAX = 8

export class TimeoutBlame {
  readonly #clock: Clock
  /** The time of each principal's last failure, by lane. */
  readonly #trouble = new Map<string, BoundedMap<string, number>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The outcome of a call for its lane, as far as it can be trusted. */
  judge(lane: string, { policy, start: { principal } }: Pick<Routed, 'policy' | 'start'>, end: AttemptEnd): Outcome {
    const outcome = outcomeOfCall(end)
    if (!isFailure(outcome)) return outcome
    const isOwnDoing = end.kind === 'failed' && end.class === 'timeout' && !policy.isPromptOurs
    const counts = !isOwnDoing || principal.kind === 'key' || this.#othersToo(lane, principal.id)
    this.#note(lane, principal.id)
    return counts ? outcome : 'neutral'
  }

  #othersToo(lane: string, id: string): boolean {
    const since = this.#clock.now() - WITNESS_MS
    return [...(this.#trouble.get(lane) ?? [])].some(([other, at]) => other !== id && at >= since)
  }

  #note(lane: string, id: string): void {
    const known = this.#trouble.get(lane) ?? new BoundedMap<string, number>(WITNESSES_MAX)
    this.#trouble.set(lane, known)
    known.set(id, this.#clock.now())
  }
}
