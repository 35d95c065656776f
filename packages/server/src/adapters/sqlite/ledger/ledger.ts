// The ledger in SQLite: rows are added and never changed. Statements are built from names of columns only, never from
// values.
import { KEY_PREFIX, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import type { LedgerPart } from '#domain/ledger/ledger-row.ts'
import { eachOfPages } from '#lib/collections/each-of-pages.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger, LedgerFilter, LedgerRow, LedgerTotals, RowPosition } from '#ports/ledger/port.ts'
import type { Database } from '../files/database.ts'

/** The column of each field of a row; those of the estimate come last. */
const COLUMNS = {
  turnId: 'turn_id',
  attempt: 'attempt',
  principalId: 'principal_id',
  sessionId: 'session_id',
  day: 'day',
  at: 'at',
  model: 'model',
  tier: 'tier',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  estimated: 'estimated',
  costMicroUsd: 'cost_micro_usd',
  outcome: 'outcome',
  userTier: 'user_tier',
  cacheReadTokens: 'cache_read_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  overage: 'overage',
  prompt: 'prompt',
  lostOwner: 'lost_owner',
  tag: 'tag',
} as const satisfies Readonly<Record<Exclude<keyof LedgerRow, 'estimate'>, string>>
const ESTIMATE_PARTS = ['system', 'retrieval', 'history', 'message', 'total'] as const
const FIELDS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const NAMES = [...Object.values(COLUMNS), ...ESTIMATE_PARTS.map((part) => `estimate_${part}`)]
const INSERT = `INSERT INTO ledger (${NAMES.join(', ')}) VALUES (${NAMES.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`
const SUMS = `count(*) AS rows, total(input_tokens) AS inputTokens, total(cache_read_tokens) AS cacheReadTokens,
  total(cache_write_tokens) AS cacheWriteTokens, total(output_tokens) AS outputTokens,
  total(cost_micro_usd) AS costMicroUsd, total(estimated) AS estimatedRows, total(overage) AS overageRows`
const FILTERS = {
  principalId: 'principal_id =',
  sessionId: 'session_id =',
  model: 'model =',
  tier: 'tier =',
  outcome: 'outcome =',
  tag: 'tag =',
  day: 'day =',
  from: 'day >=',
  to: 'day <=',
} as const satisfies Readonly<Record<keyof LedgerFilter, string>>
/** The value of each part of a group, as `LEDGER_PARTS` defines it. */
const PARTS = {
  day: 'day',
  user: 'principal_id',
  key: `iif(substr(principal_id, 1, ${KEY_PREFIX.length}) = '${KEY_PREFIX}', principal_id, '')`,
  session: 'session_id',
  model: 'model',
  tier: 'tier',
  outcome: 'outcome',
  tag: "coalesce(tag, '')",
} as const satisfies Readonly<Record<LedgerPart, string>>
const PAGE_ROWS = 500

type Row = Record<string, unknown>
type Given = string | number

export interface SqliteLedgerOptions {
  readonly database: Pick<Database, 'statement' | 'write'>
  readonly clock: Clock
}

export function sqliteLedger({ clock, database }: SqliteLedgerOptions): Ledger {
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))

  async function page(filter: LedgerFilter, limit: number, after?: RowPosition): Promise<readonly LedgerRow[]> {
    const place = after === undefined ? [] : [after.day, after.at, after.turnId, after.attempt]
    const behind = after === undefined ? [] : ['(day, at, turn_id, attempt) > (?, ?, ?, ?)']
    const { where, given } = conditions(filter, behind)
    const select = `SELECT * FROM ledger${where} ORDER BY day, at, turn_id, attempt LIMIT ?`
    return database
      .statement(select)
      .all(...given, ...place, limit)
      .map(toRow)
  }

  return {
    async record(rows) {
      if (rows.length === 0) return
      await database.write(() => {
        for (const row of rows) database.statement(INSERT).run(...values(row))
      })
    },
    async ofTurn(turnId) {
      return database.statement('SELECT * FROM ledger WHERE turn_id = ? ORDER BY attempt').all(turnId).map(toRow)
    },
    async hasSpent(principalId, day) {
      const some = `SELECT 1 FROM ledger WHERE principal_id = ? AND day = ?
        AND input_tokens + output_tokens + cost_micro_usd > 0 LIMIT 1`
      return database.statement(some).get(principalId, day) !== undefined
    },
    async totals(filter) {
      const { where, given } = conditions(filter)
      return toTotals(database.statement(`SELECT ${SUMS} FROM ledger${where}`).get(...given) ?? {})
    },
    async groups(filter, { by, limit, after, costMicroUsdMin = 0 }) {
      const values = by.map((part) => PARTS[part])
      const list = values.join(', ')
      const behind = after === undefined ? [] : [`(${list}) > (${values.map(() => '?').join(', ')})`]
      const { where, given } = conditions(filter, behind)
      const named = values.map((value, index) => `${value} AS part${index}`).join(', ')
      const select = `SELECT ${named}, ${SUMS} FROM ledger${where} GROUP BY ${list}
        HAVING total(cost_micro_usd) >= ? ORDER BY ${list} LIMIT ?`
      const rows: Row[] = database.statement(select).all(...given, ...(after ?? []), costMicroUsdMin, limit)
      return rows.map((row) => ({ key: by.map((_, index) => String(row[`part${index}`])), totals: toTotals(row) }))
    },
    rename: ({ principalId, to = '9999' }, pseudonym) =>
      database.write(() => {
        const rename = 'UPDATE ledger SET principal_id = ? WHERE principal_id = ? AND day <= ?'
        return Number(database.statement(rename).run(pseudonym, principalId, to).changes)
      }),
    page,
    rows: (filter) => eachOfPages<LedgerRow>(PAGE_ROWS, (limit, after) => page(filter, limit, after), pause),
  }
}

function conditions(
  filter: LedgerFilter,
  more: readonly string[] = [],
): { readonly where: string; readonly given: readonly string[] } {
  const named = (Object.keys(FILTERS) as (keyof LedgerFilter)[]).filter((key) => filter[key] !== undefined)
  const all = [...named.map((key) => `${FILTERS[key]} ?`), ...more]
  return {
    where: all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`,
    given: named.map((key) => filter[key] ?? ''),
  }
}

function toTotals(row: Row): LedgerTotals {
  const entries = Object.keys(NO_TOTALS).map((name) => [name, Number(row[name] ?? 0)])
  return Object.fromEntries(entries) as LedgerTotals
}

function values(row: LedgerRow): (Given | null)[] {
  const own = FIELDS.map((field) => {
    const value = row[field]
    return typeof value === 'boolean' ? Number(value) : (value ?? null)
  })
  return [...own, ...ESTIMATE_PARTS.map((part) => row.estimate?.[part] ?? null)]
}

/** A field that was not reported is absent, never zero. */
function toRow(row: Row): LedgerRow {
  const reported = FIELDS.filter((field) => row[COLUMNS[field]] !== null)
  const { estimated, overage, ...rest } = Object.fromEntries(reported.map((field) => [field, row[COLUMNS[field]]]))
  const estimate = Object.fromEntries(ESTIMATE_PARTS.map((part) => [part, row[`estimate_${part}`]]))
  return {
    ...rest,
    estimated: estimated === 1,
    ...(overage === 1 ? { overage: true } : {}),
    ...(row['estimate_total'] === null ? {} : { estimate }),
  } as unknown as LedgerRow
}
