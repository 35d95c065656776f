// Spares callers the wait for a Redis that keeps not answering: by the same core as the lanes of the models, with figures for
// calls that take a millisecond. It opens on late answers alone; a call that fails at once makes nobody wait. Used by the
// connection, around every call.
import { adaptivePolicy } from '#domain/lane/adaptive-policy.ts'
import { LocalLane } from '#domain/lane/local-lane.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import { settingsFor } from '#domain/lane/settings.ts'
import type { LaneSettings } from '#domain/lane/settings.ts'
import type { Chance } from '#ports/chance.ts'
import type { Clock } from '#ports/clock.ts'

const base = settingsFor('redis')
const SETTINGS: LaneSettings = {
  ...base,
  tickMs: 25,
  // A call has its own short deadline: nothing is won by keeping some of them back.
  limit: {
    ...base.limit,
    floor: Number.POSITIVE_INFINITY,
    overloadsPerTick: Number.POSITIVE_INFINITY,
    overloadHoldMs: 0,
  },
  trip: { ...base.trip, windows: [{ ms: 500, callsMin: 10 }] },
  open: { firstMs: 250, maxMs: 2000, jitter: 0.25, forgetMs: 10_000 },
}
/** Beyond a call's own deadline: its report always comes first. */
const LEASE_SLACK_MS = 5000

export interface CallCircuitParts {
  readonly clock: Pick<Clock, 'now'>
  readonly chance: Pick<Chance, 'float'>
  readonly callMs: number
}

export class CallCircuit {
  readonly #parts: CallCircuitParts
  readonly #lane: LocalLane
  #calls = 0

  constructor(parts: CallCircuitParts) {
    const { clock, chance } = parts
    this.#parts = parts
    this.#lane = new LocalLane({ policy: adaptivePolicy(SETTINGS), float: () => chance.float(), now: clock.now() })
  }

  /** The call's name, under which it is reported whatever becomes of it; undefined: it is not to be made. */
  enter(): string | undefined {
    const { clock, callMs } = this.#parts
    const id = String((this.#calls += 1))
    const ask = { id, ask: { kind: 'first' }, leaseMs: callMs + LEASE_SLACK_MS } as const
    return this.#lane.take(ask, clock.now()).kind === 'permit' ? id : undefined
  }

  report(id: string, how: 'answered' | 'late' | 'failed'): void {
    this.#lane.report(id, OUTCOMES[how], this.#parts.clock.now())
  }
}

const OUTCOMES: Readonly<Record<'answered' | 'late' | 'failed', Outcome>> = {
  answered: 'success',
  late: 'overload',
  failed: 'neutral',
}
