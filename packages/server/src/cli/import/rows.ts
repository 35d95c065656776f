// The rows of a file with their lines: of CSV with the names of its columns, or of JSON Lines. A row that cannot be read is a problem,
// and the others follow.
import { basename } from 'node:path'
import { nearest } from '#lib/text/nearest.ts'
import { csvRecords } from '#lib/text/csv-stream.ts'
import { CommandError } from '../command.ts'
import { readText } from './read-text.ts'

export interface Problem {
  readonly line: number
  /** Empty for the row as a whole. */
  readonly field: string
  readonly message: string
}

export type Row<Value> = { readonly line: number } & (
  | { readonly value: Value }
  | { readonly problems: readonly Problem[] }
)

/** The cells of a CSV row that are not empty, by the name of their column. */
export type Cells = ReadonlyMap<string, string>

const LINE_LENGTH_MAX = 1_048_576

export async function* csvRows(
  path: string,
  known: readonly string[],
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Row<Cells>> {
  let names: readonly string[] | undefined
  try {
    for await (const { fields, line } of csvRecords(readText(path, onBytes))) {
      if (names === undefined) names = columnsIn(path, fields, known)
      else yield rowOf(line, fields, names)
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError(`${basename(path)}: ${error.message}. Nothing was imported.`)
    throw error
  }
  if (names === undefined) throw new CommandError(`${path} is empty: its first line must name the columns.`)
}

function columnsIn(path: string, fields: readonly string[], known: readonly string[]): readonly string[] {
  const names = fields.map((field) => field.trim())
  for (const [at, name] of names.entries()) {
    if (!known.includes(name)) {
      const meant = nearest(name, known)
      const hint = meant === undefined ? `The columns are: ${known.join(', ')}.` : `Did you mean ${meant}?`
      throw new CommandError(`${path}:1: unknown column ${JSON.stringify(name)}. ${hint}`)
    }
    if (names.indexOf(name) !== at) throw new CommandError(`${path}:1: the column ${name} is there twice.`)
  }
  if (!names.includes('id')) throw new CommandError(`${path}:1: the column id is missing.`)
  return names
}

function rowOf(line: number, fields: readonly string[], names: readonly string[]): Row<Cells> {
  if (fields.length !== names.length) {
    const message = `has ${fields.length} fields, and the first line names ${names.length} columns`
    return { line, problems: [{ line, field: '', message }] }
  }
  const cells = names.map((name, at) => [name, (fields[at] ?? '').trim()] as const)
  return { line, value: new Map(cells.filter(([, cell]) => cell !== '')) }
}

export async function* jsonRows(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Row<object>> {
  let line = 0
  for await (const text of linesOf(path, onBytes)) {
    line += 1
    if (text.trim() !== '') yield parsed(line, text)
  }
}

async function* linesOf(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of readText(path, onBytes)) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_LENGTH_MAX)
      throw new CommandError(
        `${path} has a line of more than ${LINE_LENGTH_MAX} characters: one product a line is expected.`,
      )
    yield* lines
  }
  yield rest
}

function parsed(line: number, text: string): Row<object> {
  const problem = (message: string): Row<object> => ({ line, problems: [{ line, field: '', message }] })
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { line, value } : problem('is not a JSON object')
  } catch (error) {
    return problem(`is not valid JSON (${error instanceof Error ? error.message : String(error)})`)
  }
}
