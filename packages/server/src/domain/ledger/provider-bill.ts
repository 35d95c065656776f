// Reads the figures that a provider exports: CSV or JSON, with various names for its columns. A value that cannot be read is
// an error with its row; a missing figure never counts as zero.
import { parseCsv } from '#lib/text/csv.ts'
import type { DailyUse } from './reconcile.ts'

/** Says what is wrong with a bill, and where. */
export class BillError extends Error {}

/** The names that a column may have, in lower case, without spaces and signs. */
const NAMES = {
  day: ['day', 'date', 'usagedate', 'usageday', 'period', 'starttime', 'timestamp', '日付'],
  model: ['model', 'modelid', 'modelname', 'resource', 'モデル'],
  inputTokens: ['inputtokens', 'input', 'prompttokens', 'inputtokencount', 'tokensin', 'totalinputtokens'],
  outputTokens: ['outputtokens', 'output', 'completiontokens', 'outputtokencount', 'tokensout', 'totaloutputtokens'],
  costUsd: ['costusd', 'cost', 'usd', 'totalcost', 'amount', 'amountusd', 'unblendedcost'],
} as const
type Column = keyof typeof NAMES

const NEEDED = ['day', 'model', 'inputTokens', 'outputTokens'] as const
const LISTS = ['data', 'rows', 'days', 'usage', 'results']
const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/
const MICRO = 1_000_000

type Line = Readonly<Partial<Record<Column, string>>>

/** `name` is what the bill is called in errors. Throws a BillError. */
export function readBill(name: string, text: string): readonly DailyUse[] {
  const lines = /^\s*[[{]/.test(text) ? fromJson(name, text) : fromCsv(name, text)
  if (lines.length === 0) throw new BillError(`${name} has no rows to compare.`)
  return lines.map(({ line, position }) => toUse(line, `${name}, ${position}`))
}

interface LocatedLine {
  readonly line: Line
  readonly position: string
}

function fromCsv(bill: string, text: string): readonly LocatedLine[] {
  const [header = [], ...rows] = orExplain(bill, () => parseCsv(text))
  const columns = header.map(columnOf)
  const missing = NEEDED.filter((name) => !columns.includes(name))
  if (missing.length > 0)
    throw new BillError(`${bill} has no column for ${missing.join(', ')}: it has ${header.join(', ')}.`)
  return rows.map((row, index) => ({
    line: lineOf(row.map((value, at) => [columns[at], value])),
    position: `row ${index + 2}`,
  }))
}

function fromJson(bill: string, text: string): readonly LocatedLine[] {
  const whole = orExplain(bill, () => JSON.parse(text) as unknown)
  const list = Array.isArray(whole) ? whole : LISTS.map((name) => (whole as Fields)[name]).find(Array.isArray)
  if (list === undefined) throw new BillError(`${bill} holds no list of days.`)
  return list.map((item: unknown, index) => ({
    line: lineOf(Object.entries((item ?? {}) as Fields).map(([name, value]) => [columnOf(name), textOf(value)])),
    position: `entry ${index + 1}`,
  }))
}

type Fields = Readonly<Record<string, unknown>>
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? '')

function orExplain<Value>(bill: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new BillError(`${bill} is neither CSV nor JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function columnOf(name: string): Column | undefined {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
  return (Object.keys(NAMES) as Column[]).find((column) => (NAMES[column] as readonly string[]).includes(plain))
}

/** The first of several columns with the same meaning counts. */
function lineOf(entries: readonly (readonly [Column | undefined, string])[]): Line {
  const line: Partial<Record<Column, string>> = {}
  for (const [column, value] of entries) if (column !== undefined) line[column] ??= value.trim()
  return line
}

function toUse(line: Line, position: string): DailyUse {
  const { day = '', model = '', costUsd = '' } = line
  const [, year, month = '', date = ''] = DAY.exec(day) ?? []
  if (year === undefined) throw new BillError(`${position}: ${JSON.stringify(day)} is not a day such as 2026-11-04.`)
  if (model === '') throw new BillError(`${position}: the model is missing.`)
  const use = {
    day: `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`,
    model,
    inputTokens: numberOf(line.inputTokens, 'inputTokens', position),
    outputTokens: numberOf(line.outputTokens, 'outputTokens', position),
  }
  if (costUsd === '') return use
  return { ...use, costMicroUsd: Math.round(numberOf(costUsd, 'costUsd', position) * MICRO) }
}

function numberOf(text: string | undefined, name: string, position: string): number {
  const plain = (text ?? '').replace(/^(US)?\$\s*/, '').replaceAll(/(?<=\d),(?=\d{3}(\D|$))/g, '')
  const value = Number(plain)
  if (plain === '' || !Number.isFinite(value) || value < 0)
    throw new BillError(`${position}: ${name} is ${JSON.stringify(text ?? '')}, which is not a number.`)
  return value
}
