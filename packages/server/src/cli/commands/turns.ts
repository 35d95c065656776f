// `mangaassist turns` and `mangaassist turn`: finds turns and refused requests of a running server, and tells the whole story of one.
import type { AdminClient } from '@mangaassist/client/admin'
import type { TurnRecordsQuery } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import type { Clock } from '#ports/clock/port.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { usualUrl } from '../server/find-server.ts'
import { askedOf, LIMIT_DEFAULT, LIMIT_MAX, limitOf, turnsFlags } from '../turns/asked.ts'
import { idOfView, LIST_HEADER, lineOf } from '../turns/list-print.ts'
import { storyText } from '../turns/story-print.ts'

const FOLLOW_EVERY_MS = 2000
/** The ids of printed records that are remembered: many times what a node records in the time that a list reaches back. */
const SEEN_MAX = 10_000

export const turns: Command = {
  summary: 'Find turns and refused requests by user, model, outcome, cost or time, and follow them live',
  usage: `Usage: mangaassist turns [--user U] [--session S] [--request R] [--model M] [--tier T]
                        [--reason R] [--outcome O] [--kind K] [--door D] [--degraded]
                        [--min-cost USD] [--max-cost USD] [--slow TIME] [--thumb up|down]
                        [--experiment E] [--from WHEN] [--to WHEN] [--limit N] [--follow] [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. Newest first; all filters apply together. \`mangaassist turn ID\` shows one.

  --model      the vendor's id of the model that answered
  --tier       primary, economy, cached, embedded, faq, message, …
  --reason     a word of why it was degraded, incomplete or refused: throttled, circuit-open, …
  --outcome    a finish reason such as stop or interrupted; an error code such as RATE_LIMITED; or
               refused, for every refused request
  --kind       turn (default), chat, completion, refusal, or any
  --slow TIME  took at least this: 5s, 800ms
  --from, --to a day of the store, which is included, such as 2026-11-04, today or yesterday, or a
               time such as 2026-11-04T09:30+09:00
  --limit N    how many (default ${LIMIT_DEFAULT}, at most ${LIMIT_MAX})
  --follow     then shows what is recorded, until Ctrl+C
  --json       one JSON object a line
  --url URL    the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, turnsFlags)
    if (positionals.length > 0)
      throw new UsageError(`Unknown argument ${JSON.stringify(positionals[0])}. For one turn: mangaassist turn ID.`)
    const clock = systemClock()
    const { server, store } = await loadConfig({ ...terminal, clock })
    const [query, limit] = [askedOf(values, store.timeZone), limitOf(values.limit)]
    const listing = {
      api: adminApi(values.url ?? usualUrl(server), terminal.env),
      query,
      isJson: values.json === true,
    }
    const newest = await list(listing, limit, terminal)
    if (values.follow === true) await follow({ ...listing, clock, ...newest }, terminal)
    return 0
  },
}

const turnFlags = { json: { type: 'boolean' }, log: { type: 'boolean' }, url: { type: 'string' } } as const

export const turn: Command = {
  summary: 'Tell the whole story of one turn, by its id or the id of its request',
  usage: `Usage: mangaassist turn ID [--log] [--json] [--url URL]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. ID is the id of a turn, of a request, or of a refusal (ref_…). Shows why
the first choice did not answer, every call with what the vendor said, the times of the stages, the
prompt by part, and the cost. No text of the conversation.

  --log        also the lines of the log about the turn and its request, which its record stores
  --json       as JSON, the log included
  --url URL    the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, turnFlags)
    const [id, ...more] = positionals
    if (id === undefined) throw new UsageError('ID is missing.')
    if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const story = await adminApi(values.url ?? usualUrl(server), terminal.env).turn(id)
    printFound({ stdout: terminal.stdout, isJson: values.json === true }, story, () => storyText(story, values.log))
    return 0
  },
}

interface Listing {
  readonly api: AdminClient
  readonly query: TurnRecordsQuery
  readonly isJson: boolean
}

interface Listed {
  /** The ids that were printed. */
  readonly seen: Set<string>
  readonly newest: string | undefined
}

/** Pages may be short: it asks until there are enough, or no more. */
async function list(
  { api, isJson, query }: Listing,
  limit: number,
  { stdout }: Pick<Terminal, 'stdout'>,
): Promise<Listed> {
  const seen = new Set<string>()
  let [newest, after] = [undefined as string | undefined, undefined as string | undefined]
  do {
    const page = await api.turnRecords({
      ...query,
      limit: limit - seen.size,
      ...(after === undefined ? {} : { after }),
    })
    newest ??= page.newest
    if (!isJson && seen.size === 0 && page.data.length > 0) stdout.write(`${LIST_HEADER}\n`)
    for (const record of page.data) {
      seen.add(idOfView(record))
      printFound({ stdout, isJson }, record, lineOf)
    }
    after = page.next
  } while (after !== undefined && seen.size < limit)
  if (!isJson && seen.size === 0) stdout.write('No turns.\n')
  return { seen, newest }
}

/** Prints what is new, oldest first, until a signal. */
async function follow(following: Listing & Listed & { readonly clock: Clock }, terminal: Terminal): Promise<void> {
  const { api, clock, isJson, query, seen } = following
  const stop = new AbortController()
  using _signal = terminal.onSignal(() => stop.abort())
  let { newest } = following
  while (!stop.signal.aborted) {
    await clock.sleep(FOLLOW_EVERY_MS, stop.signal).catch(() => {})
    if (stop.signal.aborted) return
    const page = await api.turnRecords({
      ...query,
      limit: LIMIT_MAX,
      ...(newest === undefined ? {} : { since: newest }),
    })
    newest = page.newest ?? newest
    for (const record of page.data.toReversed().filter((one) => !seen.has(idOfView(one)))) {
      seen.add(idOfView(record))
      printFound({ stdout: terminal.stdout, isJson }, record, lineOf)
    }
    for (const oldest of seen.keys().take(Math.max(0, seen.size - SEEN_MAX))) seen.delete(oldest)
  }
}
