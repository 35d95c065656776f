// Asks every configured vendor's model once for a few words, before anything is served: the live check of `doctor`. It
// costs what a probe costs, and is in no ledger, because none is open.
import type { Config } from '#config/config.ts'
import { probeOnce } from './model-probes.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'

export interface ProbedModel {
  readonly name: string
  readonly status: 'ok' | 'degraded' | 'error'
  /** `ok`, the class of an error, or what is wrong with the answer. */
  readonly reason: string
  /** What the vendor or the connection said of an error. */
  readonly message: string | undefined
}

export function probeModels(
  { models: configured, probe }: Pick<Config, 'models' | 'probe'>,
  { clock, models }: { readonly clock: Clock; readonly models: ReadonlyMap<string, Model> },
): Promise<readonly ProbedModel[]> {
  const { signal } = new AbortController()
  const asked = [...models].filter(([name]) => configured[name]?.provider !== 'embedded')
  return Promise.all(
    asked.map(async ([name, model]) => {
      const { judged, seen } = await probeOnce({ clock, ...probe, model, signal, undecodableSeen: 0 })
      const last = seen.at(-1)
      const message = last?.type === 'model-error' ? last.message : undefined
      return { name, status: judged.status, reason: judged.reason, message }
    }),
  )
}
