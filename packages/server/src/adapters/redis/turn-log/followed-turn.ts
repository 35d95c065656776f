// A turn that another node owns and readers on this node follow: one subscription and one copy for all of them. It
// subscribes first, then reads the log, then applies messages by their `seq`; when a message may have been missed, it reads
// the log again from the last record.
import { orUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { LogBounds, LogRecord } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { TurnCopy } from './turn-copy.ts'
import { liveChannel } from './turn-store.ts'
import type { TurnStore } from './turn-store.ts'

/** How many reports may find no turn before its readers get an error: its owner may be about to write it again. */
const MISSING_MAX = 4
/** How long a message may arrive after its record is in the log. */
const MESSAGE_DELAY_MS = 250

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

  /** Undefined when the turn does not exist. */
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

  /** Ends the subscription. */
  stop(): void {
    this.#held.dispose()
  }

  /** Takes the number of records that the shared log has had; undefined when it does not know the turn. */
  reported(count: number | undefined): void {
    if (this.isStopped) return
    this.#missing = count === undefined ? this.#missing + 1 : 0
    if (this.#missing === MISSING_MAX)
      this.copy.dismiss(new RedisUnavailable(`the log of ${this.turnId} is no longer there`))
    const seq = (count ?? 0) - 1
    if (this.copy.lastSeq >= seq) return
    const check = () => {
      if (this.copy.lastSeq < seq) void this.#catchUp({ isGap: true })
    }
    this.#held.use(this.#parts.clock.after(MESSAGE_DELAY_MS, check))
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

  /** One read at a time; a request during a read causes another read after it. */
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
