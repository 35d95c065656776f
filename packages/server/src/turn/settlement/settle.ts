// Settles a turn whose text is complete: session, budget, ledger, then `turn-end`. Every step is idempotent by turn id, so
// after a node dies halfway another runs it all again.
import { usedBy } from '#domain/budget/need.ts'
import { recordOfTurn } from '#domain/turn-records/record-of-turn.ts'
import type { TurnRecord } from '#domain/turn-records/turn-record.ts'
import { continuability } from '#domain/turn/continuable.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { TurnEnd, TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Delivered } from '../turn.ts'
import { reportTurn } from './report-turn.ts'
import { tokensPerSecond } from './turn-figures.ts'
import { turnLine } from './turn-line.ts'
import type { TurnLineParts } from './turn-line.ts'
import { createWriteTurn } from './write-turn.ts'
import type { WriteTurnParts } from './write-turn.ts'

export interface SettleParts extends WriteTurnParts, TurnLineParts {
  readonly turnLog: TurnLog
  /** An answer of this length is not continued. */
  readonly continuedCharactersMax: number
  /** Returns at once: the record is written behind the turn. */
  readonly recorder: { put(record: TurnRecord): void }
}

export type Settle = (delivered: Delivered, options?: { readonly mayWait: boolean }) => Promise<void>

export function createSettle(parts: SettleParts): Settle {
  const { continuedCharactersMax, turnLog } = parts
  const writeTurn = createWriteTurn(parts)

  /** Before the end: should this process be lost, another writes them from the log (`write-unwritten.ts`). */
  async function noteUnwritten(turnId: string): Promise<void> {
    const note = () => turnLog.noteUnwritten(turnId)
    if ((await orUnavailable(note)) instanceof StoreUnavailable) parts.later.add(`note ${turnId}`, note)
  }

  return async function settle(delivered, { mayWait } = { mayWait: false }) {
    const { start, outcome, epoch, scope: telemetry } = delivered
    // Nothing is booked for a text that another owner may be writing differently.
    if (!(await turnLog.confirm(start.turnId, epoch))) throw new TurnAbort('lost')
    const { isPostponed, sessionVersion } = await writeTurn(delivered, mayWait || start.unsaved !== undefined)
    if (isPostponed) await noteUnwritten(start.turnId)
    // Before the end is shown: a thumb that follows it finds the record.
    const settlementMs = Math.max(0, parts.clock.now() - outcome.endedAt)
    parts.recorder.put(recordOfTurn(start, outcome, { epoch, node: parts.node, settlementMs }))
    const appended = await turnLog.append(start.turnId, epoch, [
      {
        kind: 'turn-end',
        end: { ...endOf(start, outcome, sessionVersion), ...continuability(outcome, continuedCharactersMax) },
      },
    ])
    if (appended) reportTurn(telemetry, start, outcome)
    telemetry.log('info', 'turn.ended', { ...turnLine(start, outcome, parts), settledElsewhere: !appended })
  }
}

function endOf(start: TurnStart, outcome: TurnOutcome, sessionVersion: number): TurnEnd {
  // What the shopper's allowance paid.
  const total = usedBy(outcome.attempts)
  return {
    finishReason: outcome.finishReason,
    length: outcome.length,
    sha256: outcome.sha256,
    usage: outcome.answerUsage ?? {
      inputTokens: total.inputTokens,
      outputTokens: total.outputTokens,
      estimated: outcome.attempts.some((attempt) => attempt.usage.estimated),
    },
    costMicroUsd: total.costMicroUsd,
    timings: {
      ttftMs: outcome.firstWordAt === null ? null : outcome.firstWordAt - start.acceptedAt,
      totalMs: outcome.endedAt - start.acceptedAt,
      tokensPerSecond: tokensPerSecond(outcome),
    },
    tier: outcome.tier,
    model: outcome.model,
    sessionVersion,
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
    ...(outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }),
  }
}
