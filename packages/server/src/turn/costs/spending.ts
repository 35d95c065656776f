// What a node may spend at vendors in the shop's day: money is leased ahead in chunks and reserved before a call, so that
// all nodes together never exceed the day's ceilings. Beyond a ceiling no vendor is asked. Leased money can be spent while
// the store of the accounts is unavailable; a reservation that is lost with its turn counts as spent.
import type { Config } from '#config/config.ts'
import type { Day } from '#domain/budget/day.ts'
import type { CeilingReached, Spend } from '#domain/budget/spend.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SpendAccount, SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface SpendingParts {
  readonly chunks: SpendChunks
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'budgets'>
}

export interface Spending {
  /**
   * Reserves the most that a call can cost, before it is made. Returns the ceiling that has no room for it. Never rejects.
   */
  reserve(spend: Spend): Promise<CeilingReached | undefined>
  /** Raises a reservation to `microUsd` in all; false where there is no room. Never rejects. */
  raise(spend: Spend): Promise<boolean>
  /**
   * Takes the real cost of a turn or call: the rest of its reservation is free again. Without a reservation here, all of it
   * is charged.
   */
  settle(spend: Spend): void
  /** Drops a reservation that was not settled: it counts as spent. */
  abandon(id: string): void
  /** Returns all leased money. */
  close(): Promise<void>
}

/** A value this large means no ceiling. */
const UNLIMITED = Number.MAX_SAFE_INTEGER
/** A chunk is at most this share of the ceiling, and of what is left of it: chunks become smaller towards its end. */
const CHUNK_OF_LIMIT = 1 / 64
const CHUNK_OF_LEFT = 1 / 16
/** How many chunks a call waits for when others take the money. */
const TRIES_MAX = 8
/** How long an exhausted account is not asked again. */
const DRY_MS = 1000

/** The node's leased money of one account. */
class LeasedMoney {
  readonly account: SpendAccount
  readonly #parts: SpendingParts
  #microUsd = 0
  #left: number
  #dryUntil = 0
  #filling: Promise<void> | undefined

  constructor(parts: SpendingParts, account: SpendAccount) {
    this.#parts = parts
    this.account = account
    this.#left = account.limitMicroUsd
  }

  async take(microUsd: number): Promise<boolean> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (this.#microUsd >= microUsd) {
        this.#microUsd -= microUsd
        return true
      }
      if (this.#parts.clock.now() < this.#dryUntil && this.#left < microUsd) return false
      this.#filling ??= this.#fill(microUsd).finally(() => (this.#filling = undefined))
      await this.#filling
    }
    return false
  }

  putBack(microUsd: number): void {
    this.#microUsd += microUsd
  }

  /** Spending without a reservation: from leased money, or else counted at once. */
  spend(microUsd: number): void {
    const own = Math.min(microUsd, this.#microUsd)
    this.#microUsd -= own
    if (microUsd > own) void this.#charge(microUsd - own)
  }

  async close(): Promise<void> {
    const rest = this.#microUsd
    this.#microUsd = 0
    if (rest <= 0) return
    const { random, chunks, telemetry } = this.#parts
    await chunks
      .giveBack(this.account, rest, random.id('spend'))
      .catch((error: unknown) => telemetry.log('warn', 'spending.return-failed', { microUsd: rest }, error))
  }

  async #charge(microUsd: number): Promise<void> {
    const { random, chunks, telemetry } = this.#parts
    try {
      await chunks.charge(this.account, microUsd, random.id('spend'))
    } catch (error) {
      telemetry.log('warn', 'spending.charge-failed', { account: this.account.name, microUsd }, error)
    }
  }

  async #fill(needed: number): Promise<void> {
    const { random, chunks, clock, telemetry } = this.#parts
    const { limitMicroUsd, name } = this.account
    const least = needed - this.#microUsd
    const chunk = Math.floor(Math.min(limitMicroUsd * CHUNK_OF_LIMIT, this.#left * CHUNK_OF_LEFT))
    try {
      const answer = await chunks.lease(this.account, { least, most: Math.max(least, chunk) }, random.id('spend'))
      this.#microUsd += answer.grantedMicroUsd
      this.#left = answer.leftMicroUsd
      if (answer.grantedMicroUsd === 0) this.#dryUntil = clock.now() + DRY_MS
      if (answer.reached === undefined) return
      telemetry.count('alarm_store_spend_total', { account: name, percent: answer.reached })
      const fields = { account: name, percent: answer.reached, day: this.account.day.key, limitMicroUsd }
      telemetry.log(answer.reached === 100 ? 'error' : 'warn', 'alarm.store-spend', fields)
    } catch (error) {
      telemetry.log('warn', 'spending.unavailable', { account: name }, error)
      this.#left = 0
      this.#dryUntil = clock.now() + DRY_MS
    }
  }
}

interface Reservation {
  readonly leases: readonly LeasedMoney[]
  readonly microUsd: number
}

export function createSpending(parts: SpendingParts): Spending {
  const { budgets } = parts.config
  const leases = new Map<string, LeasedMoney>()
  const reservations = new Map<string, Reservation>()

  function handOf(name: SpendAccount['name'], day: Day, limitMicroUsd: number): readonly LeasedMoney[] {
    if (limitMicroUsd >= UNLIMITED) return []
    const key = `${day.key} ${name}`
    const lease = leases.get(key) ?? new LeasedMoney(parts, { name, day, limitMicroUsd })
    leases.set(key, lease)
    for (const [old, { account }] of leases) if (account.day.endsAt < day.endsAt) dropDay(old)
    return [lease]
  }

  /** Drops a day that has ended: turns that began in it still settle there, and the rest is not needed. */
  function dropDay(key: string): void {
    const lease = leases.get(key)
    leases.delete(key)
    void lease?.close()
  }

  /** The guests' account first, because it is the smaller. */
  function leasesFor({ spender, day }: Spend): readonly LeasedMoney[] {
    const guests = spender === 'guest' ? handOf('guests', day, budgets.guestsMicroUsdPerDay) : []
    return [...guests, ...handOf('store', day, budgets.storeMicroUsdPerDay)]
  }

  async function take(from: readonly LeasedMoney[], microUsd: number): Promise<CeilingReached | undefined> {
    for (const [index, lease] of from.entries()) {
      if (await lease.take(microUsd)) continue
      for (const taken of from.slice(0, index)) taken.putBack(microUsd)
      parts.telemetry.count('spending_refused_total', { account: lease.account.name })
      return lease.account.name === 'guests' ? 'guests-budget' : 'store-budget'
    }
    return undefined
  }

  async function reserve(spend: Spend): Promise<CeilingReached | undefined> {
    const from = leasesFor(spend)
    if (spend.microUsd <= 0 || from.length === 0) return undefined
    const reached = await take(from, spend.microUsd)
    if (reached === undefined) reservations.set(spend.id, { leases: from, microUsd: spend.microUsd })
    return reached
  }

  return {
    reserve,
    async raise(spend) {
      const before = reservations.get(spend.id)
      if (before === undefined) return (await reserve(spend)) === undefined
      const more = spend.microUsd - before.microUsd
      if (more <= 0) return true
      if ((await take(before.leases, more)) !== undefined) return false
      reservations.set(spend.id, { ...before, microUsd: spend.microUsd })
      return true
    },
    settle(spend) {
      const before = reservations.get(spend.id)
      reservations.delete(spend.id)
      const rest = (before?.microUsd ?? 0) - spend.microUsd
      for (const lease of before?.leases ?? leasesFor(spend)) {
        if (rest >= 0) lease.putBack(rest)
        else lease.spend(-rest)
      }
    },
    abandon: (id) => void reservations.delete(id),
    async close() {
      await Promise.all(leases.values().map((lease) => lease.close()))
    },
  }
}
