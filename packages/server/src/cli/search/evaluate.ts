// Measures the understanding of messages with files of known answers. A line is `{ message, language?, kind, mentioned, faqId? }`.
import { readFile } from 'node:fs/promises'
import type { Language } from '@mangaassist/protocol'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { NEVER } from '#lib/async/never.ts'
import type { LookUp } from '#wiring/profiles/look-up.ts'
import { CommandError } from '../command.ts'

const TOP = 5

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

async function casesIn(file: string): Promise<readonly IntentCase[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read (${String(error)}).`)
  })
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [caseOf(line, `${file}:${index + 1}`)]))
}

function caseOf(line: string, place: string): IntentCase {
  try {
    const given = JSON.parse(line) as Partial<IntentCase>
    if (given.kind !== undefined && given.message !== undefined && given.mentioned !== undefined)
      return { ...given, language: given.language ?? detectLanguage(given.message) } as IntentCase
  } catch {
    // Reported below, like a line with other fields.
  }
  throw new CommandError(`${place} is not { message, kind, mentioned }.`)
}

async function mark(lookUp: LookUp, asked: IntentCase): Promise<Marked> {
  const { message, kind, mentioned, faqId } = asked
  const { ask } = await lookUp.find({ ...asked, history: [], limit: TOP }, NEVER)
  const named = ask.mentioned.toSorted().join() === mentioned.toSorted().join()
  const marks = { accuracy: Number(ask.kind === kind), names: Number(named) }
  return {
    question: message,
    kind,
    marks: faqId === undefined ? marks : { ...marks, faq: Number(ask.faqId === faqId) },
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
