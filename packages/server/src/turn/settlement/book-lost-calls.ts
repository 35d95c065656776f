// Books the calls that an owner made for a turn and that the log does not have, because the owner could not reach the log
// before another node took the turn over. The next owner does not know of them, so the lost owner books them itself: rows
// with its own numbers, and a charge beside the turn's. Calls that the log has are booked by the next owner.
import { usedBy } from '#domain/budget/need.ts'
import type { Hold } from '#domain/budget/quota.ts'
import { chargeIdOf } from '#domain/ledger/ledger-row.ts'
import { isAttemptOf } from '#domain/turn/attempt-numbers.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import { replay } from '#domain/turn/turn-state.ts'
import type { RetryLater } from '#lib/async/retry-later.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { reportUse } from '#ports/telemetry/report-use.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Admitted } from '../turn.ts'
import { rowsOfCalls } from './ledger-rows.ts'

export interface BookLostCallsParts {
  readonly budgets: Budgets
  readonly clock: Clock
  readonly ledger: Ledger
  readonly turnLog: TurnLog
  /** Holds a booking until the log can be read. */
  readonly later: RetryLater
}

/** Never rejects. `made`: the calls of all owners, as far as this one knows them. */
export type BookLostCalls = (lost: Admitted, made: readonly AttemptRecord[]) => Promise<void>

export function createBookLostCalls({ budgets, clock, later, ledger, turnLog }: BookLostCallsParts): BookLostCalls {
  /** The numbers of the calls that the next owner books, or has booked. */
  async function knownCalls(turnId: string): Promise<ReadonlySet<number>> {
    const records = await turnLog.read(turnId, -1)
    if (records === undefined) return new Set((await ledger.ofTurn(turnId)).map(({ attempt }) => attempt))
    const { attempts, hedge, outcome, underWay } = replay(records)
    const calls = [...attempts, ...(outcome?.attempts ?? []), hedge, underWay]
    return new Set(calls.flatMap((call) => (call === undefined ? [] : [call.attempt])))
  }

  async function book({ epoch, scope, start }: Admitted, own: readonly AttemptRecord[]): Promise<void> {
    const known = await knownCalls(start.turnId)
    const attempts = own.filter(({ attempt }) => !known.has(attempt))
    if (attempts.length === 0) return
    const used = usedBy(attempts)
    // Charged once under an id of its own: the turn's hold is charged by the owner that ends the turn.
    const charge = (hold: Hold) =>
      budgets.settle({ ...hold, id: chargeIdOf({ turnId: hold.id, lostOwner: epoch }) }, used)
    const [{ overage }] = await Promise.all([
      charge(start.hold),
      start.networkHold === undefined ? undefined : charge(start.networkHold),
    ])
    const rows = rowsOfCalls(start, { attempts, at: clock.now(), overage })
    await ledger.record(rows.map((row) => ({ ...row, lostOwner: epoch })))
    reportUse(scope, start.principal.kind, attempts)
    scope.count('turn_lost_calls_total')
    scope.log('warn', 'turn.lost-calls-booked', { turnId: start.turnId, epoch, calls: attempts.length })
  }

  return async function bookLostCalls(lost, made) {
    const own = made.filter(({ attempt }) => isAttemptOf(lost.epoch, attempt))
    if (own.length === 0) return
    try {
      await book(lost, own)
    } catch {
      // A node can lose a turn, take it over again and lose it again.
      later.add(`${lost.start.turnId}:${lost.epoch}`, () => book(lost, own))
    }
  }
}
