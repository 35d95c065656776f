// A binary min-heap, used as the queue of a scheduler.

export class Heap<Item> {
  readonly #items: Item[] = []
  readonly #before: (a: Item, b: Item) => boolean

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item): void {
    const items = this.#items
    let index = items.length
    items.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#before(item, items[parent]!)) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = item
  }

  pop(): Item | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (top === undefined || last === undefined || items.length === 0) return top
    let index = 0
    while (true) {
      const left = 2 * index + 1
      if (left >= items.length) break
      const right = left + 1
      const least = right < items.length && this.#before(items[right]!, items[left]!) ? right : left
      if (!this.#before(items[least]!, last)) break
      items[index] = items[least]!
      index = least
    }
    items[index] = last
    return top
  }
}
