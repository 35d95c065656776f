// A turn that others on this node read while another node owns it: one subscription and one copy for all of them. First
// the subscription, then the log, then messages by their `seq`; whenever one may have been missed, the log is read again
// from the last record on.
import { orUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { LogBounds, LogRecord } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { TurnCopy } from './turn-copy.ts'
import { liveChannel } from './turn-store.ts'
import type { TurnStore } from './turn-store.ts'

/** Reports that found no turn, before its readers are told: its owner may be about to write it anew. */
const MISSING_MAX = 4
/** A message that the log is already ahead of may still be on its way. */
const ON_ITS_WAY_MS = 250

export interface FollowedTurnParts {
  readonly redis: Redis
  readonly store: TurnStore
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly bounds: LogBounds
}

export class FollowedTurn {
  readonly turnId: string
  readonly copy: TurnCopy
  readonly #parts: FollowedTurnParts
  readonly #held = new DisposableStack()
  #isReading = false
  #isToReadAgain = false
  #missing = 0

  private constructor(parts: FollowedTurnParts, turnId: string, copy: TurnCopy) {
    this.#parts = parts
    this.turnId = turnId
    this.copy = copy
  }

  /** Undefined when there is no such turn. */
  static async of(parts: FollowedTurnParts, turnId: string): Promise<FollowedTurn | undefined> {
    const shared = await parts.store.read(turnId, -1)
    if (shared === undefined) return undefined
    const turn = new FollowedTurn(parts, turnId, new TurnCopy(shared.records, parts.bounds))
    if (turn.copy.isEnded) return turn
    try {
      await turn.#begin()
    } catch (error) {
      turn.stop()
      throw error
    }
    return turn
  }

  get isStopped(): boolean {
    return this.#held.disposed
  }

  /** No more is heard of the turn. */
  stop(): void {
    this.#held.dispose()
  }

  /** The shared log was asked how many records it has had; undefined when it does not know the turn. */
  reported(count: number | undefined): void {
    if (this.isStopped) return
    this.#missing = count === undefined ? this.#missing + 1 : 0
    if (this.#missing === MISSING_MAX)
      this.copy.dismiss(new RedisUnavailable(`the log of ${this.turnId} is no longer there`))
    const seq = (count ?? 0) - 1
    if (this.copy.lastSeq >= seq) return
    const look = () => {
      if (this.copy.lastSeq < seq) void this.#catchUp({ isGap: true })
    }
    this.#held.use(this.#parts.clock.after(ON_ITS_WAY_MS, look))
  }

  async #begin(): Promise<void> {
    const { redis, store } = this.#parts
    this.#held.use(redis.onGap(() => void this.#catchUp({ isGap: false })))
    const subscription = this.#held.use(redis.subscribe(liveChannel(this.turnId), (message) => this.#hear(message)))
    await subscription.ready
    const rest = await store.read(this.turnId, this.copy.lastSeq)
    this.copy.add(rest?.records ?? [])
  }

  #hear(message: string): void {
    if (this.isStopped) return
    if (!this.copy.add(JSON.parse(message) as LogRecord[])) void this.#catchUp({ isGap: true })
    if (this.copy.isEnded) this.stop()
  }

  /** One reading at a time; a wish for one that comes meanwhile is for another after it. */
  async #catchUp({ isGap }: { readonly isGap: boolean }): Promise<void> {
    if (isGap) this.#parts.telemetry.count('turn_log_gap_total')
    this.#isToReadAgain = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isToReadAgain && !this.isStopped) {
      this.#isToReadAgain = false
      await orUnavailable(async () => {
        const shared = await this.#parts.store.read(this.turnId, this.copy.lastSeq)
        this.copy.add(shared?.records ?? [])
      })
    }
    this.#isReading = false
    if (this.copy.isEnded) this.stop()
  }
}
