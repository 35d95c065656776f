// `mangaassist search`: shows what the assistant would find for some words, and why.
import { systemClock } from '#adapters/system/clock.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { loadConfig } from '#config/load-config.ts'
import { NEVER } from '#lib/async/never.ts'
import { wireLookUp, wireSearches } from '#wiring/profiles/look-up.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { explained, explanation } from '../search/explain.ts'

const flags = {
  explain: { type: 'boolean' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const

const LIMIT = 5
const LIMIT_MAX = 100

export const search: Command = {
  summary: 'Search the catalogue as the assistant does',
  usage: `Usage: mangaassist search "WORDS" [--limit N] [--explain] [--json]

Understands the words as a turn does, and searches the catalogue in DATA_DIR, or the one that comes with the program
where there is none yet. It only reads: a server may be running.

  --explain    what was read from the words, the parts of each score and the passage that matches best, and the
               conditions that excluded the next best
  --limit N    at most N series (default ${LIMIT}, at most ${LIMIT_MAX})
  --json       as JSON`,

  async run(args, terminal) {
    const { values, positionals } = parseWords(args, flags)
    const limit = limitOf(values.limit)
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

function found({ intent, products, reading, relaxed, faq }: Grounding) {
  return {
    act: reading.act,
    intent,
    relaxed,
    products: products.map(({ id, title }) => ({ id, title })),
    faq: faq.map(({ id }) => id),
  }
}

function listed({ intent, products, faq }: Grounding, language: 'ja' | 'en'): string {
  const lines = [
    `(${intent.kind})`,
    ...products.map(({ id, title, author }) =>
      [title[language], ...(author === undefined ? [] : [author[language]]), id].join('  '),
    ),
    ...faq.map(({ id, questions }) => `${questions[language][0]}  ${id}`),
  ]
  return `${lines.join('\n')}\n`
}
