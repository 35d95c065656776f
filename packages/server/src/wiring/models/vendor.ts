// The facts that the program needs about a vendor of models: a row of `vendors.ts`.
import type { Config } from '#config/config.ts'
import type { ConfigProblem } from '#config/load-config.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import type { ModelBook } from './model-facts.ts'
import type { Environment } from './model-secrets.ts'

export type ModelConfig = Config['models'][string]

export type Vendor = BuiltInVendor | RemoteVendor

interface VendorSettings {
  /** Settings that only some vendors have. With another vendor they are reported, because they would have no effect. */
  readonly settings: readonly (keyof ModelConfig)[]
}

/** Answers in this process: no id, no price, no key. */
export interface BuiltInVendor extends VendorSettings {
  readonly kind: 'built-in'
  open(model: ModelConfig, parts: { readonly clock: Clock }): Model
}

export interface RemoteVendor extends VendorSettings {
  readonly kind: 'remote'
  readonly credentials: VendorCredentials
  /** The npm package of its AI SDK provider; absent if the program has its own adapter, or if a setting names the package. */
  readonly package?: string
  /** The checks of its models that a schema cannot make, in the order in which problems are reported. */
  readonly checks: readonly ModelCheck[]
  /** Also loads the adapter, so that a vendor's library is loaded only if the vendor is used. */
  open(setup: ModelSetup): Promise<Model>
}

type VendorCredentials =
  /** The usual variables of its key: the first is read unless the configuration names another; `init` looks for all of them. */
  { readonly kind: 'key'; readonly variables: readonly string[] } | { readonly kind: 'aws' }

export interface CheckedModel {
  /** The path of its settings, such as `models.primary`. */
  readonly path: string
  readonly model: ModelConfig
  readonly vendor: RemoteVendor
  readonly env: Environment
  /** Undefined when data/models.yaml could not be read, which is reported separately. */
  readonly book: ModelBook | undefined
}

export type ModelCheck = (checked: CheckedModel) => readonly ConfigProblem[]

export interface ModelSetup {
  readonly name: string
  readonly model: ModelConfig
  readonly vendor: RemoteVendor
  readonly env: Environment
  readonly id: string
  readonly facts: ModelFacts
  readonly clock: Clock
  readonly limits: {
    readonly connectMs: number
    readonly firstByteMs: number
    readonly stallMs: number
    readonly connectionsMax: number
  }
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample: StartSample | undefined
}
