// A node's leased part of the shared rates: tokens are leased ahead in chunks, sized by recent use, so that a request costs
// no round trip. A request takes all that it needs or nothing; a request that is refused later returns its tokens, so a
// refusal costs the others nothing.
import { Refusal } from '#domain/refusal.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RateBucket, RateChunks } from '#ports/rate-chunks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LeasedRatesParts {
  readonly chunks: RateChunks
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
}

export interface RateTaking {
  /** Returns everything, once. */
  undo(): void
}

/** A chunk is sized to last about `AHEAD_MS`; after `KEEP_MS` the unused tokens are returned. */
const AHEAD_MS = 250
const KEEP_MS = 500
const CHUNK_MIN = 8
/** A node leases at most this share of a burst at once. */
const CHUNK_SHARE = 1 / 8
/** After a bucket was found empty, it is not asked again for at most this long. */
const DRY_MAX_MS = 100
/** The retry time when the store of the rates does not answer. */
const UNAVAILABLE_RETRY_MS = 1000
/** How many chunks a request waits for while other requests take the tokens: more than a burst has. */
const TRIES_MAX = 32

export class LeasedRates<Name extends string> {
  readonly #buckets: Readonly<Record<Name, LeasedBucket>>
  readonly #random: Random

  constructor(parts: LeasedRatesParts, buckets: Readonly<Record<Name, Omit<RateBucket, 'name'>>>) {
    const names = Object.keys(buckets) as Name[]
    const leased = names.map((name) => [name, new LeasedBucket(parts, { name, ...buckets[name] })] as const)
    this.#buckets = Object.fromEntries(leased) as Record<Name, LeasedBucket>
    this.#random = parts.random
  }

  /** Takes one token of each bucket, or throws a Refusal that names the first bucket without one. */
  async take(...names: readonly Name[]): Promise<RateTaking> {
    const leases: Lease[] = []
    const undo = () => {
      for (const lease of leases.splice(0)) lease.left += 1
    }
    for (const name of names) {
      const taken = await this.#buckets[name].take()
      if ('left' in taken) leases.push(taken)
      else {
        undo()
        // Jittered, or all refused requests return at the same moment.
        const retryAfterMs = Math.ceil(taken.retryAfterMs * (1 + this.#random.float()))
        throw new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: name } })
      }
    }
    return { undo }
  }
}

interface Lease {
  readonly operation: string
  readonly until: number
  left: number
}

/** The node's tokens of one bucket. */
class LeasedBucket {
  readonly #parts: LeasedRatesParts
  readonly #bucket: RateBucket
  readonly #chunkMin: number
  readonly #chunkMax: number
  /** Oldest first; a few at most. */
  #leases: Lease[] = []
  #filling: Promise<void> | undefined
  #waiting = 0
  #taken = 0
  #sizedAt: number
  #size = 0
  #dry = { until: 0, retryAfterMs: 0 }

  constructor(parts: LeasedRatesParts, bucket: RateBucket) {
    this.#parts = parts
    this.#bucket = bucket
    this.#chunkMin = Math.max(1, Math.min(CHUNK_MIN, Math.floor(bucket.burst / 100)))
    this.#chunkMax = Math.max(this.#chunkMin, Math.ceil(bucket.burst * CHUNK_SHARE))
    this.#sizedAt = parts.clock.now()
  }

  async take(): Promise<Lease | { readonly retryAfterMs: number }> {
    const inHand = this.#takeNow()
    if (inHand !== undefined) return inHand
    this.#waiting += 1
    try {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const now = this.#parts.clock.now()
        if (now < this.#dry.until) break
        await this.#fill()
        const lease = this.#takeNow()
        if (lease !== undefined) return lease
      }
    } finally {
      this.#waiting -= 1
    }
    this.#parts.telemetry.count('rate_refused_total', { bucket: this.#bucket.name })
    return { retryAfterMs: Math.max(1, this.#dry.retryAfterMs) }
  }

  #takeNow(): Lease | undefined {
    const now = this.#parts.clock.now()
    this.#returnExpired(now)
    const lease = this.#leases.find(({ left }) => left > 0)
    if (lease === undefined) return undefined
    lease.left -= 1
    this.#taken += 1
    const left = this.#leases.reduce((sum, one) => sum + one.left, 0)
    // Leased before it is needed, so that no request waits for it.
    if (left < this.#size / 2 && now >= this.#dry.until) void this.#fill()
    return lease
  }

  #returnExpired(now: number): void {
    const { chunks, telemetry } = this.#parts
    while ((this.#leases[0]?.until ?? Number.POSITIVE_INFINITY) <= now) {
      const { left, operation } = this.#leases.shift() as Lease
      if (left === 0) continue
      // Tokens whose return is lost refill by themselves.
      chunks.giveBack(this.#bucket, left, operation).catch(() => telemetry.count('rate_return_failed_total'))
    }
  }

  /** One chunk at a time, for all waiting requests. */
  #fill(): Promise<void> {
    this.#filling ??= this.#lease().finally(() => (this.#filling = undefined))
    return this.#filling
  }

  async #lease(): Promise<void> {
    const { random, chunks, clock, telemetry } = this.#parts
    const operation = random.id('chunk')
    this.#size = this.#nextSize(clock.now())
    try {
      const { granted, retryAfterMs } = await chunks.lease(this.#bucket, this.#size, operation)
      const now = clock.now()
      if (granted > 0) this.#leases.push({ operation, left: granted, until: now + KEEP_MS })
      else this.#dry = { until: now + Math.min(retryAfterMs, DRY_MAX_MS), retryAfterMs }
    } catch (error) {
      telemetry.log('warn', 'rate.unavailable', { bucket: this.#bucket.name }, error)
      this.#dry = { until: clock.now() + DRY_MAX_MS, retryAfterMs: UNAVAILABLE_RETRY_MS }
    }
  }

  #nextSize(now: number): number {
    const perMs = this.#taken / Math.max(1, now - this.#sizedAt)
    this.#taken = 0
    this.#sizedAt = now
    const wanted = Math.max(Math.ceil(perMs * AHEAD_MS), this.#waiting)
    return Math.min(Math.max(wanted, this.#chunkMin), this.#chunkMax)
  }
}
