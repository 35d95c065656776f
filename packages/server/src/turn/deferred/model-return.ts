// Whether a model is back for the questions that were kept: they are asked again only once one has just answered, for a second
// refusal would break a promise. Where no shopper's call shows it, a few tokens are asked for at the shop's cost, through
// the lane like any call; so a lane that nobody uses is probed and closes too.
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Rung } from '../turn.ts'
import type { ProbeLane } from '../house-calls/probe-lane.ts'

export interface ModelReturnParts {
  readonly clock: Pick<Clock, 'now'>
  readonly lanes: Pick<Lanes, 'seen' | 'maintenance'>
  /** Of the ladder, in its order. */
  readonly rungs: readonly Rung[]
  readonly probeLane: ProbeLane
}

export interface ModelReturn {
  /** To be called while questions wait. */
  look(): Promise<void>
  isBack(): boolean
}

/** What an answer proves, it proves for so long. */
const PROOF_MS = 10_000
/** As many as all stages of probes take. */
const ASKS_PER_LOOK_MAX = 14
const WELL_SHARE = 0.9
const ROOM_SHARE = 0.8
/** So many of the last ten seconds need no further one. */
const FAILURES_TELL = 10

export function createModelReturn({ clock, lanes, rungs, probeLane }: ModelReturnParts): ModelReturn {
  const provedAt = new Map<string, number>()

  function isProved({ lane }: Rung): boolean {
    const { phase, recent } = lanes.seen(lane)
    if (phase !== 'closed' && phase !== 'recovering') return false
    if (recent.failures > 0 && recent.calls - recent.failures < recent.calls * WELL_SHARE) return false
    const isOwnProof = clock.now() - (provedAt.get(lane) ?? Number.NEGATIVE_INFINITY) < PROOF_MS
    return isOwnProof || recent.calls > recent.failures
  }

  /** Those who are here go first, and their calls show how it is: nothing is asked beside them, nor for those who left. */
  function isBusy({ lane }: Rung): boolean {
    const { recent, limit, inFlight } = lanes.seen(lane)
    return recent.shed > 0 || recent.failures >= FAILURES_TELL || (limit !== null && inFlight >= limit * ROOM_SHARE)
  }
  const isBack = () => lanes.maintenance() === null && rungs.some((rung) => isProved(rung) && !isBusy(rung))

  async function ask(rung: Rung): Promise<boolean> {
    const isWell = await probeLane(rung)
    if (isWell) provedAt.set(rung.lane, clock.now())
    else provedAt.delete(rung.lane)
    return isWell
  }

  return {
    isBack,
    async look() {
      // One that is busy works: its own calls will show when there is room.
      if (rungs.some(isBusy)) return
      for (const rung of rungs) {
        for (let asks = 0; asks < ASKS_PER_LOOK_MAX && lanes.maintenance() === null; asks += 1) {
          if (isBack()) return
          if (!(await ask(rung))) break
        }
      }
    },
  }
}
