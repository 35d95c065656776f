// The books of a node whose fleet's store may go away: rows are kept here meanwhile and written when it is back. A row is
// written once, however often it is sent.
import { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface ResilientLedgerOptions {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Whether an error says that the store is away. */
  readonly isUnavailable: (error: unknown) => boolean
}

export interface DegradedLedger extends Ledger, AsyncDisposable {
  /** Turns whose rows wait to be written. */
  readonly waiting: number
}

const TURNS_MAX = 50_000

export function resilientLedger({ clock, isUnavailable, ledger, telemetry }: ResilientLedgerOptions): DegradedLedger {
  const later = new RetryLater({
    timers: clock,
    entriesMax: TURNS_MAX,
    onGivenUp: (turnId) => telemetry.log('error', 'ledger.rows-lost', { turnId }),
  })
  return {
    ...ledger,
    get waiting() {
      return later.size
    },
    async record(rows) {
      try {
        await ledger.record(rows)
        if (later.size > 0) void later.flush()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        telemetry.count('ledger.waits')
        later.add(rows[0]?.turnId ?? '', () => ledger.record(rows))
      }
    },
    async [Symbol.asyncDispose]() {
      await later.close()
    },
  }
}
