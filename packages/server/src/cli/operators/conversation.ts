// `mangaassist conversation`: reads one conversation of a shopper with a reason, or lists the conversations of a person without their texts.
import type { ConversationOutline, ConversationView } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { printFound } from '../output/print-found.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { requiredReason } from './audited-change.ts'
import type { AdminRun } from './audited-change.ts'
import { table } from '../usage/print.ts'

const flags = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  user: { type: 'string' },
  url: { type: 'string' },
} as const

const LISTED = 100

export const conversation: Command = {
  summary: 'Read a conversation of a shopper, with a reason; list those of a person',
  usage: `Usage: mangaassist conversation ID --reason WHY [--json]
       mangaassist conversation --user USER [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}.

ID             the conversation (sess_…), as in turns and in the list: its newest 200 turns as they
               were written. Needs the role operator; the server's audit says who read it and why

  --user USER    lists the newest ${LISTED} conversations of a user or guest, without their texts
  --reason WHY   goes to the audit, with the name of the token
  --json         as JSON
  --url URL      the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    return run(adminApi(values.url ?? usualUrl(server), terminal.env), {
      stdout: terminal.stdout,
      isJson: values.json === true,
    })
  },
}

/** Mistakes in the command are reported before the server is asked. */
function planned(
  [id, ...more]: readonly string[],
  { reason, user }: { readonly reason?: string | undefined; readonly user?: string | undefined },
): AdminRun {
  if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
  if (user !== undefined) {
    if (id !== undefined) throw new UsageError('--user lists conversations, and takes no ID.')
    if (reason !== undefined) throw new UsageError('--reason is for reading one conversation.')
    if (user === '') throw new UsageError('--user needs the id of a user or guest.')
    return list(user)
  }
  if (id === undefined) throw new UsageError('ID is missing: the conversation to read, or --user USER.')
  return read(id, requiredReason(reason))
}

function read(id: string, reason: string): AdminRun {
  return async (api, output) => {
    printFound(output, await api.conversation(id, { reason }), described)
    return 0
  }
}

function list(user: string): AdminRun {
  return async (api, output) => {
    const { data, next } = await api.conversationsOf(user, { limit: LISTED })
    const more = next === undefined ? '' : `\n\nThere are more than ${LISTED}.`
    printFound(output, data, () => `${listed(data)}${more}`)
    return 0
  }
}

const TEXTS = 3

function listed(data: readonly ConversationOutline[]): string {
  if (data.length === 0) return 'No conversations are stored.'
  const rows = data.map(({ createdAt, expired, lastActiveAt, sessionId, turns }) => [
    sessionId,
    createdAt,
    expired ? `${lastActiveAt}, expired` : lastActiveAt,
    String(turns),
  ])
  return table(['conversation', 'began', 'last active', 'turns'], rows, TEXTS)
}

function described({ createdAt, expired, runningTurn, sessionId, turns, userId }: ConversationView): string {
  const state = expired ? ', expired' : ''
  const said = turns.map(({ answer, at, finishReason, question, tier, turnId }) =>
    [`${at}  ${turnId}  ${tier}  ${finishReason}`, indented('Q', question), indented('A', answer)].join('\n'),
  )
  const running =
    runningTurn === undefined ? [] : [`${runningTurn.turnId}  running\n${indented('Q', runningTurn.question)}`]
  return [`${sessionId} of ${userId}, since ${createdAt}${state}`, ...said, ...running].join('\n\n')
}

function indented(name: string, text: string): string {
  return `  ${name}: ${text.trim().replaceAll('\n', '\n     ')}`
}
