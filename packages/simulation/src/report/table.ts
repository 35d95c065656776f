// The comparison of policies as text for a terminal: each figure as its median and, in brackets, its worst value.
import { COLUMNS, comparisonOf } from './comparison.ts'
import type { ComparisonRow, ScenarioComparison } from './comparison.ts'
import { oneLine } from './plain-text.ts'

const GAP = '  '

export function comparisonTable(comparison: readonly ComparisonRow[]): string {
  const groups = comparisonOf(comparison)
  if (groups.length === 0) return 'Nothing to compare.\n'
  const header = ['policy', ...COLUMNS.map(({ short }) => short)]
  const bodies = groups.map((group) => linesOf(group))
  const widths = header.map((name, column) =>
    Math.max(name.length, ...bodies.flat().map((cells) => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join(GAP)
      .trimEnd()
  const rule = '─'.repeat(widths.reduce((total, width) => total + width + GAP.length, -GAP.length))
  const parts = groups.flatMap((group, index) => ['', headingOf(group), ...(bodies[index] ?? []).map(line)])
  const legend = COLUMNS.map(({ short, means }) => `  ${short.padEnd(14)}${means}`)
  return [line(header), rule, ...parts.slice(1), rule, 'Each figure: median (worst) of the runs.', ...legend, ''].join(
    '\n',
  )
}

function headingOf({ scenario, rows }: ScenarioComparison): string {
  const counts = rows.map(({ row }) => row.runs)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const runs = least === most ? `${most}` : `${least} to ${most}`
  return `${oneLine(scenario, 60)} · ${runs} ${most === 1 ? 'run' : 'runs'} each`
}

function linesOf({ rows }: ScenarioComparison): readonly (readonly string[])[] {
  return rows.map(({ row, cells }) => [
    `  ${row.policy}`,
    ...cells.map(({ median, worst }) => (row.runs === 1 ? median : `${median} (${worst})`)),
  ])
}
