// Records that wait for the collector: bounded by number and size, sent in batches, one batch at a time. Adding returns at
// once and never throws; when the collector is slow or unavailable the newest records are dropped and counted.
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { BatchSettings } from './settings.ts'

/** Estimated size of the records that wait. */
const QUEUE_BYTES_MAX = 8 * 1024 * 1024
const NEVER = new AbortController().signal

export type DropReason = 'queue' | 'bytes' | 'failed' | 'closing'

export interface BatchQueueParts<Item> {
  readonly clock: Pick<Clock, 'after'>
  readonly settings: BatchSettings
  /** Resolves with how many of them the collector refused; rejects when it did not take the batch. */
  readonly send: (items: readonly Item[]) => Promise<number>
  readonly sizeOf: (item: Item) => number
  readonly onSent: (items: number) => void
  readonly onDropped: (reason: DropReason, items: number) => void
  /** After each batch; `error` is why it was not taken. */
  readonly onBatch: (error: unknown, waiting: number) => void
}

export class BatchQueue<Item> {
  readonly #parts: BatchQueueParts<Item>
  #items: Item[] = []
  #bytes = 0
  #timer: Disposable | undefined
  #sending: Promise<void> | undefined
  #isClosed = false

  constructor(parts: BatchQueueParts<Item>) {
    this.#parts = parts
  }

  get waiting(): number {
    return this.#items.length
  }

  add(item: Item): void {
    const { onDropped, settings, sizeOf } = this.#parts
    if (this.#isClosed) return onDropped('closing', 1)
    if (this.#items.length >= settings.queueMax) return onDropped('queue', 1)
    const size = sizeOf(item)
    if (this.#bytes + size > QUEUE_BYTES_MAX) return onDropped('bytes', 1)
    this.#items.push(item)
    this.#bytes += size
    this.#arm()
  }

  /** Sends what waits now. */
  async flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    while (this.#items.length > 0 || this.#sending !== undefined) await (this.#sending ?? this.#sendBatch())
  }

  /** Sends what waits, for at most `ms`; the rest is dropped. */
  async close(ms: number): Promise<void> {
    this.#isClosed = true
    const end = await withDeadline(this.#parts.clock, { ms, signal: NEVER }, () => this.flush())
    if (end !== LATE) return
    const { length } = this.#items
    this.#items = []
    if (length > 0) this.#parts.onDropped('closing', length)
  }

  /** A full batch is sent soon, but not within the turn that filled it. */
  #arm(): void {
    if (this.#sending !== undefined || this.#isClosed) return
    const { batchMax, delayMs } = this.#parts.settings
    const isFull = this.#items.length >= batchMax
    if (this.#timer !== undefined && !(isFull && this.#items.length === batchMax)) return
    this.#timer?.[Symbol.dispose]()
    this.#timer = this.#parts.clock.after(isFull ? 0 : delayMs, () => {
      this.#timer = undefined
      void this.#sendBatch()
    })
  }

  #sendBatch(): Promise<void> {
    this.#sending ??= this.#exchange().finally(() => {
      this.#sending = undefined
      if (this.#items.length > 0) this.#arm()
    })
    return this.#sending
  }

  async #exchange(): Promise<void> {
    const { onBatch, onDropped, onSent, send, settings, sizeOf } = this.#parts
    const batch = this.#items.splice(0, settings.batchMax)
    for (const item of batch) this.#bytes -= sizeOf(item)
    if (this.#items.length === 0) this.#bytes = 0
    try {
      const refused = Math.min(batch.length, await send(batch))
      onSent(batch.length - refused)
      if (refused > 0) onDropped('failed', refused)
      onBatch(undefined, this.#items.length)
    } catch (error) {
      onDropped('failed', batch.length)
      onBatch(error, this.#items.length)
    }
  }
}
