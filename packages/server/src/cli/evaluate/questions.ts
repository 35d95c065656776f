// Measures the search, the chat and plain FTS5 with a file of questions: a line is `{ query, language?, kind, relevant }`.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainFullText } from '#adapters/sqlite/search/plain-full-text.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Searches } from '#wiring/profiles/look-up.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { CommandError } from '../command.ts'
import { describeRetrieval, evaluateRetrieval } from './retrieval-marks.ts'
import type { Engine, RetrievalCase, RetrievalEvaluation } from './retrieval-marks.ts'

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

export function describeQuestions({ file, questions, engines }: MeasuredQuestions, shows: boolean): string {
  const missed = shows
    ? engines.chat.missed.map(({ query, kind, recall }) => `    ${recall.toFixed(2)} ${kind}: ${query}`)
    : []
  return [`${file}: ${questions} questions`, describeRetrieval(engines), ...missed].join('\n')
}

/** The files of questions in the folder of evaluations. */
export async function questionFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name))
}
