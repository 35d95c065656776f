// Owning running turns: their leases are renewed, their deadline and the shopper's stop reach their signal,
// and a drain waits for them. A turn whose lease is lost is told so and writes nothing more.
import type { Config } from '#config.ts'
import { TurnAbort } from '#domain/turn-abort.ts'
import { LATE, withDeadline } from '#lib/with-deadline.ts'
import type { Clock } from '#ports/clock.ts'
import type { SharedState } from '#ports/shared-state.ts'
import type { Telemetry } from '#ports/telemetry.ts'
import type { TurnLog } from '#ports/turn-log.ts'
import type { RunTurn } from './run-turn.ts'
import type { Admitted } from './turn.ts'

export interface OwnershipParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly state: SharedState
  readonly telemetry: Telemetry
  readonly config: Config
  readonly runTurn: RunTurn
}

export interface Ownership {
  /** Runs an admitted turn to its end, detached from the caller. */
  run(admitted: Admitted): void
  /** Waits for running turns at most `drainMs`, then ends the rest with what they have. */
  drain(): Promise<void>
  running(): number
  /** Whether this process is the one that runs a turn, be its lease lapsed or not. */
  owns(turnId: string): boolean
}

/** After the drain's end, how long the cut turns may take to settle. */
const SETTLE_AFTER_DRAIN_MS = 2000

export function createOwnership(parts: OwnershipParts): Ownership {
  const { clock, turnLog, state, telemetry, config } = parts
  const turns = new Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>()

  async function own(admitted: Admitted, controller: AbortController): Promise<void> {
    const { start } = admitted
    using resources = new DisposableStack()
    const abort = (cause: ConstructorParameters<typeof TurnAbort>[0]) => controller.abort(new TurnAbort(cause))
    const msLeft = start.deadlines.endBy - config.deadlines.settleMs - clock.now()
    resources.use(clock.after(Math.max(0, msLeft), () => abort('timeout')))
    resources.use(turnLog.onStop(start.turnId, () => abort('stopped')))
    resources.use(keepLeases(admitted, () => abort('lost')))
    try {
      await parts.runTurn(admitted, controller)
    } catch (error) {
      // Its lease lapses and it is found again: nothing is lost, so this is told and not thrown.
      const lost = error instanceof TurnAbort
      telemetry.log(lost ? 'warn' : 'error', lost ? 'turn.lost' : 'turn.failed', { turnId: start.turnId }, error)
    }
  }

  function keepLeases(admitted: Admitted, onLost: () => void): Disposable {
    const { start, epoch } = admitted
    const { leaseMs, renewMs } = config.turns
    let ended = false
    let timer: Disposable
    const renew = async () => {
      try {
        const [owned] = await Promise.all([
          turnLog.renew(start.turnId, epoch, leaseMs),
          state.renew(start.hold.id, leaseMs),
        ])
        if (!owned && !ended) onLost()
      } catch (error) {
        telemetry.log('warn', 'turn.renew-failed', { turnId: start.turnId }, error)
      }
      if (!ended) timer = clock.after(renewMs, () => void renew())
    }
    timer = clock.after(renewMs, () => void renew())
    return {
      [Symbol.dispose]() {
        ended = true
        timer[Symbol.dispose]()
      },
    }
  }

  async function allEnded(): Promise<void> {
    await Promise.all([...turns.values()].map((turn) => turn.ended))
  }

  return {
    run(admitted) {
      const { turnId } = admitted.start
      const controller = new AbortController()
      const ended = own(admitted, controller).finally(() => turns.delete(turnId))
      turns.set(turnId, { controller, ended })
    },
    async drain() {
      const never = new AbortController().signal
      if ((await withDeadline(clock, { ms: config.server.drainMs, signal: never }, allEnded)) !== LATE) return
      for (const turn of turns.values()) turn.controller.abort(new TurnAbort('drained'))
      await withDeadline(clock, { ms: SETTLE_AFTER_DRAIN_MS, signal: never }, allEnded)
    },
    running: () => turns.size,
    owns: (turnId) => turns.has(turnId),
  }
}
