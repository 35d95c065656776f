// Stops the arm of a running experiment that passes a configured bound of errors or cost: its units get control's settings. The
// leader does it, over the newest turns of each experiment, and each stop is in the audit as `guard`.
import type { Config } from '#config/config.ts'
import { CONTROL } from '#domain/experiments/assign.ts'
import { startDigest } from '#domain/experiments/experiment-settings.ts'
import type { ArmPromptVersions, ExperimentDefinition } from '#domain/experiments/experiment-settings.ts'
import type { ExperimentState } from '#domain/experiments/experiment-state.ts'
import { passedBound } from '#domain/experiments/passed-bound.ts'
import { isAsStarted } from '#domain/experiments/running-experiments.ts'
import { Tally } from '#domain/experiments/tally.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnRecord, TurnRecords } from '#ports/turn-records/port.ts'
import { GUARD, KEY_BYTES, reportChange } from './experiments.ts'
import type { Limits } from './principal-limits.ts'

export interface GuardParts {
  readonly admin: AdminStore
  readonly armPrompts?: ArmPromptVersions
  readonly clock: Clock
  readonly config: Config
  readonly limits: Limits
  readonly random: Pick<Random, 'hex'>
  readonly telemetry: Telemetry
  readonly turnRecords: Pick<TurnRecords, 'all'>
}

export const GUARD_EVERY_MS = 60_000
/** The newest turns of an experiment that a round reads. */
const TURNS_READ_MAX = 20_000

/** One round. It reads no records while no experiment with a guard runs. */
export function createExperimentGuard(parts: GuardParts): () => Promise<void> {
  const { admin, clock, config, limits, random, telemetry } = parts
  const guarded = Object.entries(config.experiments.list).filter(([, { guard }]) => guard !== undefined)

  async function check(name: string, definition: ExperimentDefinition, state: ExperimentState): Promise<void> {
    const counted = await countTurns(parts.turnRecords.all({ experiment: name, from: state.startedAt }), name)
    const control = counted.figures(CONTROL)
    let known = state
    const others = Object.keys(definition.arms).filter((arm) => arm !== CONTROL)
    for (const arm of others) {
      if (known.stoppedArms?.[arm] !== undefined) continue
      const bounds = definition.guard ?? {}
      const reason = passedBound(counted.figures(arm), { control, bounds, arms: others.length })
      if (reason === undefined) continue
      const stop = { at: clock.now(), by: GUARD, reason }
      const after = { ...known, stoppedArms: { ...known.stoppedArms, [arm]: stop } }
      const set = { action: 'arm-stopped', before: known, after, newKey: random.hex(KEY_BYTES) } as const
      const entry = await admin.setExperiment(name, set, stop)
      // An operator was faster; the next round sees what is left to do.
      if (entry === undefined) return
      known = after
      await reportChange(entry, { limits, telemetry })
    }
  }

  return async function guard() {
    if (guarded.length === 0) return
    const { states } = (await limits.latest()).experiments
    const running = guarded.flatMap(([name, definition]) => {
      const state = states.get(name)
      const digest = startDigest(name, config.experiments, parts.armPrompts)
      return isAsStarted(state, digest) ? [{ name, definition, state }] : []
    })
    if (running.length === 0) return
    for (const { name, definition, state } of running) await check(name, definition, state)
  }
}

async function countTurns(records: AsyncIterable<TurnRecord>, name: string): Promise<Tally> {
  const tally = new Tally()
  let read = 0
  for await (const record of records) {
    const arm = record.routing?.exposures.find(({ experiment }) => experiment === name)?.arm
    if (record.routing !== undefined && arm !== undefined) tally.add(arm, record.routing.unit, record)
    read += 1
    if (read >= TURNS_READ_MAX) break
  }
  return tally
}
