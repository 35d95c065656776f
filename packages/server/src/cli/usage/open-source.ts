// The source of `usage`: the database in this machine's DATA_DIR, or the admin API of a running server, which has the
// ledger of the whole cluster.
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import type { Config } from '#config/config.ts'
import { eachGroup } from '#ports/ledger/each-group.ts'
import { isUsageInFiles, openStoredUsage } from '#wiring/profiles/usage.ts'
import type { StoredUsage } from '#wiring/profiles/usage.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'
import { remoteUsage } from './remote.ts'
import type { UsageSource } from './usage-source.ts'

export function openSource(config: Config, terminal: Terminal, url: string | undefined): UsageSource {
  if (url !== undefined) return remoteUsage(url, terminal.env)
  if (!isUsageInFiles(config)) {
    throw new CommandError(
      'This is a node of a cluster: name one of its servers with --url to read the ledger of all nodes.',
    )
  }
  const stored = opened(config)
  const { ledger, userQuota } = stored

  return {
    groups: (filter, by) => eachGroup(ledger, filter, by),
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
