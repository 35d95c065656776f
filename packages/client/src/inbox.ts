// A queue between callbacks and one asynchronous reader: items that arrive while the reader does not wait stay in
// order.

export interface Inbox<Item> {
  readonly push: (item: Item) => void
  readonly next: () => Promise<Item>
}

export function createInbox<Item>(): Inbox<Item> {
  const items: Item[] = []
  let wake = (): void => {}
  return {
    push(item) {
      items.push(item)
      wake()
    },
    async next() {
      while (items.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return items.shift() as Item
    },
  }
}
