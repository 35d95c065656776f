// Whether the models of a shop all need longer for their first word than is promised: then questions wait for the quickest (`first-word.ts`), and
// operators should know. Pure. Used by the report of the models and by `doctor --live`.
import { stretchedFirstWordMs } from '../turn/first-word.ts'
import type { ModelReport } from './model-report.ts'

export interface SlowModels {
  /** The quickest. */
  readonly model: string
  readonly p95Ms: number
  readonly promisedMs: number
  /** How long a question waits for its first word in place of that. */
  readonly waitedMs: number
}

/** `names`: the vendors' models of the ladder. One without a word in the report is not known, and counts as quick; undefined: the promise holds. */
export function slowModels(
  promisedMs: number,
  names: readonly string[],
  models: readonly Pick<ModelReport, 'name' | 'firstWordsP95Ms'>[],
): SlowModels | undefined {
  const p95s = names.map((model) => {
    return { model, p95Ms: models.find(({ name }) => name === model)?.firstWordsP95Ms ?? undefined }
  })
  const waitedMs = stretchedFirstWordMs(
    promisedMs,
    p95s.map(({ p95Ms }) => p95Ms),
  )
  const [quickest] = p95s.toSorted((one, other) => (one.p95Ms ?? 0) - (other.p95Ms ?? 0))
  if (waitedMs <= promisedMs || quickest?.p95Ms === undefined) return undefined
  return { model: quickest.model, p95Ms: quickest.p95Ms, promisedMs, waitedMs }
}
