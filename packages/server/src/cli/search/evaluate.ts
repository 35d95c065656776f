// Measures search and understanding with files of questions that have known answers. A line is one JSON object: either
// `{ query, kind, relevant }` for search, or `{ message, language, kind, mentioned, faqId? }` for understanding.
import { readFile } from 'node:fs/promises'
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { NEVER } from '#lib/async/never.ts'
import type { LookUp } from '#wiring/profiles/look-up.ts'
import { CommandError } from '../command.ts'

const TOP = 5

interface SearchCase {
  readonly query: string
  readonly kind: string
  /** Ids of all products that are good answers. */
  readonly relevant: readonly string[]
}

interface IntentCase {
  readonly message: string
  readonly language: Language
  readonly kind: string
  /** Ids of the series that the message names. */
  readonly mentioned: readonly string[]
  readonly faqId?: string
}

/** The marks of one question, each from 0 to 1. */
interface Marked {
  readonly question: string
  readonly kind: string
  readonly marks: Readonly<Record<string, number>>
}

export interface Evaluation {
  readonly file: string
  readonly questions: number
  /** The mean of each mark. */
  readonly overall: Readonly<Record<string, number>>
  readonly byKind: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The questions without full marks, the worst first. */
  readonly missed: readonly string[]
}

export async function evaluate(lookUp: LookUp, file: string): Promise<Evaluation> {
  const marked: Marked[] = []
  for (const line of await casesIn(file)) marked.push(await mark(lookUp, line))
  const kinds = Map.groupBy(marked, ({ kind }) => kind)
  const mean = ({ marks }: Marked) => average(Object.values(marks))
  return {
    file,
    questions: marked.length,
    overall: meansOf(marked),
    byKind: Object.fromEntries(
      [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, of]) => [kind, meansOf(of)]),
    ),
    missed: marked
      .filter((one) => mean(one) < 1)
      .sort((a, b) => mean(a) - mean(b))
      .map(({ question }) => question),
  }
}

async function casesIn(file: string): Promise<readonly (SearchCase | IntentCase)[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read (${String(error)}).`)
  })
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [caseOf(line, `${file}:${index + 1}`)]))
}

function caseOf(line: string, place: string): SearchCase | IntentCase {
  try {
    const given = JSON.parse(line) as Partial<SearchCase & IntentCase>
    if (given.kind !== undefined && given.query !== undefined && (given.relevant?.length ?? 0) > 0)
      return given as SearchCase
    if (given.kind !== undefined && given.message !== undefined && given.mentioned !== undefined)
      return { ...given, language: given.language ?? detectLanguage(given.message) } as IntentCase
  } catch {
    // Reported below, like a line with other fields.
  }
  throw new CommandError(`${place} is neither { query, kind, relevant } nor { message, kind, mentioned }.`)
}

async function mark(lookUp: LookUp, asked: SearchCase | IntentCase): Promise<Marked> {
  if ('message' in asked) {
    const { message, kind, mentioned, faqId } = asked
    const { faq, reading } = await lookUp.find({ ...asked, history: [], limit: TOP }, NEVER)
    const ids = reading.series.flatMap(({ id }) => id ?? [])
    const marks = { names: Number(ids.toSorted().join() === mentioned.toSorted().join()) }
    return {
      question: message,
      kind,
      marks: faqId === undefined ? marks : { ...marks, faq: Number(faq[0]?.id === faqId) },
    }
  }
  const { query: message, relevant, kind } = asked
  const question = { message, language: detectLanguage(message), history: [], limit: TOP }
  const { products } = await lookUp.find(question, NEVER)
  const found = products.filter(({ id }) => relevant.includes(id)).length
  return {
    question: message,
    kind,
    marks: { 'recall@5': found / Math.min(TOP, relevant.length), 'any@5': Number(found > 0) },
  }
}

function meansOf(marked: readonly Marked[]): Readonly<Record<string, number>> {
  const names = new Set(marked.flatMap(({ marks }) => Object.keys(marks)))
  return Object.fromEntries([...names].map((name) => [name, average(marked.flatMap(({ marks }) => marks[name] ?? []))]))
}

function average(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

export function describe({ file, questions, overall, byKind }: Evaluation): string {
  const width = Math.max(...Object.keys(byKind).map((kind) => kind.length), 'overall'.length)
  const row = ([name, marks]: readonly [string, Readonly<Record<string, number>>]) =>
    `  ${name.padEnd(width)}  ${Object.values(marks)
      .map((value) => value.toFixed(2).padStart(9))
      .join('')}`
  const head = `  ${''.padEnd(width)}  ${Object.keys(overall)
    .map((name) => name.padStart(9))
    .join('')}`
  return [
    `${file}: ${questions} questions`,
    head,
    ...[['overall', overall] as const, ...Object.entries(byKind)].map(row),
  ].join('\n')
}
