// Asks every configured vendor's model once for a few words, before anything is served: the live check of `doctor`. It
// costs what a probe costs, takes no permit and has no ledger row, because neither lanes nor a ledger are open.
import type { Config } from '#config/config.ts'
import { collectParts } from '#turn/house-calls/collect-parts.ts'
import { FORMAT_PROBE, judgeFormat } from './format-probe.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'

export interface ProbedModel {
  readonly name: string
  readonly status: 'ok' | 'degraded' | 'error'
  /** `ok`, the class of an error, or what is wrong with the answer. */
  readonly reason: string
  /** The vendor's or the connection's error message. */
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
      const { deadlineMs: ms, outputTokens } = probe
      const request = { ...FORMAT_PROBE, maxOutputTokens: outputTokens }
      const seen = await collectParts({ clock, model }, request, { ms, signal })
      const undecodableEvents = model.undecodableEvents?.() ?? 0
      const judged = judgeFormat(seen, { outputTokensMax: outputTokens, undecodableEvents })
      const last = seen.at(-1)
      const message = last?.type === 'model-error' ? last.message : undefined
      return { name, status: judged.status, reason: judged.reason, message }
    }),
  )
}
