// The turns of a replay, newest first: those of a server, those in DATA_DIR, or where none are recorded those that come with the
// program.
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import type { Config } from '#config/config.ts'
import { dayBegins, dayOf } from '#domain/budget/day.ts'
import type { RecordedTurn } from '#domain/routing/replay.ts'
import type { RecordsFilter } from '#ports/turn-records/port.ts'
import { readBundledTurns } from '#wiring/bundled-turns.ts'
import { areRecordsInFiles, openStoredRecords } from '#wiring/profiles/stored-records.ts'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'
import { adminApi } from '../server/admin-api.ts'

export type RecordsSource = 'server' | 'data folder' | 'bundled'

type AddTurn = (turn: RecordedTurn) => void

export interface RecordsAsked {
  readonly config: Config
  readonly terminal: Terminal
  /** Days of the store, both included. */
  readonly days: { readonly from?: string; readonly to?: string }
  /** The server whose records are read; absent: those of DATA_DIR. */
  readonly url: string | undefined
}

/** Calls `add` for each. Returns where they come from. */
export async function eachRecord(add: AddTurn, from: RecordsAsked): Promise<RecordsSource> {
  const { url } = from
  const count = url === undefined ? await storedRecords(add, from) : await remoteRecords(add, { ...from, url })
  if (count > 0) return url === undefined ? 'data folder' : 'server'
  for (const turn of await readBundledTurns()) add(turn)
  return 'bundled'
}

const PAGE_LIMIT = 1000

async function remoteRecords(add: AddTurn, { days, terminal, url }: RecordsAsked & { url: string }): Promise<number> {
  const api = adminApi(url, terminal.env)
  let [count, after] = [0, undefined as string | undefined]
  do {
    const page = await api.turnRecords({
      ...days,
      kind: 'chat',
      limit: PAGE_LIMIT,
      ...(after === undefined ? {} : { after }),
    })
    // The API has plain texts where we have names; an unknown one, of a newer server, is no rule of ours.
    for (const view of page.data) add(view as RecordedTurn)
    count += page.data.length
    after = page.next
  } while (after !== undefined)
  return count
}

async function storedRecords(add: AddTurn, { config, days }: RecordsAsked): Promise<number> {
  if (!areRecordsInFiles(config))
    throw new CommandError('The turn records are not in DATA_DIR: name one of the servers with --url to read them.')
  let count = 0
  try {
    using stored = openStoredRecords(config)
    if (stored === undefined) return 0
    for await (const record of stored.records.all(filterOf(days, config.store.timeZone))) {
      add(record)
      count += 1
    }
    return count
  } catch (error) {
    throw error instanceof DataDirError ? new CommandError(error.message, { cause: error }) : error
  }
}

function filterOf({ from, to }: RecordsAsked['days'], timeZone: string): RecordsFilter {
  const begins = (day: string) => dayBegins(day, timeZone) ?? 0
  return {
    kind: 'chat',
    ...(from === undefined ? {} : { from: begins(from) }),
    ...(to === undefined ? {} : { to: dayOf(begins(to), timeZone).endsAt }),
  }
}
