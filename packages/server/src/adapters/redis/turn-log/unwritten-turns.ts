// Ended turns whose conversation or ledger rows wait in the memory of their owner: one sorted set by the time of the note, by the
// clock of Redis. It is written only while another store is unavailable, so one slot can hold them all.
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

export interface UnwrittenTurnsOptions {
  readonly redis: Redis
  /** How long a log is stored after its end: a note is of no use for longer. */
  readonly keepMs: number
}

const KEY = 'ma:{unwritten}'

/** 2 keepMs, 3 the turn. Notes whose logs have expired are removed with it, so that the set stays bounded. */
const NOTE = script(
  'unwritten.note',
  `redis.call('ZADD', KEYS[1], 'NX', now, ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
)

/** 2 olderThanMs, 3 the limit. */
const NOTED = script(
  'unwritten.noted',
  `return redis.call('ZRANGE', KEYS[1], '-inf', now - ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3])`,
)

export class UnwrittenTurns {
  readonly #redis: Redis
  readonly #keepMs: number

  constructor({ redis, keepMs }: UnwrittenTurnsOptions) {
    this.#redis = redis
    this.#keepMs = keepMs
  }

  async note(turnId: string): Promise<void> {
    await this.#redis.run(NOTE, [KEY], [this.#keepMs, turnId])
  }

  async noted(olderThanMs: number, limit: number): Promise<readonly string[]> {
    const turnIds = (await this.#redis.run(NOTED, [KEY], [olderThanMs, limit])) as readonly unknown[]
    return turnIds.map(String)
  }

  async remove(turnId: string): Promise<void> {
    await this.#redis.command(KEY, 'ZREM', KEY, turnId)
  }
}
