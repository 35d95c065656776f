// The admin API of a running server, for commands: the client with the token from the environment, and its errors in
// words.
import { createAdminClient } from '@mangaassist/client/admin'
import type { AdminClient, AdminError } from '@mangaassist/client/admin'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'

/** Holds the admin token. It is no setting of the server, and therefore not named like one. */
export const TOKEN_VARIABLE = 'MANGAASSIST_ADMIN_TOKEN'
/** Long enough for the largest page. */
const DEADLINE_MS = 60_000

const HOW_TO_GET_ONE =
  'To get one: npx mangaassist keygen --name NAME --admin, add the printed line to mangaassist.config.ts, restart the server.'

/** Its calls throw an `AdminError`, which `explainAdminError` describes. */
export function adminApi(url: string, env: Terminal['env']): AdminClient {
  const token = env[TOKEN_VARIABLE]
  if (token === undefined || token === '')
    throw new CommandError(`Put the admin token into ${TOKEN_VARIABLE}. ${HOW_TO_GET_ONE}`)
  if (!URL.canParse(url)) throw new CommandError(`${url} is not the address of a server.`)
  return createAdminClient({ url, token, deadlineMs: DEADLINE_MS })
}

const REASONS: Readonly<Record<string, string>> = {
  'not-stored-here':
    'This shop is in the stores of a cluster: a node has nothing to back up. Back up Redis, and the tables if stores are in DynamoDB (docs/operations.md).',
  'state-unavailable':
    'A store that the nodes share did not answer in time (state-unavailable). Try again; /readyz of the server shows which one.',
}

/** Says which role a token lacks. */
function explainRole(details: unknown): string | undefined {
  const { needed, reason, role } = (details ?? {}) as { readonly needed?: string; reason?: string; role?: string }
  if (reason !== 'role' || needed === undefined) return undefined
  return `The token in ${TOKEN_VARIABLE} has the role ${role}; this needs ${needed}.`
}

/** What a refusal means to an operator; undefined where its code and details say it. */
export function explainReason(details: unknown): string | undefined {
  const { reason } = (details ?? {}) as { readonly reason?: unknown }
  return typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
}

export function explainAdminError({ code, details, message, status }: AdminError): string {
  if (code === 'UNREACHABLE') return `${message} Is it running, and is that its address?`
  if (code === 'TIMED_OUT') return message
  if (status === 401) return `The server does not accept the admin token in ${TOKEN_VARIABLE}. ${HOW_TO_GET_ONE}`
  if (code === 'UNEXPECTED_ANSWER') return `The server refused: status ${status}`
  return (
    explainRole(details) ??
    explainReason(details) ??
    `The server refused: ${code}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`
  )
}
