// Runs the calls of one dependency through its circuit: while it is down, callers learn it at once instead of each waiting.
// A few calls at a time try it again.
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { Refusal } from '#domain/refusal.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'

export const REFUSED = Symbol('refused')

interface Limit {
  readonly ms: number
  readonly signal: AbortSignal
}

/** A circuit is probed again within seconds. */
const RETRY_MS = 10_000
/** Longer than a call's own limit: its report always comes first. */
const LEASE_SLACK_MS = 5000

export class Circuit {
  readonly #clock: Clock
  readonly lane: NodeLane

  constructor({ clock, lane }: { readonly clock: Clock; readonly lane: NodeLane }) {
    this.#clock = clock
    this.lane = lane
  }

  /** Returns the work's value, or that it was late or not begun. Throws what the work threw. */
  async run<Value>(
    limit: Limit,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | typeof LATE | typeof REFUSED> {
    const id = this.lane.take(limit.ms + LEASE_SLACK_MS)
    if (id === undefined) return REFUSED
    let outcome: 'success' | 'overload' | 'fault' = 'fault'
    try {
      const value = await withDeadline(this.#clock, limit, work)
      outcome = value === LATE ? 'overload' : 'success'
      return value
    } finally {
      // A caller that left says nothing about the dependency.
      this.lane.report(id, limit.signal.aborted && outcome !== 'success' ? 'neutral' : outcome)
    }
  }

  /** The same for callers that cannot continue without the value: throws MAINTENANCE when there is none. */
  async need<Value>(limit: Limit, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const value = await this.run(limit, work)
    if (value !== LATE && value !== REFUSED) return value
    throw new Refusal('MAINTENANCE', { retryAfterMs: RETRY_MS, details: { unavailable: this.lane.name } })
  }
}
