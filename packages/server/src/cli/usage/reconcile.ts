// `mangaassist usage reconcile`: compares our ledger with a provider's figures.
import { dayOf } from '#domain/budget/day.ts'
import { addRow, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import type { LedgerTotals } from '#domain/ledger/ledger-row.ts'
import { reconcile } from '#domain/ledger/reconcile.ts'
import type { Comparison, DailyUse, Figure, BookVerdict } from '#domain/ledger/reconcile.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { CommandError } from '../command.ts'
import { table, thousands, usd } from './print.ts'
import { readProviderFile } from './provider-file.ts'
import type { UsageSource } from './usage-source.ts'

export interface ReconcileAsked {
  readonly file: string
  /** The largest accepted difference, as a share. */
  readonly tolerance: number
  /** The time zone of the provider's days; undefined when it is the store's. */
  readonly zone: string | undefined
}

const DAY_MS = 86_400_000
/** The answer tiers that a provider bills. */
const BILLED: ReadonlySet<string> = new Set(['primary', 'economy'])

export interface Reconciled {
  readonly agrees: boolean
  readonly comparisons: readonly Comparison[]
}

export async function reconcileWith(source: UsageSource, asked: ReconcileAsked): Promise<Reconciled> {
  const provider = await readProviderFile(asked.file)
  const days = provider.map(({ day }) => day).toSorted()
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' }
  const own = asked.zone === undefined ? await byStoreDay(source, range) : await byZoneDay(source, range, asked.zone)
  const comparisons = reconcile(own, provider, asked.tolerance)
  return { agrees: comparisons.every(({ verdict }) => verdict === 'agrees'), comparisons }
}

interface DayRange {
  readonly from: string
  readonly to: string
}

async function byStoreDay(source: UsageSource, range: DayRange): Promise<readonly DailyUse[]> {
  const uses: DailyUse[] = []
  for await (const { key, ...totals } of source.groups(range, ['day', 'model', 'tier'])) {
    if (BILLED.has(key.tier ?? '')) uses.push(useOf(key.day ?? '', key.model ?? '', totals))
  }
  return uses
}

/**
 * Row by row, because the ledger's days are the store's: each row counts for the provider's day in which its call
 * ended.
 */
async function byZoneDay(source: UsageSource, range: DayRange, zone: string): Promise<readonly DailyUse[]> {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly totals: LedgerTotals }>()
  for await (const row of source.rows({ from: shifted(range.from, -1), to: shifted(range.to, 1) })) {
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
    throw new CommandError(`${zone} is not a time zone such as UTC or Asia/Tokyo.`, { cause: error })
  }
}

const shifted = (day: string, days: number): string =>
  isoTime((fromIsoTime(`${day}T00:00Z`) ?? 0) + days * DAY_MS).slice(0, 10)

function useOf(day: string, model: string, totals: Pick<LedgerTotals, Figure>): DailyUse {
  const { inputTokens, outputTokens, costMicroUsd } = totals
  return { day, model, inputTokens, outputTokens, costMicroUsd }
}

const WORDS: Readonly<Record<BookVerdict, string>> = {
  agrees: 'agrees',
  differs: 'DIFFERS',
  'missing-in-ledger': 'MISSING IN OUR LEDGER',
  'missing-at-provider': 'MISSING AT THE PROVIDER',
  'zero-in-ledger': 'ZERO IN OUR LEDGER',
  'zero-at-provider': 'ZERO AT THE PROVIDER',
}

export function describeReconciled({ agrees, comparisons }: Reconciled, tolerance: number): string {
  const rows = comparisons.flatMap(({ day, figures, model, verdict }) =>
    figures.map(({ figure, ledger, off, provider }, index) => {
      const show = figure === 'costMicroUsd' ? usd : thousands
      const percent = off === undefined ? '–' : `${off > 0 ? '+' : ''}${(off * 100).toFixed(2)} %`
      const head = index === 0 ? [day, model, WORDS[verdict]] : ['', '', '']
      return [...head, figure === 'costMicroUsd' ? 'USD' : figure, show(ledger), show(provider), percent]
    }),
  )
  const wrong = comparisons.filter(({ verdict }) => verdict !== 'agrees').length
  const within = `within ${(tolerance * 100).toFixed(2).replace(/\.?0+$/, '')} %`
  const summary = agrees
    ? `The ledger agrees with the provider ${within}.`
    : `The ledger DISAGREES with the provider: ${wrong} of ${comparisons.length} days and models are not ${within}.`
  return `${table(['day', 'model', 'verdict', 'figure', 'ledger', 'provider', 'off'], rows, 4)}\n\n${summary}`
}
