// Compares many runs, scenario by policy: the compared figures, and the text of each cell. Used by the text table and
// by the page.
import type { Figures, PolicyName } from '../fleet/fleet-run.ts'
import {
  bestAt,
  FAILED,
  FIRST_WORD_P99,
  GOODPUT,
  MEAN,
  PEAK,
  PEAK_OF_ARRIVALS,
  RECOVERY,
  UNANSWERED,
} from './figure-list.ts'
import { percent } from './quantities.ts'

export interface ComparisonRow {
  readonly scenario: string
  readonly policy: PolicyName
  /** Number of seeds. */
  readonly runs: number
  /** Taken for each figure separately. */
  readonly median: Figures
  readonly worst: Figures
}

interface Column {
  readonly name: string
  readonly short: string
  readonly means: string
  text(row: ComparisonRow, beside: readonly ComparisonRow[]): { readonly median: string; readonly worst: string }
  isBest(row: ComparisonRow, beside: readonly ComparisonRow[]): boolean
}

interface Cell {
  readonly median: string
  readonly worst: string
  readonly isBest: boolean
}

export interface ScenarioComparison {
  readonly scenario: string
  readonly rows: readonly { readonly row: ComparisonRow; readonly cells: readonly Cell[] }[]
}

const plain = (figure: typeof FAILED): Column => ({
  name: figure.name,
  short: figure.short,
  means: figure.means,
  text: ({ median, worst }) => ({ median: figure.text(median), worst: figure.text(worst) }),
  isBest: (row, beside) =>
    bestAt(
      figure,
      beside.map(({ median }) => median),
    ).has(row.median),
})

export const OF_NAIVE: Column = {
  name: 'Failed calls, of naive’s',
  short: '% of naive',
  means: 'Failed calls as a share of those of the naive policy: median of median, worst of worst.',
  text: (row, beside) => {
    const naive = beside.find(({ policy }) => policy === 'naive')
    return { median: shareOf(row.median, naive?.median), worst: shareOf(row.worst, naive?.worst) }
  },
  isBest: () => false,
}

function shareOf({ failedAttempts }: Figures, naive: Figures | undefined): string {
  return naive && naive.failedAttempts > 0 ? percent(failedAttempts / naive.failedAttempts) : '–'
}

export const COLUMNS: readonly Column[] = [
  ...[PEAK, PEAK_OF_ARRIVALS, MEAN, GOODPUT, RECOVERY, FAILED].map(plain),
  OF_NAIVE,
  ...[UNANSWERED, FIRST_WORD_P99].map(plain),
]

/** Groups the rows by scenario, in the given order. */
export function comparisonOf(rows: readonly ComparisonRow[]): readonly ScenarioComparison[] {
  return [...Map.groupBy(rows, ({ scenario }) => scenario)].map(([scenario, beside]) => ({
    scenario,
    rows: beside.map((row) => ({
      row,
      cells: COLUMNS.map((column) => ({ ...column.text(row, beside), isBest: column.isBest(row, beside) })),
    })),
  }))
}
