// An index of when leases lapse and which turns have ended, sharded so that no slot holds them all. It is only a hint: an
// entry may be earlier than the true lapse, never later, and the turn itself decides. Any number of nodes may scan it at
// once.
import { orUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import type { Script } from '../client/script.ts'
import type { TurnStore } from './turn-store.ts'

const SHARDS = 16
/** Candidates of one shard in one scan: those still leased are postponed, so the next scan sees others. */
const CANDIDATES_MAX = 32
/** Much shorter than the rest of a renewed lease. */
const POSTPONE_AFTER_MS = 1000
/** After an outage owners renew their leases first: no turns are taken over during this time. */
const OWNERS_FIRST_MS = 6000
/** This many failed scans in a row count as an outage in which leases may have lapsed; a single one may be a lost call. */
const OUTAGE_SCANS = 2
/** `unpack` in Lua has a limit. */
const POSTPONED_AT_ONCE_MAX = 500
/**
 * A lost call is tried once more at once: a turn that is not in the index is found only by its readers, and a scan of all
 * shards would often lack one.
 */
const TRIES_MAX = 2
const DAY_MS = 86_400_000

/** 2 expiry of the shard, 3 the turn, 4 leaseMs. Returns the lapse that is stored now. */
const ADD = script(
  'lease-index.add',
  `redis.call('ZADD', KEYS[1], 'LT', now + ARGV[4], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return tonumber(redis.call('ZSCORE', KEYS[1], ARGV[3]))`,
)

/**
 * 2 expiry of the shard, then pairs of a lapse and its turn. Never moves an entry to an earlier time; adds missing ones.
 */
const POSTPONE = script(
  'lease-index.postpone',
  `redis.call('ZADD', KEYS[1], 'GT', unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** 2 the limit. */
const LAPSED = script(
  'lease-index.lapsed',
  `return redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])`,
)

/** On a slot of its own: a node listens to one channel, not to one for each shard. */
const RELEASED = 'ma:{leases}:released'

/** 2 expiry of the shard, 3 the turn. */
const END = script(
  'lease-index.end',
  `redis.call('ZREM', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[2], now, ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1`,
)

export interface LeaseIndexOptions {
  readonly redis: Redis
  readonly store: TurnStore
  readonly clock: Clock
  readonly keepMs: number
}

export class LeaseIndex implements Disposable {
  readonly #redis: Redis
  readonly #store: TurnStore
  readonly #clock: Clock
  readonly #keepMs: number
  /**
   * Renewed leases, written together with one command for each shard: otherwise each scan would check every running turn.
   */
  readonly #postponed = new Map<string, number>()
  #timer: Disposable | undefined
  /** Failed scans in a row. */
  #failures = 0
  #ownersFirstUntil = 0

  constructor({ redis, store, clock, keepMs }: LeaseIndexOptions) {
    this.#redis = redis
    this.#store = store
    this.#clock = clock
    this.#keepMs = keepMs + DAY_MS
  }

  /** Returns the lapse that the index has now, which may be an earlier one. */
  async add(turnId: string, leaseMs: number): Promise<number> {
    // A pending postponement of an earlier lease could be later than this one.
    this.#postponed.delete(turnId)
    return Number(await this.#run(ADD, shardOf(turnId), [this.#keepMs, turnId, leaseMs]))
  }

  /** A turn whose lease has ended: the other nodes need not wait for their next scan. */
  async released(turnId: string): Promise<void> {
    await this.add(turnId, 0)
    await this.#redis.command(RELEASED, 'SPUBLISH', RELEASED, turnId)
  }

  /** Calls `listener` after a turn was released. */
  onReleased(listener: () => void): Disposable {
    return this.#redis.subscribe(RELEASED, listener)
  }

  /** Records a renewed lease. If this is lost, a scan notices. */
  postpone(turnId: string, until: number): void {
    this.#postponed.set(turnId, until)
    this.#timer ??= this.#clock.after(POSTPONE_AFTER_MS, () => this.#writePostponed())
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]()
  }

  async end(turnId: string): Promise<void> {
    this.#postponed.delete(turnId)
    const shard = shardOf(turnId)
    await this.#redis.run(END, [leasesKey(shard), endedKey(shard)], [this.#keepMs, turnId])
  }

  /** Turns whose lease has lapsed, oldest first; none for a moment after an outage. */
  async orphans(limit: number): Promise<readonly string[]> {
    const orphans = await this.#lapsed(limit).catch((error: unknown) => {
      if (error instanceof RedisUnavailable) this.#failures += 1
      throw error
    })
    const now = this.#clock.now()
    if (this.#failures >= OUTAGE_SCANS) this.#ownersFirstUntil = now + OWNERS_FIRST_MS
    this.#failures = 0
    return now < this.#ownersFirstUntil ? [] : orphans
  }

  async #lapsed(limit: number): Promise<readonly string[]> {
    const candidates = await inShards((shard) => this.#run(LAPSED, shard, [CANDIDATES_MAX]))
    const checked = await Promise.all(candidates.map((turnId) => this.#check(String(turnId))))
    const orphans = checked.filter((orphan) => orphan !== undefined).sort((a, b) => a.until - b.until)
    return orphans.slice(0, limit).map(({ turnId }) => turnId)
  }

  /** Removes turns that ended before; returns how many, including those that had expired by themselves. */
  async sweep(endedBefore: number, limit: number): Promise<number> {
    const range = ['-inf', `(${endedBefore}`, 'BYSCORE', 'LIMIT', '0', String(limit)]
    const ended = await inShards((shard) => this.#redis.command(endedKey(shard), 'ZRANGE', endedKey(shard), ...range))
    const forgotten = await Promise.all(
      ended.slice(0, limit).map((turnId) => this.#forget(String(turnId), endedBefore)),
    )
    return forgotten.filter(Boolean).length
  }

  async #run(script: Script, shard: number, args: readonly (string | number)[]): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#redis.run(script, [leasesKey(shard)], args)
      } catch (error) {
        if (!(error instanceof RedisUnavailable) || tries === TRIES_MAX) throw error
      }
    }
  }

  #writePostponed(): void {
    this.#timer = undefined
    const shards = Map.groupBy(this.#postponed, ([turnId]) => leasesKey(shardOf(turnId)))
    this.#postponed.clear()
    for (const [key, turns] of shards) {
      for (let from = 0; from < turns.length; from += POSTPONED_AT_ONCE_MAX) {
        const some = turns.slice(from, from + POSTPONED_AT_ONCE_MAX)
        const scores = some.flatMap(([turnId, until]) => [until, turnId])
        void orUnavailable(() => this.#redis.run(POSTPONE, [key], [this.#keepMs, ...scores]))
      }
    }
  }

  async #check(turnId: string): Promise<{ readonly turnId: string; readonly until: number } | undefined> {
    const lease = await this.#store.leaseOf(turnId)
    if (lease?.isLapsed === true) return { turnId, until: lease.until }
    const key = leasesKey(shardOf(turnId))
    // If this is lost, the next scan finds the entry again.
    if (lease === undefined) await orUnavailable(() => this.#redis.command(key, 'ZREM', key, turnId))
    else await orUnavailable(() => this.#redis.command(key, 'ZADD', key, 'XX', String(lease.until), turnId))
    return undefined
  }

  async #forget(turnId: string, endedBefore: number): Promise<boolean> {
    const result = await this.#store.forget(turnId, endedBefore)
    const key = endedKey(shardOf(turnId))
    if (result === 'stays') return false
    await this.#redis.command(key, 'ZREM', key, turnId)
    return true
  }
}

async function inShards(ask: (shard: number) => Promise<unknown>): Promise<readonly unknown[]> {
  const answers = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => ask(shard)))
  return answers.flat()
}

function shardOf(turnId: string): number {
  let sum = 0
  for (const character of turnId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return sum % SHARDS
}

function leasesKey(shard: number): string {
  return `ma:{leases:${shard}}`
}

function endedKey(shard: number): string {
  return `ma:{leases:${shard}}:ended`
}
