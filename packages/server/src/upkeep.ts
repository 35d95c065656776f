// What runs beside the turns, at intervals: ending turns whose owner died, and forgetting what has expired.
import type { Config } from './config.ts'
import type { Chance } from './ports/chance.ts'
import type { Clock } from './ports/clock.ts'
import type { SessionStore } from './ports/session-store.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { TurnLog } from './ports/turn-log.ts'

export interface UpkeepParts {
  readonly clock: Clock
  readonly chance: Chance
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly telemetry: Telemetry
  readonly config: Config
  readonly recover: () => Promise<number>
}

const SWEEP_EVERY_MS = 60_000
/** Forgetting is done in small bites, so that it never holds up a turn. */
const SWEEP_BATCH = 200

export function createUpkeep(parts: UpkeepParts): { start(): void; stop(): void } {
  const { clock, chance, config, telemetry } = parts
  const timers = new Set<Disposable>()
  let stopped = false

  function repeat(name: string, everyMs: number, work: () => Promise<unknown>): void {
    const run = async () => {
      try {
        await work()
      } catch (error) {
        telemetry.log('error', 'upkeep.failed', { name }, error)
      }
      schedule()
    }
    const schedule = () => {
      if (stopped) return
      // Spread out, so that the nodes of a fleet do not all look at once.
      const timer = clock.after(everyMs * (0.75 + chance.float() / 2), () => {
        timers.delete(timer)
        void run()
      })
      timers.add(timer)
    }
    void run()
  }

  async function sweep(): Promise<void> {
    const now = clock.now()
    await parts.turnLog.sweep(now - config.turns.keepMs, SWEEP_BATCH)
    await parts.sessions.sweep(now - config.sessions.idleExpiryMs - config.sessions.keepMs, SWEEP_BATCH)
  }

  return {
    start() {
      repeat('recover', config.turns.orphanScanMs, parts.recover)
      repeat('sweep', SWEEP_EVERY_MS, sweep)
    },
    stop() {
      stopped = true
      for (const timer of timers) timer[Symbol.dispose]()
      timers.clear()
    },
  }
}
