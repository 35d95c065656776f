// Decides how many deferred questions the models have room for: they are asked again only after a model has just answered,
// because a second refusal would break a promise, and only while no shopper's question waits. Without shoppers' calls, a house call of a few tokens finds out, through
// the lane like any call; so a lane without traffic is probed and closes too.
import type { Clock } from '#ports/clock/port.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { WaitingQueue } from '../invocation/waiting-queue.ts'
import type { Rung } from '../turn.ts'
import type { ProbeLane } from '../house-calls/probe-lane.ts'
import { roomIn } from '../house-calls/spare-calls.ts'

export interface ModelReturnParts {
  readonly clock: Pick<Clock, 'now'>
  readonly lanes: Pick<Lanes, 'seen'>
  /** How many turns of this node wait at each lane. */
  readonly queue: Pick<WaitingQueue, 'sizes'>
  /** Models are asked in the normal mode only. */
  readonly settings: Pick<RunSettings, 'mode'>
  /** The rungs of the ladder, in order. */
  readonly rungs: readonly Rung[]
  readonly probeLane: ProbeLane
}

export interface ModelReturn {
  /** Must be called while questions wait. */
  check(): Promise<void>
  /** How many deferred questions may be asked now; 0 while no model has shown that it answers. */
  room(): number
}

/** How long one answer counts as proof. */
const PROOF_MS = 10_000
/** The number of probes in all stages together. */
const ASKS_PER_CHECK_MAX = 14
const WELL_SHARE = 0.9
/** With this many failures in the last ten seconds the lane counts as busy, and is not probed. */
const FAILURES_ENOUGH = 10

export function createModelReturn({ clock, lanes, queue, rungs, probeLane, settings }: ModelReturnParts): ModelReturn {
  const provedAt = new Map<string, number>()

  function isProved({ lane }: Rung): boolean {
    const { phase, recent } = lanes.seen(lane)
    if (phase !== 'closed' && phase !== 'recovering') return false
    if (recent.failures > 0 && recent.calls - recent.failures < recent.calls * WELL_SHARE) return false
    const isOwnProof = clock.now() - (provedAt.get(lane) ?? Number.NEGATIVE_INFINITY) < PROOF_MS
    return isOwnProof || recent.calls > recent.failures
  }

  /** Running turns go first, and their calls show the state of the lane: no house call competes with them. */
  function isBusy({ lane }: Rung): boolean {
    const { recent, pace } = lanes.seen(lane)
    const hasWaiting = (queue.sizes().get(lane) ?? 0) > 0
    return hasWaiting || pace !== null || recent.shed > 0 || recent.failures >= FAILURES_ENOUGH || roomOf(lane) === 0
  }
  const roomOf = (lane: string) => roomIn(lanes.seen(lane))

  function room(): number {
    if (settings.mode() !== 'normal') return 0
    const free = rungs.filter((rung) => isProved(rung) && !isBusy(rung))
    return Math.max(0, ...free.map(({ lane }) => roomOf(lane)))
  }

  async function ask(rung: Rung): Promise<boolean> {
    const isWell = await probeLane(rung)
    if (isWell) provedAt.set(rung.lane, clock.now())
    else provedAt.delete(rung.lane)
    return isWell
  }

  return {
    room,
    async check() {
      // A busy model works: its own calls will show when there is room.
      if (rungs.some(isBusy)) return
      for (const rung of rungs) {
        for (let asks = 0; asks < ASKS_PER_CHECK_MAX && settings.mode() === 'normal'; asks += 1) {
          if (room() > 0) return
          if (!(await ask(rung))) break
        }
      }
    },
  }
}
