// What a wiring hands to main.ts, whatever its stores are: the ports, the keys that sign for guests, and looks at
// what the process depends on. Disposing of it closes the stores.
import type { Ports } from '#app/app.ts'
import type { Probes } from '#edge/http/health.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { ModelWiring } from './models/models.ts'
import type { SystemParts } from './system.ts'

export interface Wiring extends AsyncDisposable {
  readonly ports: Ports
  readonly cookieKeys: SigningKeys
  /** What it cannot serve without, for `readyz`. */
  readonly probes: Probes
  /** What it can do without for a while, degraded. */
  readonly dispensable: Probes
}

export type WiringParts = Omit<SystemParts, 'metrics'> & ModelWiring
