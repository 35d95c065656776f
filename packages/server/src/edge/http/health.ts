// Liveness and readiness for a load balancer. Alive whenever we can answer; not ready while starting, as a lame duck, draining, or
// without a required dependency. Optional dependencies make it `degraded`; models and lanes are only shown, because the lower tiers
// still answer. In every mode it stays ready: we inform the shoppers, and running answers are read to their end.
import type { Mode } from '#domain/settings/run-settings.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'

/** As a `lame-duck` it says that it is not ready, and still answers like a ready one. */
export type ServingState = 'starting' | 'ready' | 'lame-duck' | 'draining'

export interface DependencyHealth {
  /** `down` is the result of the server's own check; the others are states of a model. */
  readonly status: 'ok' | 'down' | 'degraded' | 'error' | 'stale' | 'pending'
  readonly [fact: string]: string | number
}

/** Checks of dependencies by name; each returns facts or throws. */
export type Probes = Readonly<Record<string, () => Promise<Readonly<Record<string, string | number>>>>>

/** The state of each model by its last probe, and of each lane by its last tick, by name. */
type ModelsHealth = () => Readonly<Record<string, DependencyHealth>>

interface ReadinessParts {
  readonly clock: Clock
  /** Required dependencies. */
  readonly probes: Probes
  /** Optional dependencies: taking the server out of service would only move the load. Default: none. */
  readonly optionalProbes?: Probes
  /** Default: none. */
  readonly models?: ModelsHealth
  /** The mode that operators have set. Default: normal. */
  readonly mode?: () => Mode
  /** The edition of the catalogue; default: not shown. */
  readonly catalogue?: () => Promise<CatalogueHealth>
}

/** A difference to other nodes is shown as a warning: every node still answers. */
export interface CatalogueHealth {
  readonly edition: string | null
  readonly products: number
  readonly others?: Readonly<Record<string, number>>
  readonly warning?: string
}

export interface ReadinessReport {
  readonly ready: boolean
  readonly status: ServingState | 'degraded' | Exclude<Mode, 'normal'>
  readonly mode: Mode
  readonly dependencies: Readonly<Record<string, DependencyHealth>>
  readonly catalogue?: CatalogueHealth
}

const PROBE_MS_MAX = 2000

export class Readiness {
  readonly #clock: Clock
  readonly #probes: Probes
  readonly #optionalProbes: Probes
  readonly #models: ModelsHealth
  readonly #mode: () => Mode
  readonly #catalogue: (() => Promise<CatalogueHealth>) | undefined
  state: ServingState = 'starting'

  constructor({
    catalogue,
    clock,
    optionalProbes = {},
    mode = () => 'normal',
    models = () => ({}),
    probes,
  }: ReadinessParts) {
    this.#clock = clock
    this.#probes = probes
    this.#optionalProbes = optionalProbes
    this.#models = models
    this.#mode = mode
    this.#catalogue = catalogue
  }

  /** Whether questions and connections are taken, whether or not it is ready. */
  get isAnswering(): boolean {
    return this.state === 'ready' || this.state === 'lame-duck'
  }

  async report(): Promise<ReadinessReport> {
    const [needed, useful] = await Promise.all([this.#checkAll(this.#probes), this.#checkAll(this.#optionalProbes)])
    const isOk = ({ status }: DependencyHealth) => status === 'ok'
    const ready = this.state === 'ready' && Object.values(needed).every(isOk)
    const whole = ready && Object.values(useful).every(isOk)
    const dependencies = { ...needed, ...useful, ...this.#models() }
    const status = this.state === 'ready' ? this.#served(whole) : this.state
    // Its store is a required dependency, whose own check reports a failure.
    const catalogue = await this.#catalogue?.().catch(() => undefined)
    return { ready, status, mode: this.#mode(), dependencies, ...(catalogue === undefined ? {} : { catalogue }) }
  }

  #served(whole: boolean): ReadinessReport['status'] {
    if (!whole) return 'degraded'
    const mode = this.#mode()
    return mode === 'normal' ? 'ready' : mode
  }

  async #checkAll(probes: Probes): Promise<Readonly<Record<string, DependencyHealth>>> {
    const checks = Object.entries(probes).map(async ([name, probe]) => [name, await this.#check(probe)] as const)
    return Object.fromEntries(await Promise.all(checks))
  }

  async #check(probe: Probes[string]): Promise<DependencyHealth> {
    try {
      const facts = await withDeadline(this.#clock, { ms: PROBE_MS_MAX, signal: NEVER }, probe)
      return facts === LATE ? { status: 'down' } : { ...facts, status: 'ok' }
    } catch {
      // The dependency's own log entry has the error; this page is public.
      return { status: 'down' }
    }
  }
}
