// Samples a run second by second: arrivals, calls, outcomes, and the state of the fleet at the end of each second. A
// shopper counts in the second of arrival, whenever the answer came.
import type { Second } from '../fleet/fleet-run.ts'
import type { FleetWorld } from './fleet-world.ts'
import type { Visit } from './person.ts'

type Counts = {
  -readonly [
    Field in 'arrivals' | 'attempts' | 'failedAttempts' | 'causedAttempts' | 'good' | 'goodOfFirst' | 'answered'
  ]: number
}

interface Sample extends Counts {
  readonly ends: Record<string, number>
  state: Pick<Second, 'waiting' | 'inFlight' | 'lanes' | 'nodes'>
}

const SECOND_MS = 1000
const NO_STATE = { waiting: 0, inFlight: 0, lanes: {}, nodes: 0 }
/** The tier of the ladder's first model, and a fresh cached answer, which is one of that model. */
const FIRST_TIERS: ReadonlySet<string | undefined> = new Set(['primary', 'cached-fresh'])
const MODEL_TIERS: ReadonlySet<string | undefined> = new Set([...FIRST_TIERS, 'economy'])

export interface SamplerParts {
  readonly world: FleetWorld
  readonly durationMs: number
  /** A model's word within this is in time. */
  readonly servedMs: number
  readonly inFlight: () => number
  /** Lane ids by their names in the run. */
  readonly lanes: ReadonlyMap<string, string>
  /** Called at the end of each second with the number of seconds done. */
  readonly onSecond?: ((doneS: number) => void) | undefined
}

export class Sampler {
  readonly #parts: SamplerParts
  readonly #samples: Sample[]

  constructor(parts: SamplerParts) {
    this.#parts = parts
    this.#samples = Array.from({ length: Math.ceil(parts.durationMs / SECOND_MS) }, emptySample)
    for (const [index, sample] of this.#samples.entries()) {
      parts.world.time.after((index + 1) * SECOND_MS - parts.world.atMs, () => {
        sample.state = this.#currentState()
        parts.onSecond?.(index + 1)
      })
    }
  }

  arrived({ atMs }: Visit): void {
    this.#add(atMs, 'arrivals')
  }

  attempted(atMs: number): void {
    this.#add(atMs, 'attempts')
  }

  attemptFailed(beganMs: number): void {
    this.#add(beganMs, 'failedAttempts')
  }

  /** Called once for each call, with the arrival time of its shopper. */
  attemptCaused(arrivedMs: number): void {
    this.#add(arrivedMs, 'causedAttempts')
  }

  firstWord({ atMs, firstTier, firstWordMs = Infinity }: Visit): void {
    if (!MODEL_TIERS.has(firstTier) || firstWordMs - atMs > this.#parts.servedMs) return
    this.#add(atMs, 'good')
    if (FIRST_TIERS.has(firstTier)) this.#add(atMs, 'goodOfFirst')
  }

  ended(visit: Visit, tier: string): void {
    const { atMs } = this.#parts.world
    if (visit.answeredMs === atMs) this.#add(visit.atMs, 'answered')
    const sample = this.#samples[Math.floor(atMs / SECOND_MS)]
    if (sample !== undefined) sample.ends[tier] = (sample.ends[tier] ?? 0) + 1
  }

  seconds(): readonly Second[] {
    return this.#samples.map(({ state, ...counts }) => ({ ...counts, ...state }))
  }

  #add(atMs: number, field: keyof Counts): void {
    const sample = this.#samples[Math.floor(atMs / SECOND_MS)]
    if (sample !== undefined) sample[field] += 1
  }

  #currentState(): Sample['state'] {
    const { inFlight, lanes, world } = this.#parts
    const { nodes } = world
    const [witness] = nodes
    const shown = [...lanes].flatMap(([name, id]) => {
      if (witness === undefined) return []
      const { level, limit } = witness.lane(id)
      return [[name, { level, limit }] as const]
    })
    return {
      waiting: nodes.reduce((sum, node) => sum + total(node.app.waiting()), 0),
      inFlight: inFlight(),
      lanes: Object.fromEntries(shown),
      nodes: nodes.length,
    }
  }
}

function total(byLane: ReadonlyMap<string, number>): number {
  return byLane.values().reduce((sum, count) => sum + count, 0)
}

function emptySample(): Sample {
  return {
    arrivals: 0,
    attempts: 0,
    failedAttempts: 0,
    causedAttempts: 0,
    good: 0,
    goodOfFirst: 0,
    answered: 0,
    ends: {},
    state: NO_STATE,
  }
}
