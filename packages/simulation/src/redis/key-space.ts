// The keys of an in-memory Redis: each holds one value of one type until it expires by the world's clock. A list, hash or
// sorted set that becomes empty is removed by the command that emptied it.
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { CommandRefused } from './reply.ts'
import { SortedSet } from './sorted-set.ts'

export type Hash = Map<string, string>
export type List = string[]
type Value = string | Hash | List | SortedSet

interface Entry {
  readonly value: Value
  expiresAt: number
}

const NEVER = Number.POSITIVE_INFINITY

export class KeySpace {
  readonly #clock: Pick<Clock, 'now'>
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  string(key: string): string | undefined {
    const value = this.#find(key)?.value
    if (value === undefined || typeof value === 'string') return value
    throw wrongType()
  }

  hash(key: string): Hash | undefined {
    const value = this.#find(key)?.value
    if (value === undefined || value instanceof Map) return value
    throw wrongType()
  }

  list(key: string): List | undefined {
    const value = this.#find(key)?.value
    if (value === undefined || Array.isArray(value)) return value
    throw wrongType()
  }

  sortedSet(key: string): SortedSet | undefined {
    const value = this.#find(key)?.value
    if (value === undefined || value instanceof SortedSet) return value
    throw wrongType()
  }

  /** Replaces the value of the key, without an expiry. */
  put<Kind extends Value>(key: string, value: Kind): Kind {
    this.#entries.set(key, { value, expiresAt: NEVER })
    return value
  }

  delete(key: string): boolean {
    return this.#find(key) !== undefined && this.#entries.delete(key)
  }

  deleteWhere(passes: (key: string) => boolean): void {
    for (const key of this.#entries.keys()) if (passes(key)) this.#entries.delete(key)
  }

  /** Returns false when the key does not exist. */
  expire(key: string, forMs: number): boolean {
    const entry = this.#find(key)
    if (entry === undefined) return false
    if (forMs <= 0) this.#entries.delete(key)
    else entry.expiresAt = this.#clock.now() + forMs
    return true
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#clock.now() <= entry.expiresAt) return entry
    this.#entries.delete(key)
    return undefined
  }
}

function wrongType(): CommandRefused {
  return new CommandRefused('WRONGTYPE Operation against a key holding the wrong kind of value')
}
