// What the program must know about a vendor of models: a row of `vendors.ts`.
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
  /** Settings that not every vendor has: elsewhere they are a mistake that would go unnoticed. */
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
  /** The npm package of its AI SDK provider; absent where the program has an adapter of its own, or the setting names it. */
  readonly package?: string
  /** What can be wrong with a model of this vendor that a schema cannot say, in the order in which it is reported. */
  readonly checks: readonly ModelCheck[]
  /** Loads the adapter: a store that does not use a vendor does not pay for its library. */
  open(setup: ModelSetup): Promise<Model>
}

type VendorCredentials =
  /** The variables that usually hold its key: the first is read unless the configuration names another, `init` finds them all. */
  { readonly kind: 'key'; readonly variables: readonly string[] } | { readonly kind: 'aws' }

export interface CheckedModel {
  /** Of its settings, such as `models.primary`. */
  readonly path: string
  readonly model: ModelConfig
  readonly vendor: RemoteVendor
  readonly env: Environment
  /** Undefined when data/models.yaml could not be read, which is reported by itself. */
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
