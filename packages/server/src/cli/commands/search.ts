// `mangaassist search`: shows what the assistant would find for some words, and why.
import { systemClock } from '#adapters/system/clock.ts'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { systemRandom } from '#adapters/system/random.ts'
import type { Config } from '#config/config.ts'
import { loadConfig } from '#config/load-config.ts'
import { explanation, meaningSource } from '#domain/search/explanation.ts'
import { NEVER } from '#lib/async/never.ts'
import { escapedJson, readable } from '#lib/text/readable.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'
import { openEmbeddings } from '#wiring/embedder/open-embeddings.ts'
import { openEngineSearch } from '#wiring/search/open-search-engine.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'
import type { Searches } from '#wiring/profiles/look-up.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { screenOf } from '../output/screen.ts'
import { explained } from '../search/explain.ts'
import { nothingFound, readingText, searchTable } from '../search/table.ts'

const flags = {
  explain: { type: 'boolean' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
} as const

const LIMIT = 5
const LIMIT_MAX = 100
const REMOTE_LIMIT_MAX = 50

export const search: Command = {
  summary: 'Search the catalogue as the assistant does',
  usage: `Usage: mangaassist search "WORDS" [--limit N] [--explain] [--json] [--url URL]

Understands the words as a turn does, and searches the catalogue in DATA_DIR, or the one that comes
with the program where there is none yet. It only reads: a server may be running. Prints what was
read from the words, and a table of what was found and why. Exit code 1 when nothing was found;
with --json 0, and the lists are empty.

  --explain    what was read from the words, the parts of each score and the passage that matches
               best, what gave the meaning score (an embedder or the vectors of words), what chose
               the products (a search engine, or the own index and why), and the conditions that
               excluded the next best
  --limit N    at most N series (default ${LIMIT}, at most ${LIMIT_MAX})
  --json       as JSON
  --url URL    explains the search of the server at URL: its catalogue, embedder and search engine.
               Put the admin token into ${TOKEN_VARIABLE}.`,

  async run(args, terminal) {
    const { values, positionals } = parseWords(args, flags)
    const limit = limitOf(values.limit)
    const words = positionals.join(' ').trim()
    if (words === '') throw new UsageError('WORDS are missing.')
    if (values.url !== undefined)
      return explainRemote({ words, limit, url: values.url }, terminal, values.json === true)
    const config = await loadConfig({ ...terminal, clock: systemClock() })
    using searches = await searchesOf(config, terminal)
    if (values.explain === true) return await explain({ words, limit, searches }, terminal, values.json === true)
    const grounding = await groundingOf({ words, limit, searches })
    if (values.json === true) {
      terminal.stdout.write(`${escapedJson(found(grounding))}\n`)
      return 0
    }
    const screen = screenOf(terminal)
    const table = searchTable(grounding, screen)
    terminal.stdout.write(`${readingText(grounding, screen)}${table === undefined ? '' : `\n${table}`}`)
    if (table === undefined) throw new CommandError(nothingFound(grounding, words))
    return 0
  },
}

interface Asked {
  readonly words: string
  readonly limit: number
  readonly searches: Searches
}

/** Opens the search with the configured embedder and search engine, over the data that a server has stored there. */
function searchesOf(config: Config, { env }: Terminal): Promise<Searches> {
  const system = { clock: systemClock(), random: systemRandom(), telemetry: NO_TELEMETRY, env }
  return wireSearches({
    dataDir: config.server.dataDir,
    openEmbeddings: (over) => openEmbeddings(config, { ...system, ...over, isCommand: true }),
    openEngine: (over) => openEngineSearch(config, { ...system, ...over, isCommand: true }),
  })
}

/** Finds what a turn would find; if that is nothing, the nearest results of the search box. */
async function groundingOf({ words, limit, searches }: Asked): Promise<Grounding> {
  const language = detectLanguage(words)
  const grounding = await searches.lookUp.find({ message: words, language, history: [], limit }, NEVER)
  if (grounding.products.length + grounding.faq.length > 0) return grounding
  const nearest = await searches.words.find({ text: words, language, limit }, NEVER)
  return { ...grounding, products: nearest.found.map(({ product }) => product), isUnsure: true }
}

async function explain(asked: Asked, { stdout }: Terminal, json: boolean): Promise<number> {
  const { embeddings, words: search } = asked.searches
  const language = detectLanguage(asked.words)
  const found = await search.find({ text: asked.words, language, limit: asked.limit }, NEVER)
  const all = explanation(found, meaningSource(found, embeddings))
  const whole = { ...all, read: { ...all.read, wish: found.read.wish } }
  stdout.write(json ? `${escapedJson(whole)}\n` : readable(explained(all, language)))
  return 0
}

/** Asks a running server for the explanation of a search. */
async function explainRemote(
  { limit, url, words }: Omit<Asked, 'searches'> & { readonly url: string },
  { env, stdout }: Terminal,
  json: boolean,
): Promise<number> {
  if (limit > REMOTE_LIMIT_MAX) throw new UsageError(`With --url, --limit is at most ${REMOTE_LIMIT_MAX}.`)
  const view = await adminApi(url, env).explainSearch({ text: words, limit })
  const { edition, language, turn, understood } = view
  const used = [...turn.products, ...turn.faq].map(({ id }) => id).join(', ')
  const head = [`Edition ${edition ?? 'none'}`, ...understood[language], `A turn would use: ${used || 'nothing'}`]
  stdout.write(json ? `${escapedJson(view)}\n` : readable(`${head.join('\n')}\n\n${explained(view, language)}`))
  return 0
}

function limitOf(given: string | undefined): number {
  const limit = Number(given ?? LIMIT)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a whole number from 1 to ${LIMIT_MAX}.`)
}

function found({ intent, products, reading, relaxed, isUnsure, language, faq }: Grounding) {
  return {
    act: reading.act,
    intent,
    relaxed,
    isUnsure,
    products: products.map((product) => toCard(product, language)),
    faq: faq.map(({ id }) => id),
  }
}
