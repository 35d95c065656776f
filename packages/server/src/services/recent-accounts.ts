// The day accounts of users who were answered lately, by the ledger rows of their turns, in rounds. A round takes so many, and the next one
// continues after them; a round that fails is repeated. When all were taken, the next one begins a quarter of an hour before now,
// because rows may be written late. Turns that ended just now are left to the next round.
import { dayOf } from '#domain/budget/day.ts'
import type { Day } from '#domain/budget/day.ts'
import { isPseudonym } from '#domain/identity/pseudonym.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger, LedgerRow, RowPosition } from '#ports/ledger/port.ts'

export interface RecentAccountsParts {
  readonly clock: Pick<Clock, 'now'>
  readonly ledger: Pick<Ledger, 'page'>
  readonly timeZone: string
}

export interface Account {
  readonly principalId: string
  readonly tier: string
  readonly day: Day
}

export interface AccountsRound {
  readonly accounts: readonly Account[]
  /** How long ago the first turn was that this round did not reach; 0 if it reached all. */
  readonly behindMs: number
  /** The next round continues after this one. */
  done(): void
}

/** Where the rows of a day are read on. */
interface Scan {
  readonly day: Day
  readonly after: RowPosition
}

/** Longer than a settlement takes, with its repetitions after a short outage. */
export const SETTLING_MS = 120_000
const LATELY_MS = 900_000
const PAGE_ROWS = 500
const USERS_MAX = 50_000
/** A day that ended before that is given up: its accounts expire after 48 hours. */
const BEHIND_MAX_MS = 86_400_000
/** The user tier of ledger rows that have none. */
const TIER_UNKNOWN = 'free'

export class RecentAccounts {
  readonly #parts: RecentAccountsParts
  /** Scans that did not reach their end yet, by the key of the day. */
  readonly #unfinished = new Map<string, Scan>()

  constructor(parts: RecentAccountsParts) {
    this.#parts = parts
  }

  async next(usersMax = USERS_MAX): Promise<AccountsRound> {
    const accounts: Account[] = []
    const ends = new Map<string, Scan | undefined>()
    for (const scan of this.#begun()) {
      const { end, found } = await this.#read(scan, usersMax - accounts.length)
      for (const account of found) accounts.push(account)
      ends.set(scan.day.key, end)
    }
    const left = [...ends.values()].flatMap((end) => (end === undefined ? [] : [end.after.at]))
    return {
      accounts,
      behindMs: left.length === 0 ? 0 : this.#parts.clock.now() - Math.min(...left),
      done: () => {
        for (const [key, end] of ends)
          if (end === undefined) this.#unfinished.delete(key)
          else this.#unfinished.set(key, end)
      },
    }
  }

  /** The days that are read in this round: two around midnight, and those that earlier rounds have not ended. */
  #begun(): readonly Scan[] {
    const now = this.#parts.clock.now()
    const since = now - LATELY_MS
    for (const day of [since, now].map((time) => dayOf(time, this.#parts.timeZone))) {
      const after = { day: day.key, at: since, turnId: '', attempt: 0 }
      if (!this.#unfinished.has(day.key)) this.#unfinished.set(day.key, { day, after })
    }
    for (const { day } of this.#unfinished.values())
      if (day.endsAt < now - BEHIND_MAX_MS) this.#unfinished.delete(day.key)
    return [...this.#unfinished.values()].toSorted((a, b) => a.day.endsAt - b.day.endsAt)
  }

  async #read({ day, ...first }: Scan, usersMax: number): Promise<{ found: Iterable<Account>; end?: Scan }> {
    const { clock, ledger } = this.#parts
    const settledAt = clock.now() - SETTLING_MS
    const users = new Map<string, Account>()
    let { after } = first
    for (;;) {
      const rows: readonly LedgerRow[] = await ledger.page({ day: day.key }, PAGE_ROWS, after)
      for (const row of rows) {
        if (row.at > settledAt) return { found: users.values() }
        if (users.size >= usersMax) return { found: users.values(), end: { day, after } }
        const { principalId, userTier: tier = TIER_UNKNOWN } = row
        if (!isPseudonym(principalId)) users.set(principalId, { principalId, tier, day })
        after = row
      }
      if (rows.length < PAGE_ROWS) return { found: users.values() }
    }
  }
}
