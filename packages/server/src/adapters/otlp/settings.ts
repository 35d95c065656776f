// Where and how telemetry is exported, as `wiring/telemetry/otel-variables.ts` reads it from the standard variables.
import type { Signal } from '#domain/telemetry/export-names.ts'

export interface SignalSettings {
  readonly url: string
  readonly protocol: 'http/protobuf' | 'http/json'
  /** May contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly compression: 'gzip' | 'none'
  /** For one batch, with its retries. */
  readonly timeoutMs: number
}

export interface BatchSettings {
  /** Records that wait; further ones are dropped. */
  readonly queueMax: number
  /** Records of one request. */
  readonly batchMax: number
  /** How long a record waits for others. */
  readonly delayMs: number
}

export interface OtlpSettings {
  /** Attributes of the resource: the service and its instance. */
  readonly resource: Readonly<Record<string, string>>
  readonly signals: { readonly [One in Signal]?: SignalSettings }
  readonly spans: BatchSettings
  readonly logs: BatchSettings
  readonly metricsEveryMs: number
}
