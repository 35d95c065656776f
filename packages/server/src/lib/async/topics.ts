// Publish and subscribe within this process: an item reaches every subscriber that its topic has at that moment.
import { Mailbox } from './mailbox.ts'

/** Far more items than one topic gets before a healthy reader reads again. */
const UNREAD_ITEMS_MAX = 64

export class Topics<Item> {
  readonly #subscribers = new Map<string, Set<Mailbox<Item>>>()

  publish(topic: string, item: Item): void {
    for (const mailbox of this.#subscribers.get(topic) ?? []) mailbox.put(item)
  }

  /** Collects items from this call on, not from the first read, so that none is lost in between. */
  subscribe(topic: string, signal: AbortSignal): AsyncIterable<Item> {
    const mailbox = new Mailbox<Item>(UNREAD_ITEMS_MAX)
    if (signal.aborted) return mailbox.read(signal)
    const mailboxes = this.#subscribers.get(topic) ?? new Set()
    this.#subscribers.set(topic, mailboxes.add(mailbox))
    const leave = () => {
      signal.removeEventListener('abort', leave)
      mailboxes.delete(mailbox)
      if (mailboxes.size === 0 && this.#subscribers.get(topic) === mailboxes) this.#subscribers.delete(topic)
    }
    signal.addEventListener('abort', leave, { once: true })
    return reading(mailbox, signal, leave)
  }
}

async function* reading<Item>(mailbox: Mailbox<Item>, signal: AbortSignal, leave: () => void): AsyncGenerator<Item> {
  try {
    yield* mailbox.read(signal)
  } finally {
    leave()
  }
}
