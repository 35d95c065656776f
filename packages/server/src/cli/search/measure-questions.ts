// Measures the search, the chat and plain FTS5 with a file of questions: a line is `{ query, language?, kind, relevant }`.
import { readFile } from 'node:fs/promises'
import { plainFullText } from '#adapters/sqlite/search/plain-full-text.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Searches } from '#wiring/profiles/look-up.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { CommandError } from '../command.ts'
import { describeRetrieval, evaluateRetrieval } from './evaluate-retrieval.ts'
import type { Engine, RetrievalCase, RetrievalEvaluation } from './evaluate-retrieval.ts'

export interface MeasuredQuestions {
  readonly file: string
  readonly questions: number
  readonly engines: Readonly<Record<'search' | 'chat' | 'FTS5', RetrievalEvaluation>>
}

export async function measureQuestions(searches: Searches, file: string): Promise<MeasuredQuestions> {
  const cases = answerable(await readRetrievalCases(file), searches)
  const { search, chat, plain } = enginesOf(searches)
  const engines = {
    search: await evaluateRetrieval(search, cases),
    chat: await evaluateRetrieval(chat, cases),
    FTS5: await evaluateRetrieval(plain, cases),
  }
  return { file, questions: cases.length, engines }
}

/** The catalogue may be another one: a question about series that it does not have says nothing about the search. */
function answerable(cases: readonly RetrievalCase[], { products }: Searches): readonly RetrievalCase[] {
  const ids = new Set(products.map(({ id }) => id))
  return cases
    .map((each) => ({ ...each, relevant: each.relevant.filter((id) => ids.has(id)) }))
    .filter(({ relevant }) => relevant.length > 0)
}

/** What is measured: the search box, a turn of the chat, and full text alone. */
export function enginesOf({
  lookUp,
  words,
  products,
}: Searches): Readonly<Record<'search' | 'chat' | 'plain', Engine>> {
  const fullText = plainFullText(products)
  return {
    search: async (text, language, limit) =>
      (await words.find({ text, language, limit }, NEVER)).found.map(({ id }) => id),
    chat: async (message, language, limit) =>
      (await lookUp.find({ message, language, history: [], limit }, NEVER)).products.map(({ id }) => id),
    plain: async (text, _language, limit) => fullText(text, limit),
  }
}

export async function readRetrievalCases(file: string): Promise<readonly RetrievalCase[]> {
  return (await linesOf(file)).map(({ line, place }) => {
    const given = parsed(line)
    if (given?.query === undefined || given.kind === undefined || (given.relevant?.length ?? 0) === 0)
      throw new CommandError(`${place} is not { query, kind, relevant }.`)
    return { ...given, language: given.language ?? detectLanguage(given.query) } as RetrievalCase
  })
}

/** Whether its first line is a question for the search; other files are messages to understand. */
export async function isRetrievalFile(file: string): Promise<boolean> {
  const [first] = await linesOf(file)
  return first !== undefined && parsed(first.line)?.query !== undefined
}

async function linesOf(file: string): Promise<readonly { readonly line: string; readonly place: string }[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read (${String(error)}).`)
  })
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, place: `${file}:${index + 1}` }]))
}

function parsed(line: string): Partial<RetrievalCase> | undefined {
  try {
    return JSON.parse(line) as Partial<RetrievalCase>
  } catch {
    return undefined
  }
}

export function describeQuestions({ file, questions, engines }: MeasuredQuestions): string {
  return `${file}: ${questions} questions\n${describeRetrieval(engines)}`
}
