// The ledger for operators: totals by requested parts, single rows, and users that spent more than the alarm threshold. All
// results are in pages.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { estimateErrorOf } from '#domain/ledger/ledger-row.ts'
import type {
  LedgerFilter,
  LedgerGroup,
  LedgerPart,
  LedgerRow,
  LedgerTotals,
  RowPosition,
} from '#domain/ledger/ledger-row.ts'
import { BillError, readBill } from '#domain/ledger/provider-bill.ts'
import { daysOf, lengthOf, reconcileBill } from '#domain/ledger/reconcile-bill.ts'
import type { BillAsked, BookedUse, Reconciled } from '#domain/ledger/reconcile-bill.ts'
import { Refusal } from '#domain/refusal.ts'
import { fromCursor, toCursor } from '#lib/collections/cursor.ts'
import type { Clock } from '#ports/clock/port.ts'
import { eachGroup } from '#ports/ledger/each-group.ts'
import type { Ledger } from '#ports/ledger/port.ts'

export interface UsageParts {
  readonly clock: Clock
  readonly config: Config
  readonly ledger: Ledger
}

export interface Page {
  readonly limit: number
  /** The `next` of the previous page. */
  readonly after?: string
}

export interface UsageGroup extends LedgerTotals {
  /** The values that the rows of the group share, by requested part. */
  readonly key: Readonly<Partial<Record<LedgerPart, string>>>
}

export interface UsagePage {
  readonly groups: readonly UsageGroup[]
  /** The totals of all rows that match the filter; on the first page only. */
  readonly totals?: LedgerTotals
  readonly next?: string
}

interface UsageRow extends LedgerRow {
  /** The relative error of the prompt's estimate. */
  readonly estimateError?: number
}

export interface UsageRowsPage {
  readonly rows: readonly UsageRow[]
  readonly next?: string
}

export interface SpendersPage {
  readonly day: string
  readonly alarmMicroUsd: number
  readonly users: readonly { readonly userId: string; readonly costMicroUsd: number }[]
  readonly next?: string
}

export interface BillText extends Omit<BillAsked, 'bill'> {
  readonly bill: string
}

/** The limit of days for a comparison with a bill: with a time zone, every row of these days is read. */
const BILL_DAYS_MAX = 100

export function createUsageQueries({ clock, config, ledger }: UsageParts) {
  async function grouped(filter: LedgerFilter, by: readonly LedgerPart[], page: Page & { costMicroUsdMin?: number }) {
    const shape = by.map(() => 'string' as const)
    const after = page.after === undefined ? undefined : (cursorIn(page.after, shape) as readonly string[])
    const { limit, costMicroUsdMin = 0 } = page
    const asked = { by, limit, costMicroUsdMin, ...(after === undefined ? {} : { after }) }
    const groups = await orRefuse(() => ledger.groups(filter, asked))
    const last = groups.length === page.limit ? groups.at(-1) : undefined
    return { groups, ...(last === undefined ? {} : { next: toCursor(last.key) }) }
  }

  return {
    async usage(filter: LedgerFilter, by: readonly LedgerPart[], page: Page): Promise<UsagePage> {
      const { groups, ...next } = await grouped(filter, by, page)
      const totals = page.after === undefined ? { totals: await ledger.totals(filter) } : {}
      return { groups: groups.map((group) => shown(group, by)), ...totals, ...next }
    },

    async usageRows(filter: LedgerFilter, page: Page): Promise<UsageRowsPage> {
      const after = page.after === undefined ? undefined : positionIn(page.after)
      const rows = await ledger.page(filter, page.limit, after)
      const last = rows.length === page.limit ? rows.at(-1) : undefined
      const next = last === undefined ? {} : { next: toCursor([last.day, last.at, last.turnId, last.attempt]) }
      return { rows: rows.map(withError), ...next }
    },

    async usageOfTurn(turnId: string): Promise<readonly UsageRow[]> {
      return (await ledger.ofTurn(turnId)).map(withError)
    },

    /** Compares the provider's bill, as CSV or JSON, with the ledger of all nodes. Throws INVALID_REQUEST for a bill that cannot be read. */
    async reconcileBill({ bill: text, ...asked }: BillText): Promise<Reconciled> {
      try {
        const bill = readBill('the bill', text)
        if (lengthOf(daysOf(bill)) > BILL_DAYS_MAX)
          throw new BillError(`the bill spans more than ${BILL_DAYS_MAX} days.`)
        const groups: BookedUse['groups'] = (filter, by) => eachGroup(ledger, filter, by)
        return await reconcileBill({ groups, rows: (filter) => ledger.rows(filter) }, { ...asked, bill })
      } catch (error) {
        if (!(error instanceof BillError)) throw error
        throw new Refusal('INVALID_REQUEST', { details: { field: 'bill', reason: error.message }, cause: error })
      }
    },

    /** The users that have spent more than the alarm threshold, today or on the given day. */
    async spenders(given: string | undefined, page: Page): Promise<SpendersPage> {
      const day = given ?? dayOf(clock.now(), config.store.timeZone).key
      const alarmMicroUsd = config.alarms.userMicroUsdPerDay
      const { groups, ...next } = await grouped({ day }, ['user'], { ...page, costMicroUsdMin: alarmMicroUsd + 1 })
      const users = groups.map(({ key, totals }) => ({ userId: key[0] ?? '', costMicroUsd: totals.costMicroUsd }))
      return { day, alarmMicroUsd, users, ...next }
    },
  }
}

/** Errors are rounded to a tenth of a percent. */
const ERROR_STEPS = 1000

function withError(row: LedgerRow): UsageRow {
  const error = estimateErrorOf(row)
  return error === undefined ? row : { ...row, estimateError: Math.round(error * ERROR_STEPS) / ERROR_STEPS }
}

function shown({ key, totals }: LedgerGroup, by: readonly LedgerPart[]): UsageGroup {
  return { key: Object.fromEntries(by.map((part, index) => [part, key[index] ?? ''])), ...totals }
}

function positionIn(after: string): RowPosition {
  const [day, at, turnId, attempt] = cursorIn(after, ['string', 'number', 'string', 'number'])
  return { day, at, turnId, attempt } as RowPosition
}

function cursorIn(after: string, shape: readonly ('string' | 'number')[]): readonly (string | number)[] {
  const values = fromCursor(after, shape)
  if (values !== undefined) return values
  throw new Refusal('INVALID_REQUEST', { details: { field: 'after', reason: 'is not the `next` of a previous page' } })
}

async function orRefuse<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Refusal('INVALID_REQUEST', { details: { field: 'by', reason: error.message }, cause: error })
  }
}
