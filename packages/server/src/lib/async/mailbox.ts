// Items that arrive by themselves, read one at a time. It collects from the moment it is made until its signal
// aborts or its reader leaves; a reader that falls far behind loses the oldest, never memory.
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
