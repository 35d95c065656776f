// The record of the conversation's last answer: whether it did not serve, and how the next question receives it. It may be late,
// dropped or unavailable; then it decides nothing, and no turn waits for it.
import { faultIn, receptionBy } from '#domain/routing/last-answer.ts'
import type { NextQuestion } from '#domain/routing/last-answer.ts'
import type { Escalation } from '#domain/routing/route-choice.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { Scope } from '#ports/telemetry/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'

export interface LastRecordParts {
  readonly clock: Clock
  readonly records: Pick<TurnRecords, 'find' | 'note'>
  /** Whether any turn is routed now; otherwise nothing is read. */
  readonly isRouting: () => boolean
}

export interface LastRecord {
  /** Why the answer did not serve, if its record says so in time. Never rejects. */
  faultOf(
    last: StoredTurn,
    limit: { readonly signal: AbortSignal; readonly scope: Scope },
  ): Promise<Escalation | undefined>
  /** Notes how the next question receives the answer, behind the turn. */
  note(last: StoredTurn, next: NextQuestion, scope: Scope): void
}

/** It is read beside retrieval, which takes about as long. */
const FIND_MS = 50

export function createLastRecord({ clock, records, isRouting }: LastRecordParts): LastRecord {
  return {
    async faultOf({ turnId }, { scope, signal }) {
      if (!isRouting()) return undefined
      try {
        const record = await withDeadline(clock, { ms: FIND_MS, signal }, () => records.find(turnId))
        if (record !== LATE) return record === undefined ? undefined : faultIn(record)
        if (!signal.aborted) scope.count('context_timeout_total', { source: 'record' })
      } catch (error) {
        scope.log('warn', 'context.failed', { source: 'record' }, error)
      }
      return undefined
    },
    note({ turnId, question }, next, scope) {
      records
        .note(turnId, receptionBy(next, question))
        .catch((error: unknown) => scope.log('warn', 'context.failed', { source: 'record' }, error))
    },
  }
}
