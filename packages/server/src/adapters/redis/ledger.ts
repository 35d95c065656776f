// The books in Redis: a hash for each day, a field for each turn and attempt, added and never changed, kept for a
// hundred days. It serves fleets until a durable store stands behind the port: what Redis loses, the books lose.
import { isoTime } from '#lib/iso-time.ts'
import type { Clock } from '#ports/clock.ts'
import type { Ledger, LedgerFilter, LedgerRow } from '#ports/ledger.ts'
import type { Redis } from './connection.ts'
import { script } from './script.ts'

const DAY_MS = 24 * 3_600_000
const KEEP_DAYS = 100
const PAGE_ROWS = 500

/** KEYS: the day. ARGV from 3: fields and rows by turns. */
const RECORD = script(
  'ledger-record',
  `for index = 3, #ARGV, 2 do redis.call('HSETNX', KEYS[1], ARGV[index], ARGV[index + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** KEYS: the index of a turn. ARGV from 3: where its rows are. */
const INDEX = script(
  'ledger-index',
  `for index = 3, #ARGV do redis.call('SADD', KEYS[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

export function redisLedger({ redis, clock }: { readonly redis: Redis; readonly clock: Clock }): Ledger {
  const keepMs = KEEP_DAYS * DAY_MS

  async function* rowsOf(day: string): AsyncGenerator<LedgerRow> {
    const key = dayKey(day)
    // A hash that grows while it is read can show a field twice.
    const seen = new Set<string>()
    let cursor = '0'
    do {
      const page = await redis.command(key, 'HSCAN', key, cursor, 'COUNT', String(PAGE_ROWS))
      const [next, entries] = page as [string, string[]]
      cursor = next
      for (let index = 0; index < entries.length; index += 2) {
        const field = entries[index] ?? ''
        if (!seen.has(field)) yield JSON.parse(entries[index + 1] ?? '') as LedgerRow
        seen.add(field)
      }
    } while (cursor !== '0')
  }

  /** Every day that can still be there, in whatever time zone it was cut. */
  function keptDays(): readonly string[] {
    const first = clock.now() - (KEEP_DAYS + 1) * DAY_MS
    return Array.from({ length: KEEP_DAYS + 3 }, (_, index) => isoTime(first + index * DAY_MS).slice(0, 10))
  }

  return {
    async record(rows) {
      // The index first: one that leads to nothing is harmless, a row that nobody finds is not.
      const turns = Map.groupBy(rows, ({ turnId }) => turnId)
      const places = (own: readonly LedgerRow[]) => own.map((row) => `${row.day} ${fieldOf(row)}`)
      await Promise.all([...turns].map(([id, own]) => redis.run(INDEX, [turnKey(id)], [keepMs, ...places(own)])))
      const days = Map.groupBy(rows, ({ day }) => day)
      const entries = (own: readonly LedgerRow[]) => own.flatMap((row) => [fieldOf(row), JSON.stringify(row)])
      await Promise.all([...days].map(([day, own]) => redis.run(RECORD, [dayKey(day)], [keepMs, ...entries(own)])))
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
    async totals(filter) {
      const sum = { rows: 0, inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }
      for (const day of filter.day === undefined ? keptDays() : [filter.day]) {
        for await (const row of rowsOf(day)) {
          if (!matches(row, filter)) continue
          sum.rows += 1
          sum.inputTokens += row.inputTokens
          sum.outputTokens += row.outputTokens
          sum.costMicroUsd += row.costMicroUsd
        }
      }
      return sum
    },
  }
}

const dayKey = (day: string): string => `ma:{ledger:${encodeURIComponent(day)}}`
const turnKey = (turnId: string): string => `ma:{turn:${encodeURIComponent(turnId)}}:ledger`
const fieldOf = ({ turnId, attempt }: LedgerRow): string => `${turnId}/${attempt}`

function matches(row: LedgerRow, { model, principalId, sessionId }: LedgerFilter): boolean {
  return (
    (principalId ?? row.principalId) === row.principalId &&
    (sessionId ?? row.sessionId) === row.sessionId &&
    (model ?? row.model) === row.model
  )
}
