// Compares the bill of a provider with the ledger, by day and model, in the days of the store or of the provider's time zone.
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { dayOf } from '../budget/day.ts'
import { addRow, NO_TOTALS } from './ledger-row.ts'
import type { LedgerFilter, LedgerPart, LedgerRow, LedgerTotals } from './ledger-row.ts'
import { BillError } from './provider-bill.ts'
import { reconcile } from './reconcile.ts'
import type { Comparison, DailyUse, Figure } from './reconcile.ts'

/** The ledger, local or of a running server. */
export interface BookedUse {
  groups(
    filter: LedgerFilter,
    by: readonly LedgerPart[],
  ): AsyncIterable<LedgerTotals & { readonly key: Readonly<Partial<Record<LedgerPart, string>>> }>
  rows(filter: LedgerFilter): AsyncIterable<LedgerRow>
}

export interface BillAsked {
  readonly bill: readonly DailyUse[]
  /** The largest accepted difference, as a share. */
  readonly tolerance: number
  /** The time zone of the provider's days; undefined when it is the store's. */
  readonly zone: string | undefined
}

export interface Reconciled {
  readonly agrees: boolean
  readonly comparisons: readonly Comparison[]
}

const DAY_MS = 86_400_000
/** The answer tiers that a provider bills. */
const BILLED: ReadonlySet<string> = new Set(['primary', 'economy'])

/** Throws a BillError for a time zone that does not exist. */
export async function reconcileBill(booked: BookedUse, { bill, tolerance, zone }: BillAsked): Promise<Reconciled> {
  const range = daysOf(bill)
  const own = zone === undefined ? await byStoreDay(booked, range) : await byZoneDay(booked, range, zone)
  const comparisons = reconcile(own, bill, tolerance)
  return { agrees: comparisons.every(({ verdict }) => verdict === 'agrees'), comparisons }
}

interface DayRange {
  readonly from: string
  readonly to: string
}

/** The first and the last day of a bill. */
export function daysOf(bill: readonly DailyUse[]): DayRange {
  const days = bill.map(({ day }) => day).toSorted()
  return { from: days[0] ?? '', to: days.at(-1) ?? '' }
}

/** How many days lie between the two, both included. */
export function lengthOf({ from, to }: DayRange): number {
  return Math.round((timeOf(to) - timeOf(from)) / DAY_MS) + 1
}

async function byStoreDay(booked: BookedUse, range: DayRange): Promise<readonly DailyUse[]> {
  const uses: DailyUse[] = []
  for await (const { key, ...totals } of booked.groups(range, ['day', 'model', 'tier'])) {
    if (BILLED.has(key.tier ?? '')) uses.push(useOf(key.day ?? '', key.model ?? '', totals))
  }
  return uses
}

/**
 * Row by row, because the ledger's days are the store's: each row counts for the provider's day in which its call
 * ended.
 */
async function byZoneDay(booked: BookedUse, range: DayRange, zone: string): Promise<readonly DailyUse[]> {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly totals: LedgerTotals }>()
  dayIn(0, zone)
  for await (const row of booked.rows({ from: shifted(range.from, -1), to: shifted(range.to, 1) })) {
    const day = dayIn(row.at, zone)
    if (!BILLED.has(row.tier) || day < range.from || day > range.to) continue
    const key = JSON.stringify([day, row.model])
    sums.set(key, { day, model: row.model, totals: addRow(sums.get(key)?.totals ?? NO_TOTALS, row) })
  }
  return [...sums.values()].map(({ day, model, totals }) => useOf(day, model, totals))
}

function dayIn(at: number, zone: string): string {
  try {
    return dayOf(at, zone).key
  } catch (error) {
    throw new BillError(`${zone} is not a time zone such as UTC or Asia/Tokyo.`, { cause: error })
  }
}

const timeOf = (day: string): number => fromIsoTime(`${day}T00:00Z`) ?? 0
const shifted = (day: string, days: number): string => isoTime(timeOf(day) + days * DAY_MS).slice(0, 10)

function useOf(day: string, model: string, totals: Pick<LedgerTotals, Figure>): DailyUse {
  const { inputTokens, outputTokens, costMicroUsd } = totals
  return { day, model, inputTokens, outputTokens, costMicroUsd }
}
