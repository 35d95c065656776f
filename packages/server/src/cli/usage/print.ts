// The output of `usage`: tables for people, CSV and JSON for programs. It is written as a stream, with backpressure.
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { estimateErrorOf } from '#domain/ledger/ledger-row.ts'
import type { LedgerPart, LedgerRow } from '#domain/ledger/ledger-row.ts'
import { csvLine } from '#lib/text/csv.ts'
import { escapedJson, oneLine } from '#lib/text/readable.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { UserQuota } from '#wiring/profiles/usage.ts'
import type { UsageGroup } from './usage-source.ts'

const MICRO = 1_000_000

/** Exact to the micro-dollar. */
export function usd(microUsd: number): string {
  const whole = Math.floor(microUsd / MICRO)
  return `${thousands(whole)}.${String(microUsd - whole * MICRO).padStart(6, '0')}`
}

export function thousands(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** The first `right` columns are texts, aligned left; the others are figures, aligned right. */
export function table(header: readonly string[], given: readonly (readonly string[])[], right: number): string {
  const rows = given.map((row) => row.map(oneLine))
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column < right ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width))
  return [header, rule, ...rows].map(line).join('\n')
}

const FIGURES = ['rows', 'inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'] as const
const FLAGS = ['estimatedRows', 'overageRows'] as const

/** The last line is the sum, which may be of more groups than are shown. */
export function groupsTable(groups: readonly UsageGroup[], by: readonly LedgerPart[], sum: UsageGroup): string {
  const header = [...by, 'calls', 'input', 'cache read', 'cache write', 'output', 'USD', 'estimated', 'overage']
  const cells = (group: UsageGroup, names: readonly string[]) => [
    ...names,
    ...FIGURES.map((name) => thousands(group[name])),
    usd(group.costMicroUsd),
    ...FLAGS.map((name) => (group[name] === 0 ? '' : thousands(group[name]))),
  ]
  const rows = groups.map((group) =>
    cells(
      group,
      by.map((part) => group.key[part] ?? ''),
    ),
  )
  const total = cells(
    sum,
    by.map((_, index) => (index === 0 ? 'total' : '')),
  )
  return table(header, [...rows, total], by.length)
}

export function sumOf(groups: readonly UsageGroup[]): UsageGroup {
  const sum = (name: (typeof FIGURES)[number] | (typeof FLAGS)[number] | 'costMicroUsd') =>
    groups.reduce((total, group) => total + group[name], 0)
  return {
    key: {},
    rows: sum('rows'),
    inputTokens: sum('inputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    outputTokens: sum('outputTokens'),
    costMicroUsd: sum('costMicroUsd'),
    estimatedRows: sum('estimatedRows'),
    overageRows: sum('overageRows'),
  }
}

export async function writeGroupsCsv(
  out: Writable,
  groups: AsyncIterable<UsageGroup> | Iterable<UsageGroup>,
  by: readonly LedgerPart[],
): Promise<void> {
  await write(out, csvLine([...by, ...FIGURES, 'costMicroUsd', 'costUsd', ...FLAGS]))
  for await (const group of groups) {
    const names = by.map((part) => group.key[part])
    const figures = FIGURES.map((name) => group[name])
    const cost = [group.costMicroUsd, plainUsd(group.costMicroUsd)]
    await write(out, csvLine([...names, ...figures, ...cost, ...FLAGS.map((name) => group[name])]))
  }
}

type Cell = string | number | boolean | undefined

/** The columns of an export, each with its value for a row. */
const ROW_COLUMNS: Readonly<Record<string, (row: LedgerRow) => Cell>> = {
  day: (row) => row.day,
  at: (row) => isoTime(row.at),
  user: (row) => row.principalId,
  userTier: (row) => row.userTier,
  session: (row) => row.sessionId,
  turnId: (row) => row.turnId,
  attempt: (row) => row.attempt,
  model: (row) => row.model,
  tier: (row) => row.tier,
  inputTokens: (row) => row.inputTokens,
  cacheReadTokens: (row) => row.cacheReadTokens,
  cacheWriteTokens: (row) => row.cacheWriteTokens,
  outputTokens: (row) => row.outputTokens,
  estimated: (row) => row.estimated,
  costMicroUsd: (row) => row.costMicroUsd,
  costUsd: (row) => plainUsd(row.costMicroUsd),
  outcome: (row) => row.outcome,
  overage: (row) => row.overage === true,
  prompt: (row) => row.prompt,
  lostOwner: (row) => row.lostOwner,
  tag: (row) => row.tag,
  estimateSystem: (row) => row.estimate?.system,
  estimateRetrieval: (row) => row.estimate?.retrieval,
  estimateHistory: (row) => row.estimate?.history,
  estimateMessage: (row) => row.estimate?.message,
  estimateTotal: (row) => row.estimate?.total,
  estimateError: (row) => estimateErrorOf(row)?.toFixed(3),
}

export async function writeRowsCsv(out: Writable, rows: AsyncIterable<LedgerRow> | Iterable<LedgerRow>): Promise<void> {
  await write(out, csvLine(Object.keys(ROW_COLUMNS)))
  const cells = Object.values(ROW_COLUMNS)
  for await (const row of rows) await write(out, csvLine(cells.map((cell) => cell(row))))
}

/** One object a line, so that an export of any length can be read as a stream. */
export async function writeRowsJson(
  out: Writable,
  rows: AsyncIterable<LedgerRow> | Iterable<LedgerRow>,
): Promise<void> {
  for await (const row of rows) {
    const error = estimateErrorOf(row)
    const shown = error === undefined ? row : { ...row, estimateError: Number(error.toFixed(3)) }
    await write(out, `${escapedJson(shown)}\n`)
  }
}

export async function writeRowsTable(
  out: Writable,
  rows: AsyncIterable<LedgerRow> | Iterable<LedgerRow>,
): Promise<void> {
  for await (const row of rows) {
    const { attempt, costMicroUsd, inputTokens, model, outcome, outputTokens, principalId, tier, turnId } = row
    const error = estimateErrorOf(row)
    const flags = [
      ...(row.estimated ? ['estimated'] : []),
      ...(row.overage === true ? ['OVERAGE'] : []),
      ...(error === undefined ? [] : [`estimate ${error >= 0 ? '+' : ''}${(error * 100).toFixed(1)} %`]),
    ]
    const use = `${thousands(inputTokens)} in, ${thousands(outputTokens)} out, ${usd(costMicroUsd)} USD`
    const line = [isoTime(row.at), principalId, `${turnId}/${attempt}`, `${model} (${tier})`, use, outcome, ...flags]
    await write(out, `${line.map(oneLine).join('  ')}\n`)
  }
}

export function quotaTable({ day, left, quota, userId }: UserQuota): string {
  const lines = (['input', 'output', 'costMicroUsd'] as const).map((part) => {
    const show = part === 'costMicroUsd' ? usd : thousands
    const { limit, reserved, used } = quota[part]
    const name = part === 'costMicroUsd' ? 'USD' : `${part} tokens`
    return [name, show(used), show(reserved), show(left[part]), show(limit)]
  })
  const title = `${oneLine(userId)}  tier ${quota.tier}  day ${day}, which ends at ${quota.resetsAt}`
  return `${title}\n\n${table(['', 'used', 'reserved', 'left', 'limit'], lines, 1)}`
}

const plainUsd = (microUsd: number): string => usd(microUsd).replaceAll(',', '')

async function write(out: Writable, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain')
}
