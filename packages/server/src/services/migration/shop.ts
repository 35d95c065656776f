// The parts of a move that belong to the shop: the ledger, the spending of open days, what operators have set, and what the token
// counters have learned.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { addRow, NO_TOTALS } from '#domain/ledger/ledger-row.ts'
import { inGroups } from '#lib/collections/in-groups.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AdminStore, AuditEntry } from '#ports/admin-store/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Ledger, LedgerRow, LedgerTotals } from '#ports/ledger/port.ts'
import type { AdminImport } from '#ports/migration/imports.ts'
import type { Spending } from '#ports/migration/shop-source.ts'
import type { SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Part, PartOptions } from './part.ts'

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 100
/** A ledger writes the rows of a group by many calls at once. */
const GROUPS_AT_ONCE = 2
const DAYS_AT_ONCE = 1000
const LINES_AT_ONCE = 200
/** The index of a durable ledger follows its rows within about a second. */
const INDEX_PAUSES_MS = [500, 1000, 2000, 4000]

export interface LedgerTarget {
  readonly ledger: Pick<Ledger, 'record' | 'rows' | 'page'>
  /** How many days the store keeps; absent: all. */
  readonly keptDays?: number
}

export async function ledgerPart(options: PartOptions<LedgerTarget>, clock: Clock): Promise<Part> {
  const { source, store, target } = options
  const { keptDays } = target
  const from = keptDays === undefined ? '' : isoTime(clock.now() - keptDays * DAY_MS).slice(0, 10)
  const [all, kept] = await Promise.all([source.ledger.totals({}), source.ledger.totals({ from })])
  const older = all.rows - kept.rows
  return {
    name: 'ledger rows',
    store,
    total: kept.rows,
    ...(older === 0 ? {} : { left: `${older} rows of days before ${from}: ${store} keeps ${keptDays} days` }),
    hasData: async () => (await target.ledger.page({}, 1)).length > 0,
    move: (each) =>
      each(
        inGroups(source.ledger.rows({ from }), ROWS_AT_ONCE),
        async (rows) => {
          await target.ledger.record(rows)
          return rows.length
        },
        GROUPS_AT_ONCE,
      ),
    verify: (each, differs) =>
      each(daysOf(source.ledger, from), async (day) => {
        const own = await summed(source.ledger.rows({ day }))
        let found = await summed(target.ledger.rows({ day }))
        for (const pauseMs of INDEX_PAUSES_MS) {
          if (found.totals.rows >= own.totals.rows) break
          await clock.sleep(pauseMs)
          found = await summed(target.ledger.rows({ day }))
        }
        if (!isDeepStrictEqual(found, own))
          differs(`${day}: ${described(own.totals)}, moved ${described(found.totals)}`)
        return own.totals.rows
      }),
  }
}

async function* daysOf(ledger: Pick<Ledger, 'groups'>, from: string): AsyncGenerator<string> {
  let after: readonly string[] | undefined
  for (;;) {
    const place = after === undefined ? {} : { after }
    const groups = await ledger.groups({ from }, { by: ['day'], limit: DAYS_AT_ONCE, ...place })
    for (const { key } of groups) yield key[0] ?? ''
    if (groups.length < DAYS_AT_ONCE) return
    after = groups.at(-1)?.key
  }
}

/** The totals of rows and a digest of all their fields; their order does not matter, because stores break ties differently. */
async function summed(rows: AsyncIterable<LedgerRow>): Promise<{ totals: LedgerTotals; digest: bigint }> {
  let [totals, digest] = [NO_TOTALS, 0n]
  for await (const row of rows) {
    totals = addRow(totals, row)
    digest ^= createHash('sha256').update(inFixedOrder(row)).digest().readBigUInt64LE()
  }
  return { totals, digest }
}

function inFixedOrder(row: LedgerRow): string {
  return JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

const described = ({ costMicroUsd, rows }: LedgerTotals) => `${rows} rows and ${costMicroUsd} micro-dollars`

export function spendingPart({ source, store, target }: PartOptions<SpendChunks>): Part {
  return {
    name: 'spending of open days',
    store,
    total: [...source.spending()].length,
    move: (each) => each(source.spending(), (spending) => setSpending(target, spending)),
    verify: (each, differs) =>
      each(source.spending(), async ({ account, takenMicroUsd }) => {
        const taken = await target.taken({ ...account, limitMicroUsd: 0 })
        if (taken !== takenMicroUsd) differs(`${account.name} ${account.day.key}: ${takenMicroUsd}, moved ${taken}`)
      }),
  }
}

/** Up to the highest amount and back, so that no step is reported again. A run that ended in between is completed. */
async function setSpending(target: SpendChunks, { account, highestMicroUsd, takenMicroUsd }: Spending): Promise<void> {
  const own = { ...account, limitMicroUsd: 0 }
  const before = await target.taken(own)
  if (before === takenMicroUsd && before > 0) return
  if (before === 0 && highestMicroUsd > 0) await target.charge(own, highestMicroUsd, 'migration')
  const after = await target.taken(own)
  if (after > takenMicroUsd) await target.giveBack(own, after - takenMicroUsd, 'migration back')
}

export interface AdminTarget {
  readonly imports: AdminImport
  readonly admin: Pick<AdminStore, 'overrides' | 'audit'>
}

export function settingsPart({ counts, source, store, target }: PartOptions<AdminTarget>): Part {
  const { auditLinesMax = Number.MAX_SAFE_INTEGER } = target.imports
  const older = Math.max(0, counts.auditLines - auditLinesMax)

  async function* lines(): AsyncGenerator<readonly AuditEntry[]> {
    const [newest] = await source.admin.audit({ limit: 1 })
    const last = newest?.number ?? 0
    for (let after = Math.max(0, last - auditLinesMax); after < last; after += LINES_AT_ONCE) {
      const found = await source.admin.audit({ limit: LINES_AT_ONCE, below: after + LINES_AT_ONCE + 1 })
      yield found.filter(({ number }) => number > after).toReversed()
    }
  }

  return {
    name: 'settings of operators and audit lines',
    store,
    total: counts.auditLines - older,
    ...(older === 0 ? {} : { left: `the oldest ${older} lines of the audit: ${store} keeps ${auditLinesMax}` }),
    async move(each) {
      const settings = await source.admin.overrides()
      if (settings !== undefined) await target.imports.addSettings(settings)
      // One page after the other: the numbers of the lines rise.
      for await (const page of lines())
        await each([page], async (entries) => {
          await target.imports.addAudit(entries)
          return entries.length
        })
    },
    async verify(each, differs) {
      const [own, found] = await Promise.all([source.admin.overrides(), target.admin.overrides()])
      if (!isDeepStrictEqual(found, own)) differs('overrides or states of experiments')
      await each(lines(), async (entries) => {
        const below = (entries.at(-1)?.number ?? 0) + 1
        const moved = await target.admin.audit({ limit: entries.length, below })
        if (!isDeepStrictEqual(moved.toReversed(), entries)) differs(`audit lines from ${entries[0]?.number}`)
        return entries.length
      })
    },
  }
}

export function calibrationsPart({ counts, source, store, target }: PartOptions<EstimatorStore>): Part {
  return {
    name: 'calibrations of token counters',
    store,
    total: counts.calibrations,
    move: (each) =>
      each(source.calibrations(), async ({ key, calibration }) => {
        if ((await target.load(key)) === undefined) await target.merge(key, calibration)
      }),
    verify: (each, differs) =>
      each(source.calibrations(), async ({ key, calibration }) => {
        if (!isDeepStrictEqual(await target.load(key), calibration)) differs(key)
      }),
  }
}
