// A bounded buffer between a publisher and one reader. It collects items from its creation until the signal aborts or
// the reader stops; a slow reader loses the oldest items, so that the buffer cannot grow.
import { Bell } from './bell.ts'

export class Mailbox<Item> {
  readonly #items: Item[] = []
  readonly #bell = new Bell()
  readonly #itemsMax: number

  constructor(itemsMax: number) {
    this.#itemsMax = itemsMax
  }

  put(item: Item): void {
    if (this.#items.length === this.#itemsMax) this.#items.shift()
    this.#items.push(item)
    this.#bell.ring()
  }

  async *read(signal: AbortSignal): AsyncGenerator<Item> {
    using _ = this.#bell.ringOnAbort(signal)
    while (!signal.aborted) {
      const item = this.#items.shift()
      if (item === undefined) await this.#bell.nextRing()
      else yield item
    }
  }
}
