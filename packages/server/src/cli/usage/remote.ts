// The books over the admin API of a running server, page by page.
import type { LedgerFilter, LedgerPart, LedgerRow } from '#domain/ledger/ledger-row.ts'
import type { UserQuota } from '#wiring/profiles/usage.ts'
import { adminApi } from '../server/admin-api.ts'
import type { Terminal } from '../command.ts'
import type { UsageGroup, UsageSource } from './usage-source.ts'

const PAGE_LIMIT = '1000'

export function remoteUsage(url: string, env: Terminal['env']): UsageSource {
  const { get } = adminApi(url, env)

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

function queryOf({ principalId, sessionId, ...rest }: LedgerFilter) {
  return { ...rest, user: principalId, session: sessionId }
}
