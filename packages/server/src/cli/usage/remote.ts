// The books over the admin API of a running server, page by page.
import type { LedgerFilter, LedgerPart, LedgerRow } from '#domain/ledger-row.ts'
import type { UserQuota } from '#wiring/usage.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'
import type { UsageGroup, UsageSource } from './usage-source.ts'

/** Holds the admin token; not a setting of the server, so not named like one. */
export const TOKEN_VARIABLE = 'MANGAASSIST_ADMIN_TOKEN'
const PAGE_LIMIT = '1000'

interface Answer<Data> {
  readonly data: Data
  readonly metadata: { readonly next?: string }
}

export function remoteUsage(url: string, env: Terminal['env']): UsageSource {
  const token = env[TOKEN_VARIABLE]
  if (token === undefined || token === '') throw new CommandError(`Put the admin token into ${TOKEN_VARIABLE}.`)
  if (!URL.canParse(url)) throw new CommandError(`${url} is no address of a server.`)

  async function get<Data>(path: string, query: Readonly<Record<string, string | undefined>>): Promise<Answer<Data>> {
    const address = new URL(path, url)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value)
    const response = await asked(address, token ?? '')
    const body = (await response.json().catch(() => ({}))) as Answer<Data> & { error?: Refused }
    if (response.ok) return body
    if (response.status === 401)
      throw new CommandError(`The server does not take the admin token of ${TOKEN_VARIABLE}.`)
    const { code = `status ${response.status}`, details } = body.error ?? {}
    throw new CommandError(`The server refused: ${code}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`)
  }

  async function* pages<Data>(path: string, query: Readonly<Record<string, string | undefined>>): AsyncGenerator<Data> {
    let after: string | undefined
    do {
      const { data, metadata } = await get<Data>(path, { ...query, limit: PAGE_LIMIT, after })
      yield data
      after = metadata.next
    } while (after !== undefined)
  }

  return {
    async *groups(filter: LedgerFilter, by: readonly LedgerPart[]) {
      const query = { ...queryOf(filter), by: by.join(',') }
      const all = pages<{ readonly groups: readonly UsageGroup[] }>('/api/admin/usage', query)
      for await (const { groups } of all) yield* groups
    },
    async *rows(filter: LedgerFilter) {
      for await (const rows of pages<readonly LedgerRow[]>('/api/admin/usage/rows', queryOf(filter))) yield* rows
    },
    async quota(userId, tier) {
      return (await get<UserQuota>(`/api/admin/users/${encodeURIComponent(userId)}`, { tier })).data
    },
    [Symbol.dispose]: () => {},
  }
}

interface Refused {
  readonly code?: string
  readonly details?: unknown
}

function queryOf({ principalId, sessionId, ...rest }: LedgerFilter) {
  return { ...rest, user: principalId, session: sessionId }
}

async function asked(address: URL, token: string): Promise<Response> {
  try {
    return await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  } catch (error) {
    throw new CommandError(`No MangaAssist answers at ${address.origin}. Is it running, and is that its address?`, {
      cause: error,
    })
  }
}
