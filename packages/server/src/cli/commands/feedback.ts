// `mangaassist feedback`: what readers thought of the answers of a running server, by what answered, and the turns with a
// thumb down. Texts of conversations need a reason, which goes to the server's audit.
import type { AdminClient } from '@mangaassist/client/admin'
import { FEEDBACK_PARTS } from '@mangaassist/protocol/admin'
import type { FeedbackPart, FeedbackReport, WorstTurn } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { usualUrl } from '../server/find-server.ts'
import { table, thousands } from '../usage/print.ts'

const flags = {
  worst: { type: 'boolean' },
  by: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string' },
  text: { type: 'boolean' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
} as const
type Flags = ReturnType<typeof parseWords<typeof flags>>['values']

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LIMIT_DEFAULT = 20
const LIMIT_MAX = 1000

export const feedback: Command = {
  summary: 'Show what readers thought of the answers: thumbs by what answered, and the worst turns',
  usage: `Usage: mangaassist feedback [--by model|prompt|route|experiment|arm|language]
                           [--from DAY] [--to DAY] [--json]
       mangaassist feedback --worst [--from DAY] [--to DAY] [--limit N]
                           [--text --reason WHY] [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}.

  --by         what the thumbs are counted by (default model); a turn of several experiments counts
               for each of them
  --from, --to only turns of these days of the store, such as 2026-11-04; both are included
  --worst      the turns with a thumb down, newest first, with the reason and what answered
  --limit N    how many of them (default ${LIMIT_DEFAULT}, at most ${LIMIT_MAX})
  --text       with question and answer, where the conversation still exists. It needs --reason WHY,
               and each conversation that is read is in the audit, with the name of the token
  --json       as JSON
  --url URL    the server to ask

The interval is the 95 % one of a single look: it does not say which model is better. To compare
two, run an experiment.`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    if (positionals.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(positionals[0])}.`)
    const run = values.worst === true ? showWorst(values) : showShares(values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    return run(adminApi(values.url ?? usualUrl(server), terminal.env), terminal)
  },
}

type Run = (api: AdminClient, terminal: Pick<Terminal, 'stdout'>) => Promise<number>

function showShares(values: Flags): Run {
  for (const name of ['limit', 'text', 'reason'] as const)
    if (values[name] !== undefined) throw new UsageError(`--${name} needs --worst.`)
  const days = daysOf(values)
  const by = partOf(values.by)
  return async (api, { stdout }) => {
    const report = await api.feedback({ by, ...days })
    printFound({ stdout, isJson: values.json === true }, report, () => describedShares(report, by))
    return 0
  }
}

function showWorst(values: Flags): Run {
  if (values.by !== undefined) throw new UsageError('--by and --worst exclude each other.')
  const query = { ...daysOf(values), limit: limitOf(values.limit), ...readingOf(values) }
  return async (api, { stdout }) => {
    const { data, next } = await api.worstFeedback(query)
    const more = next === undefined ? [] : ['There are more: raise --limit, or end earlier with --to.']
    const shown = data.length === 0 ? ['No thumbs down.'] : [...data.map(describedTurn), ...more]
    printFound({ stdout, isJson: values.json === true }, data, () => shown.join('\n\n'))
    return 0
  }
}

function describedShares({ groups, isCut, totals }: FeedbackReport, by: FeedbackPart): string {
  if (groups.length === 0) return 'No thumbs.'
  const cells = (name: string, { down, high, low, shareUp, up }: FeedbackReport['totals']) => [
    name,
    ...[up + down, up, down].map(thousands),
    percent(shareUp),
    `${percent(low)} – ${percent(high)}`,
  ]
  const rows = [...groups.map((group) => cells(group.key, group)), cells('total', totals)]
  const shown = table([by, 'thumbs', 'up', 'down', 'up %', '95 % interval'], rows, 1)
  return isCut ? `${shown}\n\nThere are more thumbs than were counted: name fewer days with --from.` : shown
}

function describedTurn(turn: WorstTurn): string {
  const { answer, at, exposures, feedback: given, language, mismatches, model, prompt, question, route, turnId } = turn
  const facts = [
    model,
    ...(prompt === undefined ? [] : [`prompt ${prompt}`]),
    ...(route === undefined ? [] : [route.why]),
    ...exposures.map(({ arm, experiment }) => `${experiment}/${arm}`),
    ...(mismatches.length === 0 ? [] : [`mismatches: ${mismatches.join(', ')}`]),
    language,
  ]
  const texts = [
    ['reason', given.reason],
    ['Q', question],
    ['A', answer],
  ] as const
  return [
    `${at}  ${turnId}  ${facts.join('  ')}`,
    ...texts.flatMap(([name, text]) => (text === undefined ? [] : [indented(name, text)])),
  ].join('\n')
}

function indented(name: string, text: string): string {
  return `  ${name}: ${text.trim().replaceAll('\n', '\n     ')}`
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}

function daysOf({ from, to }: Flags): { readonly from?: string; readonly to?: string } {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !DAY.test(day)) throw new UsageError(`--${name} must be a day such as 2026-11-04.`)
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function partOf(by = 'model'): FeedbackPart {
  const part = FEEDBACK_PARTS.find((known) => known === by)
  if (part === undefined) throw new UsageError(`--by takes one of ${FEEDBACK_PARTS.join(', ')}.`)
  return part
}

function limitOf(given: string | undefined): number {
  const limit = Number(given ?? LIMIT_DEFAULT)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
}

function readingOf({ reason, text }: Flags): { readonly reason?: string } {
  const isGiven = reason !== undefined && reason.trim() !== ''
  if (text === true && !isGiven) throw new UsageError('--text needs --reason WHY.')
  if (text !== true && reason !== undefined) throw new UsageError('--reason needs --text.')
  return text === true && isGiven ? { reason } : {}
}
