// Reads, stops and watches turns of the principal that they belong to.
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { createSessionQueries } from '#services/sessions.ts'
import { readFrames, watchSession } from '#turn/delivery/readers.ts'
import type { Opening, TurnFrame } from '#turn/delivery/readers.ts'
import type { HeldText } from '#turn/delivery/shown-text.ts'
import type { ReaderCounts } from '#turn/records/reader-counts.ts'

export type { HeldText, Opening, TurnFrame }

export interface TurnAccessParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'streaming'>
  /** Whether a turn that is absent may still be written by another node. Default: never. */
  readonly isCatchingUp?: (() => boolean) | undefined
  readonly readers?: Pick<ReaderCounts, 'began'>
  readonly sessions: Pick<ReturnType<typeof createSessionQueries>, 'check' | 'isHandedOver' | 'isInherited'>
}

export interface Reading extends HeldText {
  readonly turnId: string
  readonly resumedBy?: Scope | undefined
  readonly meter?: ReaderMeter | undefined
}

export interface TurnAccess {
  /**
   * The frames of a turn after the reader's text, until its end or the signal. Throws NOT_FOUND for another principal's.
   * `resumedBy`: the scope of a reader that comes back, which then links to the trace of the turn. `meter`: counts what the reader is
   * sent, for the record of the turn.
   */
  read(principal: Principal, turn: Reading, signal: AbortSignal): Promise<AsyncIterable<TurnFrame>>
  /** Ends the turn's model call; the text so far stays. Idempotent. Throws NOT_FOUND for another principal's. */
  stop(principal: Principal, turnId: string): Promise<void>
  /** The running turn of a session, if any, and later ones, as `accepted` would name them. */
  watch(principal: Principal, sessionId: string, signal: AbortSignal): Promise<AsyncIterable<Opening>>
}

export function createTurnAccess({
  clock,
  turnLog,
  budgets,
  telemetry,
  config,
  isCatchingUp,
  readers,
  sessions,
}: TurnAccessParts): TurnAccess {
  async function requireOwn(principal: Principal, turnId: string): Promise<TurnStart> {
    const start = await turnLog.start(turnId)
    if (start?.principal.id === principal.id && !(await sessions.isHandedOver(start))) return start
    if (start === undefined && isCatchingUp?.() === true)
      throw new StoreUnavailable('the turn may not be written yet', { mayHaveHappened: false })
    if (start === undefined || !(await sessions.isInherited(principal, start)))
      throw new Refusal('NOT_FOUND', { details: { field: 'turnId' } })
    return start
  }

  return {
    async read(principal, turn, signal) {
      const { resumedBy, turnId } = turn
      const start = await requireOwn(principal, turnId)
      resumedBy?.event('reader.resumed', { turnId, offset: turn.offset })
      if (start.trace !== undefined) resumedBy?.link(start.trace)
      readers?.began(start, turn)
      return readFrames({ clock, turnLog, telemetry, streaming: config.streaming }, turn, signal)
    },
    async stop(principal, turnId) {
      await requireOwn(principal, turnId)
      await turnLog.requestStop(turnId)
    },
    async watch(principal, sessionId, signal) {
      return watchSession({ turnLog, budgets }, await sessions.check(principal, sessionId), signal)
    },
  }
}
