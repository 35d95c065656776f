// `mangaassist search`: shows what the assistant would find for some words, or measures it with files of questions.
import { join, relative, resolve } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { bundled } from '#config/installation.ts'
import { loadConfig } from '#config/load-config.ts'
import { NEVER } from '#lib/async/never.ts'
import { wireLookUp, wireSearches } from '#wiring/profiles/look-up.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { describe, evaluate } from '../search/evaluate.ts'
import { explained, explanation } from '../search/explain.ts'
import { describeQuestions, isRetrievalFile, measureQuestions } from '../search/measure-questions.ts'

const flags = {
  evaluate: { type: 'boolean' },
  explain: { type: 'boolean' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const

const LIMIT = 5
const LIMIT_MAX = 100
const EVALUATIONS = ['retrieval.jsonl', 'search-held-out.jsonl', 'intents.jsonl', 'intents-held-out.jsonl']

export const search: Command = {
  summary: 'Search the catalogue as the assistant does, or measure how well it finds',
  usage: `Usage: mangaassist search "WORDS" [--limit N] [--explain] [--json]
       mangaassist search --evaluate [FILE] [--json]

Understands the words as a turn does, and searches the catalogue in DATA_DIR, or the one that comes with the program
where there is none yet. It only reads: a server may be running.

  --explain    what was read from the words, the parts of each score and the passage that matches best, and the
               conditions that excluded the next best
  --limit N    at most N series (default ${LIMIT}, at most ${LIMIT_MAX})
  --evaluate   answer every question of FILE, or of the files in the evaluation, from the catalogue that comes with
               the program, and print the means:
                 recall@5   how many of the first five are right, of five or of all that are right
                 MRR        the mean of 1 / place of the first right one
               for the search, the chat and plain FTS5 beside them, and of messages:
                 accuracy   how often the kind of question is recognised
                 names      how often exactly the series that it names are recognised
                 faq        how often the right entry of the FAQ is found, where one is meant
               The held-out files were written without knowing the program, and nothing is tuned by them.
  --json       as JSON`,

  async run(args, terminal) {
    const { values, positionals } = parseWords(args, flags)
    const limit = limitOf(values.limit)
    if (values.evaluate === true) {
      if (positionals.length > 1) throw new UsageError('--evaluate takes at most one FILE.')
      return printEvaluations(positionals, terminal, values.json === true)
    }
    const words = positionals.join(' ').trim()
    if (words === '') throw new UsageError('WORDS are missing.')
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    if (values.explain === true)
      return explain({ words, limit, dataDir: server.dataDir }, terminal, values.json === true)
    const lookUp = await wireLookUp({ dataDir: server.dataDir })
    const question = { message: words, language: detectLanguage(words), history: [], limit }
    const grounding = await lookUp.find(question, NEVER)
    terminal.stdout.write(
      values.json === true ? `${JSON.stringify(found(grounding))}\n` : listed(grounding, question.language),
    )
    return 0
  },
}

async function explain(
  asked: { readonly words: string; readonly limit: number; readonly dataDir: string },
  { stdout }: Terminal,
  json: boolean,
): Promise<number> {
  const { words: search } = await wireSearches({ dataDir: asked.dataDir })
  const language = detectLanguage(asked.words)
  const found = await search.find({ text: asked.words, language, limit: asked.limit }, NEVER)
  stdout.write(json ? `${JSON.stringify(explanation(found))}\n` : explained(found, language))
  return 0
}

function limitOf(given: string | undefined): number {
  const limit = Number(given ?? LIMIT)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a whole number from 1 to ${LIMIT_MAX}.`)
}

/** Evaluates the given files, else the bundled ones, and prints each result at once. */
async function printEvaluations(files: readonly string[], terminal: Terminal, json: boolean): Promise<number> {
  const { workspaceRoot, stdout } = terminal
  const paths =
    files.length > 0 ? files.map((file) => resolve(file)) : EVALUATIONS.map((file) => join(bundled.evaluation, file))
  const searches = await wireSearches()
  const evaluations: unknown[] = []
  for (const path of paths) {
    const file = relative(workspaceRoot, path)
    const isRetrieval = await isRetrievalFile(path)
    const measured = isRetrieval ? await measureQuestions(searches, path) : await evaluate(searches.lookUp, path)
    const text = 'engines' in measured ? describeQuestions({ ...measured, file }) : describe({ ...measured, file })
    if (!json) stdout.write(`${text}\n\n`)
    evaluations.push({ ...measured, file })
  }
  if (json) stdout.write(`${JSON.stringify(evaluations)}\n`)
  return 0
}

function found({ ask, products, faq }: Grounding) {
  const { kind, mentioned, wish } = ask
  return {
    kind,
    mentioned,
    wish,
    products: products.map(({ id, title }) => ({ id, title })),
    faq: faq.map(({ id }) => id),
  }
}

function listed({ ask, products, faq }: Grounding, language: 'ja' | 'en'): string {
  const lines = [
    `(${ask.kind})`,
    ...products.map(({ id, title, author }) =>
      [title[language], ...(author === undefined ? [] : [author[language]]), id].join('  '),
    ),
    ...faq.map(({ id, questions }) => `${questions[language][0]}  ${id}`),
  ]
  return `${lines.join('\n')}\n`
}
