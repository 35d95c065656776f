// The ledger over the admin API of a running server, page by page.
import type { AdminPage } from '@mangaassist/client/admin'
import type { UsageRowsQuery } from '@mangaassist/protocol/admin'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { adminApi } from '../server/admin-api.ts'
import type { Terminal } from '../command.ts'
import type { UsageSource } from './usage-source.ts'

const PAGE_LIMIT = 1000

export function remoteUsage(url: string, env: Terminal['env']): UsageSource {
  const api = adminApi(url, env)
  return {
    async *groups(filter: LedgerFilter, by: readonly LedgerPart[]) {
      const query = { ...queryOf(filter), by: by.join(',') }
      for await (const { groups } of pages((page) => api.usage({ ...query, ...page }))) yield* groups
    },
    async *rows(filter: LedgerFilter) {
      const query = queryOf(filter)
      for await (const rows of pages((page) => api.usageRows({ ...query, ...page }))) yield* rows
    },
    rowsOfTurn: async (turnId) => (await api.usageRows({ turn: turnId })).data,
    quota: (userId, tier) => api.user(userId, tier === undefined ? {} : { tier }),
    [Symbol.dispose]: () => {},
  }
}

type Page = Pick<UsageRowsQuery, 'limit' | 'after'>

async function* pages<Data>(ask: (page: Page) => Promise<AdminPage<Data>>): AsyncGenerator<Data> {
  let after: string | undefined
  do {
    const { data, next } = await ask({ limit: PAGE_LIMIT, ...(after === undefined ? {} : { after }) })
    yield data
    after = next
  } while (after !== undefined)
}

function queryOf({ principalId, sessionId, ...rest }: LedgerFilter): UsageRowsQuery {
  return {
    ...rest,
    ...(principalId === undefined ? {} : { user: principalId }),
    ...(sessionId === undefined ? {} : { session: sessionId }),
  }
}
