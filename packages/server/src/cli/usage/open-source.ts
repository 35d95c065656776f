// The source of `usage`: the database in this machine's DATA_DIR, or the admin API of a running server, which has the
// ledger of the whole cluster.
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import type { Config } from '#config/config.ts'
import type { LedgerFilter, LedgerPart } from '#domain/ledger/ledger-row.ts'
import { isUsageInFiles, openStoredUsage } from '#wiring/profiles/usage.ts'
import type { StoredUsage } from '#wiring/profiles/usage.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'
import { remoteUsage } from './remote.ts'
import type { UsageGroup, UsageSource } from './usage-source.ts'

const PAGE_GROUPS = 1000

export function openSource(config: Config, terminal: Terminal, url: string | undefined): UsageSource {
  if (url !== undefined) return remoteUsage(url, terminal.env)
  if (!isUsageInFiles(config)) {
    throw new CommandError(
      'This is a node of a cluster: name one of its servers with --url to read the ledger of all nodes.',
    )
  }
  const stored = opened(config)
  const { ledger, userQuota } = stored

  async function* groups(filter: LedgerFilter, by: readonly LedgerPart[]): AsyncGenerator<UsageGroup> {
    let after: readonly string[] | undefined
    for (;;) {
      const page = await ledger.groups(filter, { by, limit: PAGE_GROUPS, ...(after === undefined ? {} : { after }) })
      for (const { key, totals } of page) {
        yield { key: Object.fromEntries(by.map((part, index) => [part, key[index] ?? ''])), ...totals }
      }
      after = page.at(-1)?.key
      if (page.length < PAGE_GROUPS) return
    }
  }

  return {
    groups,
    rows: (filter) => ledger.rows(filter),
    rowsOfTurn: (turnId) => ledger.ofTurn(turnId),
    quota: userQuota,
    [Symbol.dispose]: () => stored[Symbol.dispose](),
  }
}

function opened(config: Config): StoredUsage {
  try {
    return openStoredUsage(config)
  } catch (error) {
    throw error instanceof DataDirError ? new CommandError(error.message, { cause: error }) : error
  }
}
