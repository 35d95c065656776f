// The circuit of one dependency in this process, by the same core as the lanes of the models: while a store is away its
// callers are told at once, and do not each wait for it again. It is looked at again by itself, by a few calls at a time.
import { adaptivePolicy } from '#domain/lane/adaptive-policy.ts'
import { LocalLane } from '#domain/lane/local-lane.ts'
import type { LaneSettings } from '#domain/lane/settings.ts'
import { LATE, withDeadline } from '#lib/with-deadline.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'

export const REFUSED = Symbol('refused')

interface Limit {
  readonly ms: number
  readonly signal: AbortSignal
}

/** Beyond a call's own limit: its report always comes first. */
const LEASE_SLACK_MS = 5000

export class Circuit {
  readonly #parts: { readonly clock: Clock; readonly chance: Chance }
  readonly #lane: LocalLane

  constructor(parts: { readonly clock: Clock; readonly chance: Chance; readonly settings: LaneSettings }) {
    const { clock, chance, settings } = parts
    this.#parts = parts
    this.#lane = new LocalLane({ policy: adaptivePolicy(settings), float: () => chance.float(), now: clock.now() })
  }

  /** The work's value, or that it was late, or that it was not begun. Throws what the work threw. */
  async run<Value>(
    limit: Limit,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | typeof LATE | typeof REFUSED> {
    const { clock, chance } = this.#parts
    const id = chance.id('call')
    const leaseMs = limit.ms + LEASE_SLACK_MS
    const answer = this.#lane.take({ id, ask: { kind: 'first' }, leaseMs }, clock.now())
    if (answer.kind === 'refused') return REFUSED
    let outcome: 'success' | 'overload' | 'fault' | 'neutral' = 'fault'
    try {
      const value = await withDeadline(clock, limit, work)
      // A turn that was stopped says nothing about the store.
      outcome = value !== LATE ? 'success' : limit.signal.aborted ? 'neutral' : 'overload'
      return value
    } finally {
      this.#lane.report(id, outcome, clock.now())
    }
  }
}
