// Which turns' leases lapse when, and which turns have ended: sharded, so that no slot holds them all. It is only a hint:
// a score may be earlier than the true lapse, never later, and the turn itself says what is so. Any number of nodes may
// scan it at once.
import { orUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import type { TurnStore } from './turn-store.ts'

const SHARDS = 16
/** Of one shard, at one scan: those that are still leased go back into line, so the next scan sees others. */
const CANDIDATES_MAX = 32
/** Well within what a renewed lease has left. */
const POSTPONE_AFTER_MS = 1000
/** After Redis was away owners come back and renew what they still have: nobody else's turns are taken meanwhile. */
const OWNERS_FIRST_MS = 6000
/** So many scans in a row that fail are an outage in which leases may have lapsed; one can be a lost call. */
const AWAY_SCANS = 2
/** A script's `unpack` has its bounds. */
const POSTPONED_AT_ONCE_MAX = 500
/** A turn that is not in the index is found by its readers alone: what was late is told once more at once. */
const ADD_TRIES_MAX = 2
const DAY_MS = 86_400_000

/** 2 how long the shard is kept, 3 the turn, 4 leaseMs. Answers the lapse it now knows. */
const ADD = script(
  'lease-index.add',
  `redis.call('ZADD', KEYS[1], 'LT', now + ARGV[4], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return tonumber(redis.call('ZSCORE', KEYS[1], ARGV[3]))`,
)

/** 2 how long the shard is kept, then a lapse and its turn, and so on. Never to an earlier lapse; what is missing is added. */
const POSTPONE = script(
  'lease-index.postpone',
  `redis.call('ZADD', KEYS[1], 'GT', unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** 2 how many. */
const LAPSED = script(
  'lease-index.lapsed',
  `return redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])`,
)

/** 2 how long the shard is kept, 3 the turn. */
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
  /** Renewed leases, told together, a command a shard: otherwise each scan would have to look at every running turn. */
  readonly #postponed = new Map<string, number>()
  #timer: Disposable | undefined
  /** Scans in a row that Redis did not answer. */
  #failures = 0
  #ownersFirstUntil = 0

  constructor({ redis, store, clock, keepMs }: LeaseIndexOptions) {
    this.#redis = redis
    this.#store = store
    this.#clock = clock
    this.#keepMs = keepMs + DAY_MS
  }

  /** Answers the lapse that the index now knows of, which may be an earlier one. */
  async add(turnId: string, leaseMs: number): Promise<number> {
    // What is yet to be told of an earlier lease could be later than this one.
    this.#postponed.delete(turnId)
    for (let tries = 1; ; tries += 1) {
      try {
        return Number(await this.#redis.run(ADD, [leasesKey(shardOf(turnId))], [this.#keepMs, turnId, leaseMs]))
      } catch (error) {
        if (!(error instanceof RedisUnavailable) || tries === ADD_TRIES_MAX) throw error
      }
    }
  }

  /** A lease was renewed. Should this not be told, a scan finds out. */
  postpone(turnId: string, until: number): void {
    this.#postponed.set(turnId, until)
    this.#timer ??= this.#clock.after(POSTPONE_AFTER_MS, () => this.#tell())
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]()
  }

  async end(turnId: string): Promise<void> {
    this.#postponed.delete(turnId)
    const shard = shardOf(turnId)
    await this.#redis.run(END, [leasesKey(shard), endedKey(shard)], [this.#keepMs, turnId])
  }

  /** Turns whose lease has lapsed, oldest lapse first; none for a moment after Redis was away. */
  async orphans(limit: number): Promise<readonly string[]> {
    const orphans = await this.#lapsed(limit).catch((error: unknown) => {
      if (error instanceof RedisUnavailable) this.#failures += 1
      throw error
    })
    const now = this.#clock.now()
    if (this.#failures >= AWAY_SCANS) this.#ownersFirstUntil = now + OWNERS_FIRST_MS
    this.#failures = 0
    return now < this.#ownersFirstUntil ? [] : orphans
  }

  async #lapsed(limit: number): Promise<readonly string[]> {
    const candidates = await inShards((shard) => this.#redis.run(LAPSED, [leasesKey(shard)], [CANDIDATES_MAX]))
    const checked = await Promise.all(candidates.map((turnId) => this.#check(String(turnId))))
    const orphans = checked.filter((orphan) => orphan !== undefined).sort((a, b) => a.until - b.until)
    return orphans.slice(0, limit).map(({ turnId }) => turnId)
  }

  /** Forgets turns that ended before; answers how many it removed, those that had expired by themselves included. */
  async sweep(endedBefore: number, limit: number): Promise<number> {
    const range = ['-inf', `(${endedBefore}`, 'BYSCORE', 'LIMIT', '0', String(limit)]
    const ended = await inShards((shard) => this.#redis.command(endedKey(shard), 'ZRANGE', endedKey(shard), ...range))
    const forgotten = await Promise.all(
      ended.slice(0, limit).map((turnId) => this.#forget(String(turnId), endedBefore)),
    )
    return forgotten.filter(Boolean).length
  }

  #tell(): void {
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
    if (lease === undefined) await this.#redis.command(key, 'ZREM', key, turnId)
    else await this.#redis.command(key, 'ZADD', key, 'XX', String(lease.until), turnId)
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
