// The page's half of what the chat in a frame remembers: guest token, conversation, choices, draft. Browsers deny storage to a frame of another
// site or forget it early, so the page's own storage has the entries, under the names that the element without a frame uses. The frame reads and
// writes nothing else of the page: names, lengths and number are limited.
import { isKeptPlace, keptPlaces, textOf } from './frame-messages.ts'
import type { FrameMessage, KeptPlace } from './frame-messages.ts'

/** More than a draft of the longest message. */
const valueCharactersMax = 20_000
const entriesMax = 20

type KeptEntries = Readonly<Record<KeptPlace, Readonly<Record<string, string>>>>

export interface PageStorage {
  /** Everything of this server. */
  recall(): KeptEntries
  /** Obeys a `keep` of the frame. Returns a message for it when the page has removed the entry: the frame must not bring it back. */
  keep(message: FrameMessage): FrameMessage | undefined
  /** Calls back with a message for the frame when another tab has changed an entry. Returns a function that ends it. */
  follow(changed: (message: FrameMessage) => void): () => void
}

export function createPageStorage(server: string): PageStorage {
  const isOurs = (key: string): boolean =>
    key.startsWith('mangaassist') &&
    (key.endsWith(`:${server}`) || (key === 'mangaassist' && server === location.origin))

  /** The entries that the frame has a copy of. */
  const copied = new Set<string>()

  function entriesOf(place: KeptPlace): Record<string, string> {
    try {
      const all = Object.entries(window[place]) as [string, string][]
      return Object.fromEntries(all.filter(([key]) => isOurs(key)))
    } catch {
      return {}
    }
  }

  return {
    recall() {
      const kept = { localStorage: entriesOf('localStorage'), sessionStorage: entriesOf('sessionStorage') }
      for (const place of keptPlaces) for (const key of Object.keys(kept[place])) copied.add(`${place} ${key}`)
      return kept
    },
    keep({ place, key, value }) {
      if (!isKeptPlace(place) || typeof key !== 'string' || !isOurs(key)) return undefined
      const text = textOf(value, valueCharactersMax)
      const entries = entriesOf(place)
      const wasCopied = copied.delete(`${place} ${key}`)
      if (wasCopied && text !== undefined && !(key in entries)) return { type: 'stored', place, key, value: null }
      if (text !== undefined && !(key in entries) && Object.keys(entries).length >= entriesMax) return undefined
      try {
        if (value === null) window[place].removeItem(key)
        if (text === undefined) return undefined
        window[place].setItem(key, text)
        copied.add(`${place} ${key}`)
      } catch {
        // A page without storage: the chat remembers until the next reload, so the shopper sees no error.
      }
      return undefined
    },
    follow(changed) {
      const stored = ({ key, newValue, storageArea }: StorageEvent): void => {
        const place = keptPlaces.find((one) => isStorage(one, storageArea))
        if (key !== null && isOurs(key) && place !== undefined) changed({ type: 'stored', place, key, value: newValue })
      }
      window.addEventListener('storage', stored)
      return () => window.removeEventListener('storage', stored)
    },
  }
}

function isStorage(place: KeptPlace, area: Storage | null): boolean {
  try {
    return window[place] === area
  } catch {
    return false
  }
}
