// A ledger whose store may be unavailable: rows wait in this process and are written when the store answers again. A row that
// is sent several times is written once.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger, LedgerRow } from '#ports/ledger/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface ResilientLedgerOptions {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly telemetry: Telemetry
}

export interface ResilientLedger extends Ledger, AsyncDisposable {
  /** How many turns have rows that wait to be written. */
  readonly waiting: number
}

const TURNS_MAX = 50_000

export function resilientLedger({ clock, ledger, telemetry }: ResilientLedgerOptions): ResilientLedger {
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
    isWaiting: (rows) => later.has(keyOf(rows)),
    async record(rows) {
      const recorded = await orUnavailable(() => ledger.record(rows))
      if (recorded instanceof StoreUnavailable) {
        telemetry.count('ledger_write_postponed_total')
        // A turn can have several: those of a lost owner, and those of its end.
        later.add(keyOf(rows), () => ledger.record(rows))
      } else if (later.size > 0) void later.flush()
    },
    async [Symbol.asyncDispose]() {
      await later.close()
    },
  }
}

function keyOf(rows: readonly LedgerRow[]): string {
  return [rows[0]?.turnId, ...rows.map(({ attempt }) => attempt)].join(' ')
}
