// Stores what this node counted of its models, behind the turns, and reports what all nodes counted in a stretch of time. A batch that could not be
// stored is repeated under its id; past the bound the oldest is dropped. Equal questions within seconds share one reading.
import type { Config } from '#config/config.ts'
import type { EstimatorStatus } from '#domain/estimator/estimates.ts'
import type { ModelMeter } from '#domain/model-history/model-meter.ts'
import { HISTORY_STEP_MS } from '#domain/model-history/model-meter.ts'
import { modelsReport } from '#domain/model-history/model-report.ts'
import { slowModels } from '#domain/model-history/slow-models.ts'
import type { SlowModels } from '#domain/model-history/slow-models.ts'
import type { ModelsReport, ReportedModel } from '#domain/model-history/model-report.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { HistoryBatch, ModelHistory } from '#ports/model-history/port.ts'
import type { NamedLaneView } from '../lanes.ts'
import { recordsWithin } from '../records-page.ts'

export interface ModelHistoryParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'answers' | 'store'>
  readonly history: ModelHistory
  readonly meter: ModelMeter
  /** Identifies this process. */
  readonly node: string
  readonly models: readonly ReportedModel[]
  /** The names of the vendors' models that shoppers' questions are asked of. */
  readonly asked: readonly string[]
  readonly estimatorOf: (model: string) => EstimatorStatus | undefined
  readonly seenLanes: () => readonly NamedLaneView[]
}

export interface ModelsReported extends ModelsReport {
  /** Absent while the promise of the first word holds. */
  readonly slow?: SlowModels
}

/** The hours before a moment. */
export interface ModelsAsked {
  readonly hours: number
  /** A day of the shop, whose end is meant, or a time. Default: now. */
  readonly to?: string
}

export const HISTORY_EVERY_MS = 15_000
const BATCHES_WAITING_MAX = 50
const HOUR_MS = 3_600_000
const FRESH_MS = 3000
const SHARED_MAX = 20

export function createModelHistoryQueries(parts: ModelHistoryParts) {
  const { clock, config, estimatorOf, history, meter } = parts
  const waiting: HistoryBatch[] = []
  const shared = new BoundedMap<string, { readonly at: number; readonly report: Promise<ModelsReported> }>(SHARED_MAX)
  let batches = 0
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    for (const step of meter.take()) waiting.push({ ...step, id: `${parts.node}-${(batches += 1)}` })
    waiting.splice(0, waiting.length - BATCHES_WAITING_MAX)
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      await history.add(batch)
      // The bound may have dropped it meanwhile.
      if (waiting[0] === batch) waiting.shift()
    }
  }

  function store(): Promise<void> {
    writing ??= write().finally(() => (writing = undefined))
    return writing
  }

  async function read({ hours, to: given }: ModelsAsked): Promise<ModelsReported> {
    const now = clock.now()
    const { to = now } = given === undefined ? {} : recordsWithin({ to: given }, config.store.timeZone)
    const end = Math.min(to, now)
    const from = end - hours * HOUR_MS
    // What waits here is reported next time if it cannot be stored now.
    await store().catch(() => {})
    const steps = await history.read(Math.floor(from / HISTORY_STEP_MS) * HISTORY_STEP_MS, end)
    const report = modelsReport({ from, to: end, steps, models: parts.models, lanes: parts.seenLanes(), estimatorOf })
    const slow = slowModels(config.answers.firstWordMs, parts.asked, report.models)
    return { ...report, ...(slow === undefined ? {} : { slow }) }
  }

  return {
    /** Stores what was counted since the last time. Rejects while the store is unavailable. */
    store,

    /** What the models and their lanes did in the hours before `to`. Throws INVALID_REQUEST. */
    modelsReport(asked: ModelsAsked): Promise<ModelsReported> {
      const key = JSON.stringify([asked.hours, asked.to])
      const known = shared.get(key)
      if (known !== undefined && clock.now() - known.at < FRESH_MS) return known.report
      const report = read(asked)
      shared.set(key, { at: clock.now(), report })
      report.catch(() => shared.delete(key))
      return report
    },
  }
}
