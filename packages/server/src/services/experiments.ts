// What operators do with experiments: list, start, stop, and read the report. Every change has a reason and a line in the audit,
// and applies on every node within seconds.
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { splitOf, startDigest, weightsOf } from '#domain/experiments/experiment-settings.ts'
import type { ArmPromptVersions } from '#domain/experiments/experiment-settings.ts'
import { isRunning } from '#domain/experiments/experiment-state.ts'
import type { ExperimentState, ExperimentStop } from '#domain/experiments/experiment-state.ts'
import { buildReport } from '#domain/experiments/report.ts'
import type { ExperimentReport } from '#domain/experiments/report.ts'
import { isAsStarted } from '#domain/experiments/running-experiments.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditEntry, ExperimentChange } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'
import type { Author, AuditLine } from './admin.ts'
import type { Limits } from './principal-limits.ts'

export interface ExperimentParts {
  readonly admin: AdminStore
  readonly armPrompts?: ArmPromptVersions
  readonly clock: Clock
  readonly config: Config
  readonly limits: Limits
  readonly random: Pick<Random, 'hex'>
  readonly telemetry: Telemetry
  readonly turnRecords: Pick<TurnRecords, 'all'>
}

export interface ExperimentOverview {
  readonly name: string
  readonly state: 'configured' | 'running' | 'changed' | 'stopped'
  readonly layer: string
  readonly from: number
  readonly to: number
  readonly outcome: string
  readonly arms: readonly {
    readonly arm: string
    readonly weight: number
    readonly changes: readonly string[]
    readonly stopped: ExperimentStop | null
  }[]
  readonly started: ExperimentStop | null
  readonly stopped: ExperimentStop | null
}

export interface PeriodReport extends ExperimentReport {
  readonly outcome: string
  readonly from: number
  readonly to: number | null
}

/** The key of the hash: with it the arm of a user could be computed. */
export const KEY_BYTES = 32
/** A relative difference of 5 %. */
const DEFAULT_EFFECT = 0.05

export function createExperimentQueries(parts: ExperimentParts) {
  const { admin, clock, config, limits, random, telemetry } = parts

  function definitionOf(name: string) {
    const { list } = config.experiments
    const definition = Object.hasOwn(list, name) ? list[name] : undefined
    if (definition === undefined) {
      throw new Refusal('NOT_FOUND', { details: { field: 'name', reason: 'is not configured' } })
    }
    return definition
  }

  const digestOf = (name: string): string => startDigest(name, config.experiments, parts.armPrompts)

  const stateOf = async (name: string): Promise<ExperimentState | undefined> =>
    (await limits.latest()).experiments.states.get(name)

  async function change(name: string, author: Author, set: Omit<ExperimentChange, 'newKey'>): Promise<AuditLine> {
    const made = { at: clock.now(), by: author.by, reason: author.reason }
    const entry = await admin.setExperiment(name, { ...set, newKey: random.hex(KEY_BYTES) }, made)
    if (entry === undefined) throw refused('was changed by another operator at the same time')
    await reportChange(entry, { limits, telemetry })
    return { ...entry, at: isoTime(entry.at) }
  }

  return {
    async experiments(): Promise<readonly ExperimentOverview[]> {
      const { states } = (await limits.latest()).experiments
      return Object.entries(config.experiments.list).map(([name, definition]) => {
        const split = splitOf(name, definition)
        const state = states.get(name)
        const arms = Object.entries(definition.arms).map(([arm, { weight, change: changed = {} }]) => ({
          arm,
          weight,
          changes: Object.keys(changed),
          stopped: state?.stoppedArms?.[arm] ?? null,
        }))
        return {
          ...split,
          arms,
          outcome: definition.outcome,
          state: progressOf(state, digestOf(name)),
          started: state === undefined ? null : { at: state.startedAt, by: state.startedBy, reason: state.reason },
          stopped: state?.stopped ?? null,
        }
      })
    },

    async startExperiment(name: string, author: Author): Promise<AuditLine> {
      definitionOf(name)
      const split = digestOf(name)
      const before = await stateOf(name)
      if (isAsStarted(before, split)) throw refused('runs already')
      const after = { startedAt: clock.now(), startedBy: author.by, reason: author.reason, split }
      return change(name, author, { action: 'experiment-started', before, after })
    },

    async stopExperiment(name: string, author: Author): Promise<AuditLine> {
      definitionOf(name)
      const before = await stateOf(name)
      if (!isRunning(before)) throw refused('does not run')
      const stopped = { at: clock.now(), by: author.by, reason: author.reason }
      return change(name, author, { action: 'experiment-stopped', before, after: { ...before, stopped } })
    },

    /** Since the last start, until it was stopped. */
    async experimentReport(name: string, effect: number = DEFAULT_EFFECT): Promise<PeriodReport> {
      const { arms, outcome } = definitionOf(name)
      const state = await stateOf(name)
      if (state === undefined) throw refused('was never started')
      const { startedAt: from, stopped, stoppedArms = {} } = state
      const to = stopped?.at ?? null
      const records = parts.turnRecords.all({ experiment: name, from, ...(to === null ? {} : { to }) })
      const stops = Object.entries(stoppedArms).map(([arm, { at }]) => [arm, at])
      const report = await buildReport(records, {
        experiment: name,
        arms: weightsOf(arms),
        stoppedArms: Object.fromEntries(stops) as Record<string, number>,
        effect,
      })
      return { ...report, outcome, from, to }
    },
  }
}

/** Reports a change, and refreshes this node so that it applies here at once. */
export async function reportChange(
  { action, by, number }: AuditEntry,
  { limits, telemetry }: Pick<ExperimentParts, 'limits' | 'telemetry'>,
): Promise<void> {
  telemetry.count('admin_changed_total', { action })
  telemetry.log(by === GUARD ? 'warn' : 'info', 'admin.changed', { action, number, by })
  await limits.latest()
}

/** Who stops an arm when no operator does. */
export const GUARD = 'guard'

const refused = (reason: string) => new Refusal('INVALID_REQUEST', { details: { field: 'name', reason } })

function progressOf(state: ExperimentState | undefined, digest: string): ExperimentOverview['state'] {
  if (state === undefined) return 'configured'
  if (!isRunning(state)) return 'stopped'
  return isAsStarted(state, digest) ? 'running' : 'changed'
}
