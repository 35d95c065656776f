// What a wiring gives to main.ts, whatever its stores are: the ports, the keys that sign guests' cookies, and probes of the
// process's dependencies. Disposing of it closes the stores.
import type { Ports } from '#app/app.ts'
import type { Probes } from '#edge/http/health.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { ModelWiring } from './models/models.ts'
import type { SystemParts } from './system.ts'

export interface Wiring extends AsyncDisposable {
  readonly ports: Ports
  readonly cookieKeys: SigningKeys
  /** Probes of the dependencies that the process cannot serve without, for `readyz`. */
  readonly probes: Probes
  /** Probes of the dependencies without which it serves in degraded mode. */
  readonly optionalProbes: Probes
}

export type WiringParts = Omit<SystemParts, 'metrics'> & ModelWiring
