// Owns running turns: renews their leases, aborts them at their deadline, on a shopper's stop and without readers, and lets
// a drain wait for them. A turn whose lease is lost is aborted and writes nothing more; one that the drain leaves is released, so
// that another node continues it at once.
import type { Config } from '#config/config.ts'
import { orUnavailable } from '#domain/store-unavailable.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Lease, TurnLog } from '#ports/turn-log/port.ts'
import type { RunTurn } from '../run-turn.ts'
import type { Admitted } from '../turn.ts'

export interface OwnershipParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly config: Config
  readonly runTurn: RunTurn
}

export interface Ownership {
  /** Runs an admitted turn to its end, detached from the caller. */
  run(admitted: Admitted): void
  /**
   * Waits for running turns at most `ms`, or until `cut`, then leaves the others, with what they have, to another owner. Returns how
   * many were left.
   */
  drain(ms: number, cut: AbortSignal): Promise<number>
  /** How many turns have ended here; those that were left have not. */
  ended(): number
  /** Whether this process runs a turn, even when its lease has lapsed. */
  owns(turnId: string): boolean
}

type AbortCause = ConstructorParameters<typeof TurnAbort>[0]

/** After the drain's end, how long the remaining turns may take to write what they have. */
const LEAVE_MS = 2000

export function createOwnership(parts: OwnershipParts): Ownership {
  const { clock, turnLog, budgets: state, telemetry, config } = parts
  let endedTurns = 0
  const turns = new Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>()

  /** Returns whether the turn ended here. */
  async function own(admitted: Admitted, controller: AbortController): Promise<boolean> {
    const { start, scope } = admitted
    using resources = new DisposableStack()
    const abort = (cause: AbortCause) => {
      if (!controller.signal.aborted) scope.event('turn.stopped', { reason: cause })
      controller.abort(new TurnAbort(cause))
    }
    const msLeft = start.deadlines.endBy - config.deadlines.settleMs - clock.now()
    resources.use(clock.after(Math.max(0, msLeft), () => abort('timeout')))
    resources.use(turnLog.onStop(start.turnId, () => abort('stopped')))
    resources.use(keepLeases(admitted, abort))
    try {
      await parts.runTurn(admitted, controller)
      return true
    } catch (error) {
      // Its lease lapses and another node finds it: nothing is lost, so this is logged and not thrown.
      if (error instanceof TurnAbort) {
        scope.event('turn.abandoned', { reason: error.abortCause })
        scope.log('warn', 'turn.abandoned', { turnId: start.turnId, reason: error.abortCause }, error.cause)
        scope.end('left', { reason: error.abortCause })
        return false
      }
      scope.log('error', 'turn.failed', { turnId: start.turnId }, error)
      scope.end('failed')
      return false
    }
  }

  async function ownUntilLeft(admitted: Admitted, controller: AbortController): Promise<void> {
    const hasEnded = await own(admitted, controller)
    if (hasEnded) endedTurns += 1
    else if (isHandedOver(controller.signal)) await release(admitted)
  }

  /** While the log is unavailable the lease lapses instead. */
  async function release({ epoch, start: { turnId } }: Admitted): Promise<void> {
    const released = orUnavailable(() => turnLog.release(turnId, epoch))
    await released.catch((error: unknown) => telemetry.log('error', 'turn.failed', { turnId }, error))
  }

  function keepLeases(admitted: Admitted, abort: (cause: AbortCause) => void): Disposable {
    const { start, epoch } = admitted
    const { leaseMs, renewMs, holdMs } = config.turns
    // The hold lasts far longer than the lease: it is renewed before a third of that has passed, and not with every lease.
    const holdRenewMs = (holdMs - leaseMs) / 3
    let holdDueAt = clock.now()
    let ended = false
    let timer: Disposable
    const renewHold = async () => {
      const now = clock.now()
      if (now < holdDueAt) return
      await state.renew(start.hold, holdMs)
      holdDueAt = now + holdRenewMs
    }
    const renew = async () => {
      const [renewed, held] = await Promise.allSettled([turnLog.renew(start.turnId, epoch, leaseMs), renewHold()])
      if (renewed.status === 'fulfilled' && !ended) heed(start, renewed.value, abort)
      // Counted and not logged one by one: while a store is unavailable, every turn of every node comes here every few
      // seconds.
      for (const { status } of [renewed, held]) if (status === 'rejected') telemetry.count('turn_renew_failed_total')
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

  function heed(start: TurnStart, lease: Lease | undefined, abort: (cause: AbortCause) => void): void {
    if (lease === undefined) return abort('lost')
    const { resumeWindowMs, unread } = config.turns
    // A deferred answer is made for a reader who comes later.
    if (start.deferredFrom === undefined && unread === 'stop' && lease.unattendedMs >= resumeWindowMs) {
      telemetry.count('turn_unread_total')
      abort('unread')
    }
  }

  async function allEnded(): Promise<void> {
    await Promise.all([...turns.values()].map((turn) => turn.ended))
  }

  return {
    run(admitted) {
      const { turnId } = admitted.start
      const controller = new AbortController()
      const ended = ownUntilLeft(admitted, controller).finally(() => turns.delete(turnId))
      turns.set(turnId, { controller, ended })
    },
    async drain(ms, cut) {
      if ((await withDeadline(clock, { ms, signal: cut }, allEnded)) !== LATE) return 0
      const { size } = turns
      const before = endedTurns
      for (const turn of turns.values()) turn.controller.abort(new TurnAbort('handed-over'))
      await withDeadline(clock, { ms: LEAVE_MS, signal: NEVER }, allEnded)
      // Some were settling already, and have ended.
      return size - (endedTurns - before)
    },
    ended: () => endedTurns,
    owns: (turnId) => turns.has(turnId),
  }
}

function isHandedOver({ reason }: AbortSignal): boolean {
  return reason instanceof TurnAbort && reason.abortCause === 'handed-over'
}
