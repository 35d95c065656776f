// The frame's side of the shared storage. `localStorage` and `sessionStorage` of the frame are replaced by copies of
// the page's entries, and every change is sent to the page, so the panel uses them as it does without a frame. No other
// program uses the document of the frame.
import { isKeptPlace, isRecord, keptPlaces } from './frame-messages.ts'
import type { FrameMessage, KeptPlace } from './frame-messages.ts'

/** Call it before the chat starts. Returns the receiver of what other tabs change. */
export function usePageStorage(kept: unknown, send: (message: FrameMessage) => void): (message: FrameMessage) => void {
  // The script on the page is pinned to a version that keeps nothing: the frame's own storage is used, if there is one.
  if (!isRecord(kept)) return () => {}
  const copies = new Map<KeptPlace, Map<string, string>>()
  for (const place of keptPlaces) {
    const entries = new Map(Object.entries(isRecord(kept[place]) ? kept[place] : {}).filter(isText))
    copies.set(place, entries)
    const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
      getItem: (key) => entries.get(key) ?? null,
      setItem(key, value) {
        entries.set(key, value)
        send({ type: 'keep', place, key, value })
      },
      removeItem(key) {
        entries.delete(key)
        send({ type: 'keep', place, key, value: null })
      },
    }
    Object.defineProperty(window, place, { configurable: true, value: storage })
  }
  return ({ place, key, value }) => {
    if (!isKeptPlace(place) || typeof key !== 'string') return
    if (typeof value === 'string') copies.get(place)?.set(key, value)
    else copies.get(place)?.delete(key)
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}
