// Whether this process lives, and whether it can serve: a load balancer's two questions.
// Alive is answered as long as we can answer at all; ready not while starting, draining, or without a dependency. Models are
// shown but do not decide: without any of them the lower tiers still answer.
import { LATE, withDeadline } from '#lib/with-deadline.ts'
import type { Clock } from '#ports/clock.ts'

export type ServingState = 'starting' | 'ready' | 'draining'

export interface DependencyHealth {
  /** `down` makes the server unready; the others are how a model stands. */
  readonly status: 'ok' | 'down' | 'degraded' | 'error' | 'stale' | 'pending'
  readonly [fact: string]: string | number
}

/** By name, a look at a dependency that answers with facts about it or throws. */
export type Probes = Readonly<Record<string, () => Promise<Readonly<Record<string, string | number>>>>>

/** By name, how each model stands by its last probe. */
type ModelsHealth = () => Readonly<Record<string, DependencyHealth>>

interface ReadinessParts {
  readonly clock: Clock
  readonly probes: Probes
  /** Default: none. */
  readonly models?: ModelsHealth
}

export interface ReadinessReport {
  readonly ready: boolean
  readonly status: ServingState | 'degraded'
  readonly dependencies: Readonly<Record<string, DependencyHealth>>
}

const PROBE_MS_MAX = 2000

export class Readiness {
  readonly #clock: Clock
  readonly #probes: Probes
  readonly #models: ModelsHealth
  state: ServingState = 'starting'

  constructor({ clock, models = () => ({}), probes }: ReadinessParts) {
    this.#clock = clock
    this.#probes = probes
    this.#models = models
  }

  async report(): Promise<ReadinessReport> {
    const looks = Object.entries(this.#probes).map(async ([name, probe]) => [name, await this.#look(probe)] as const)
    const needed = Object.fromEntries(await Promise.all(looks))
    const whole = Object.values(needed).every((dependency) => dependency.status === 'ok')
    const ready = this.state === 'ready' && whole
    const dependencies = { ...needed, ...this.#models() }
    return { ready, status: this.state === 'ready' && !whole ? 'degraded' : this.state, dependencies }
  }

  async #look(probe: Probes[string]): Promise<DependencyHealth> {
    try {
      const facts = await withDeadline(this.#clock, { ms: PROBE_MS_MAX, signal: new AbortController().signal }, probe)
      return facts === LATE ? { status: 'down' } : { ...facts, status: 'ok' }
    } catch {
      // What went wrong is the dependency's own log entry; this page is public.
      return { status: 'down' }
    }
  }
}
