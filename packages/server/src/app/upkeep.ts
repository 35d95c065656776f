// Background work at intervals: takeovers of turns whose owner was lost, expiry, sharing what was learned about the models,
// and the rounds of the parts.
import type { Config } from '#config/config.ts'
import { atIntervals } from '#lib/time/at-intervals.ts'
import type { Repetition } from '#lib/time/at-intervals.ts'
import type { Random } from '#ports/random/port.ts'
import type { Carts } from '#stores/carts.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'
import type { NodeWatch } from '#services/nodes.ts'
import { createClockWatch } from './health/clock-watch.ts'

export interface UpkeepParts {
  readonly clock: Clock
  readonly random: Random
  readonly carts: Pick<Carts, 'sweep'>
  readonly orders: Pick<OrderBook, 'sweep'>
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly turnRecords: Pick<TurnRecords, 'sweep'>
  readonly telemetry: Telemetry
  readonly config: Config
  readonly recover: () => Promise<number>
  readonly share: () => Promise<void>
  readonly rounds: readonly Round[]
  readonly nodes: Pick<NodeWatch, 'leads' | 'serving'>
}

/** Work that is repeated, whatever happened the last time. */
export interface Round {
  readonly name: string
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** Done by the leader alone: work on data that the nodes share. Default: every node does it. */
  readonly by?: 'leader'
}

const DAY_MS = 86_400_000
const SWEEP_EVERY_MS = 60_000
const SHARE_EVERY_MS = 30_000
/** Turns that another node has released are taken over within this, not by all nodes in the same instant. */
const RELEASED_MS_MAX = 250
const CLOCK_EVERY_MS = 10_000
/** Expired data is removed in small batches with a pause between them, so that it never delays a turn. */
const SWEEP_BATCH = 200
const SWEEP_PAUSE_MS = 20
/** Batches in one round for each node, because one node sweeps for all: 40,000 a minute, several times what a node can answer. */
const SWEEP_BATCHES_PER_NODE = 200

export function createUpkeep(parts: UpkeepParts): { start(): void; stop(): void } {
  const { clock, random, config, telemetry } = parts
  const rounds = new Set<Disposable>()

  function repeat({ by, everyMs, name, work }: Round): Repetition {
    let isFailing = false
    const onError = (error: unknown) => {
      telemetry.count('upkeep_failed_total', { task: name })
      // Logged once when it begins to fail: an unavailable store would be logged at every round.
      if (!isFailing) telemetry.log('error', 'upkeep.failed', { task: name }, error)
      isFailing = true
    }
    const round = async () => {
      if (by === 'leader' && !(await parts.nodes.leads())) return
      await work()
      isFailing = false
    }
    const repetition = atIntervals(clock, { everyMs, float: () => random.float(), onError }, round)
    rounds.add(repetition)
    return repetition
  }

  async function sweep(): Promise<void> {
    const now = clock.now()
    await inBatches((limit) => parts.turnLog.sweep(now - config.turns.keepMs, limit))
    const idleBefore = now - config.sessions.idleExpiryMs - config.sessions.keepMs
    await inBatches((limit) => parts.sessions.sweep(idleBefore, limit))
    const { refusalsMax, turnRecordsDays, turnRecordsMax } = config.retention
    const bounds = { before: now - turnRecordsDays * DAY_MS, countMax: turnRecordsMax, refusalsMax }
    await inBatches((limit) => parts.turnRecords.sweep(bounds, limit))
    await inBatches((limit) => parts.carts.sweep(limit))
    await inBatches((limit) => parts.orders.sweep(limit))
  }

  /** Repeats while a batch is full: a fixed number a minute would be slower than the turns. */
  async function inBatches(forget: (limit: number) => Promise<number>): Promise<void> {
    for (let batches = 1; (await forget(SWEEP_BATCH)) === SWEEP_BATCH; batches += 1) {
      if (batches === SWEEP_BATCHES_PER_NODE * parts.nodes.serving())
        return telemetry.count('upkeep_sweep_behind_total')
      await clock.sleep(SWEEP_PAUSE_MS)
    }
  }

  return {
    start() {
      const recovering = repeat({ name: 'recover', everyMs: config.turns.orphanScanMs, work: parts.recover })
      rounds.add(parts.turnLog.onReleased(() => recovering.soon(random.float() * RELEASED_MS_MAX)))
      repeat({ name: 'sweep', everyMs: SWEEP_EVERY_MS, work: sweep, by: 'leader' })
      repeat({ name: 'share', everyMs: SHARE_EVERY_MS, work: parts.share })
      repeat({ name: 'clock', everyMs: CLOCK_EVERY_MS, work: createClockWatch({ clock, telemetry }) })
      for (const round of parts.rounds) repeat(round)
    },
    stop() {
      for (const round of rounds) round[Symbol.dispose]()
      rounds.clear()
    },
  }
}
