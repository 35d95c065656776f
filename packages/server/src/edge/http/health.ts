// Whether this process lives, and whether it can serve: a load balancer's two questions.
// Alive is answered as long as we can answer at all; ready not while starting, draining, or without what it needs. What it
// can do without is shown and makes it `degraded`; models and lanes are only shown, because without any of them the lower
// tiers still answer. In maintenance it stays ready: it is we who tell the shoppers so, and answers under way are read on.
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'

export type ServingState = 'starting' | 'ready' | 'draining'

export interface DependencyHealth {
  /** `down` is said of what the server looked at itself; the others are how a model stands. */
  readonly status: 'ok' | 'down' | 'degraded' | 'error' | 'stale' | 'pending'
  readonly [fact: string]: string | number
}

/** By name, a look at a dependency that answers with facts about it or throws. */
export type Probes = Readonly<Record<string, () => Promise<Readonly<Record<string, string | number>>>>>

/** By name, how each model stands by its last probe, and each lane by its last tick. */
type ModelsHealth = () => Readonly<Record<string, DependencyHealth>>

interface ReadinessParts {
  readonly clock: Clock
  /** What the server cannot serve without. */
  readonly probes: Probes
  /** What it can do without for a while: to take it out of service then would only move the load. Default: none. */
  readonly dispensable?: Probes
  /** Default: none. */
  readonly models?: ModelsHealth
  /** Whether a person has closed the service. Default: nobody. */
  readonly isInMaintenance?: () => boolean
}

export interface ReadinessReport {
  readonly ready: boolean
  readonly status: ServingState | 'degraded' | 'maintenance'
  readonly dependencies: Readonly<Record<string, DependencyHealth>>
}

const PROBE_MS_MAX = 2000

export class Readiness {
  readonly #clock: Clock
  readonly #probes: Probes
  readonly #dispensable: Probes
  readonly #models: ModelsHealth
  readonly #isInMaintenance: () => boolean
  state: ServingState = 'starting'

  constructor({ clock, dispensable = {}, isInMaintenance = () => false, models = () => ({}), probes }: ReadinessParts) {
    this.#clock = clock
    this.#probes = probes
    this.#dispensable = dispensable
    this.#models = models
    this.#isInMaintenance = isInMaintenance
  }

  async report(): Promise<ReadinessReport> {
    const [needed, useful] = await Promise.all([this.#lookAt(this.#probes), this.#lookAt(this.#dispensable)])
    const isOk = ({ status }: DependencyHealth) => status === 'ok'
    const ready = this.state === 'ready' && Object.values(needed).every(isOk)
    const whole = ready && Object.values(useful).every(isOk)
    const dependencies = { ...needed, ...useful, ...this.#models() }
    return { ready, status: this.state === 'ready' ? this.#served(whole) : this.state, dependencies }
  }

  #served(whole: boolean): ReadinessReport['status'] {
    if (!whole) return 'degraded'
    return this.#isInMaintenance() ? 'maintenance' : 'ready'
  }

  async #lookAt(probes: Probes): Promise<Readonly<Record<string, DependencyHealth>>> {
    const looks = Object.entries(probes).map(async ([name, probe]) => [name, await this.#look(probe)] as const)
    return Object.fromEntries(await Promise.all(looks))
  }

  async #look(probe: Probes[string]): Promise<DependencyHealth> {
    try {
      const facts = await withDeadline(this.#clock, { ms: PROBE_MS_MAX, signal: NEVER }, probe)
      return facts === LATE ? { status: 'down' } : { ...facts, status: 'ok' }
    } catch {
      // What went wrong is the dependency's own log entry; this page is public.
      return { status: 'down' }
    }
  }
}
