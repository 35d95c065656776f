// The ledger in Redis: for each day a hash with a field for each turn and attempt, added and never changed, and an index by
// time, stored for a hundred days. It serves a cluster until a durable store implements the port: what Redis loses, the
// ledger loses, and a query for one shopper reads whole days.
import { addRow, GroupedTotals, matchesFilter, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger, LedgerFilter, LedgerRow, RowPosition } from '#ports/ledger/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

const DAY_MS = 24 * 3_600_000
const KEEP_DAYS = 100
const PAGE_ROWS = 500
/** Times with the same number of digits sort as text as they do as numbers. */
const MOMENT_DIGITS = 15

/**
 * KEYS: the day, its order, who spent. ARGV from 3: fields, positions, rows, principals and whether they spent, in turn.
 */
const RECORD = script(
  'ledger-record',
  `for index = 3, #ARGV, 5 do
  local isNew = redis.call('HSETNX', KEYS[1], ARGV[index], ARGV[index + 2])
  if isNew == 1 then redis.call('ZADD', KEYS[2], 0, ARGV[index + 1]) end
  if ARGV[index + 4] == '1' then redis.call('SADD', KEYS[3], ARGV[index + 3]) end
end
for index = 1, 3 do redis.call('PEXPIRE', KEYS[index], ARGV[2]) end
return 1`,
)

/**
 * KEYS: the day, who spent. ARGV: the principal, the pseudonym; from 4 fields and rows in turn. Changes only rows that
 * still exist as they were read.
 */
const RENAME = script(
  'ledger-rename',
  `if redis.call('SREM', KEYS[2], ARGV[2]) == 1 then redis.call('SADD', KEYS[2], ARGV[3]) end
for index = 4, #ARGV, 2 do
  local row = redis.call('HGET', KEYS[1], ARGV[index])
  if row and cjson.decode(row).principalId == ARGV[2] then redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
end
return 1`,
)

/** KEYS: the index of a turn. ARGV from 3: the positions of its rows. */
const INDEX = script(
  'ledger-index',
  `for index = 3, #ARGV do redis.call('SADD', KEYS[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

export function redisLedger({ redis, clock }: { readonly redis: Redis; readonly clock: Clock }): Ledger {
  const keepMs = KEEP_DAYS * DAY_MS

  /** The rows of a day in order, from after a position. */
  async function* rowsOf(day: string, after?: RowPosition): AsyncGenerator<LedgerRow> {
    const [key, order] = [dayKey(day), orderKey(day)]
    const read = async (limit: number, last: string | undefined): Promise<readonly string[]> => {
      const from = last === undefined ? '-' : `(${last}`
      const bounds = [from, '+', 'BYLEX', 'LIMIT', '0', String(limit)]
      return (await redis.command(order, 'ZRANGE', order, ...bounds)) as readonly string[]
    }
    let last = after === undefined ? undefined : placeOf(after)
    for (;;) {
      const places = await read(PAGE_ROWS, last)
      if (places.length === 0) return
      const fields = places.map((place) => place.slice(MOMENT_DIGITS + 1))
      const found = (await redis.command(key, 'HMGET', key, ...fields)) as readonly (string | null)[]
      // The day may have expired in between.
      for (const row of found) if (row !== null) yield JSON.parse(row) as LedgerRow
      last = places.at(-1)
    }
  }

  async function* matching(filter: LedgerFilter, after?: RowPosition): AsyncGenerator<LedgerRow> {
    for (const day of daysOf(filter)) {
      if (after !== undefined && day < after.day) continue
      const rows = rowsOf(day, day === after?.day ? after : undefined)
      for await (const row of rows) if (matchesFilter(row, filter)) yield row
    }
  }

  function daysOf({ day, from = '', to = '9999' }: LedgerFilter): readonly string[] {
    const days = day === undefined ? keptDays() : [day]
    return days.filter((one) => from <= one && one <= to)
  }

  /** Every day that may still be stored, in any time zone. */
  function keptDays(): readonly string[] {
    const first = clock.now() - (KEEP_DAYS + 1) * DAY_MS
    return Array.from({ length: KEEP_DAYS + 3 }, (_, index) => isoTime(first + index * DAY_MS).slice(0, 10))
  }

  async function page(filter: LedgerFilter, limit: number, after?: RowPosition): Promise<readonly LedgerRow[]> {
    const rows: LedgerRow[] = []
    for await (const row of matching(filter, after)) {
      rows.push(row)
      if (rows.length === limit) break
    }
    return rows
  }

  return {
    async record(rows) {
      // The index first: an entry without a row does no harm, a row without an entry could not be found.
      const turns = Map.groupBy(rows, ({ turnId }) => turnId)
      const places = (own: readonly LedgerRow[]) => own.map((row) => `${row.day} ${fieldOf(row)}`)
      await Promise.all([...turns].map(([id, own]) => redis.run(INDEX, [turnKey(id)], [keepMs, ...places(own)])))
      const days = Map.groupBy(rows, ({ day }) => day)
      const entries = (own: readonly LedgerRow[]) =>
        own.flatMap((row) => [fieldOf(row), placeOf(row), JSON.stringify(row), row.principalId, isSpent(row) ? 1 : 0])
      await Promise.all(
        [...days].map(([day, own]) =>
          redis.run(RECORD, [dayKey(day), orderKey(day), spentKey(day)], [keepMs, ...entries(own)]),
        ),
      )
    },
    async ofTurn(turnId) {
      const places = (await redis.command(turnKey(turnId), 'SMEMBERS', turnKey(turnId))) as readonly string[]
      const found = await Promise.all(
        places.map((place) => {
          const space = place.indexOf(' ')
          const key = dayKey(place.slice(0, space))
          return redis.command(key, 'HGET', key, place.slice(space + 1))
        }),
      )
      const rows = found.flatMap((row) => (typeof row === 'string' ? [JSON.parse(row) as LedgerRow] : []))
      return rows.sort((a, b) => a.attempt - b.attempt)
    },
    async hasSpent(principalId, day) {
      return (await redis.command(spentKey(day), 'SISMEMBER', spentKey(day), principalId)) === 1
    },
    async totals(filter) {
      let sum = NO_TOTALS
      for await (const row of matching(filter)) sum = addRow(sum, row)
      return sum
    },
    async groups(filter, asked) {
      const groups = new GroupedTotals(asked)
      for await (const row of matching(filter)) groups.add(row)
      return groups.page()
    },
    async rename(of, pseudonym) {
      const own: LedgerRow[] = []
      for await (const row of matching(of)) own.push(row)
      const days = Map.groupBy(own, ({ day }) => day)
      for (const [day, rows] of days) {
        for (let at = 0; at < rows.length; at += PAGE_ROWS) {
          const page = rows.slice(at, at + PAGE_ROWS)
          const entries = page.flatMap((row) => [fieldOf(row), JSON.stringify({ ...row, principalId: pseudonym })])
          await redis.run(RENAME, [dayKey(day), spentKey(day)], [of.principalId, pseudonym, ...entries])
        }
      }
      return own.length
    },
    page,
    rows: (filter) => eachOfPages<LedgerRow>(PAGE_ROWS, (limit, after) => page(filter, limit, after)),
  }
}

const dayKey = (day: string): string => `ma:{ledger:${encodeURIComponent(day)}}`
const orderKey = (day: string): string => `${dayKey(day)}:order`
const spentKey = (day: string): string => `${dayKey(day)}:spent`
const isSpent = (row: LedgerRow): boolean => row.costMicroUsd + row.inputTokens + row.outputTokens > 0
const turnKey = (turnId: string): string => `ma:{turn:${encodeURIComponent(turnId)}}:ledger`
const fieldOf = ({ turnId, attempt }: RowPosition): string => `${turnId}/${attempt}`
const placeOf = (row: RowPosition): string => `${String(row.at).padStart(MOMENT_DIGITS, '0')} ${fieldOf(row)}`
