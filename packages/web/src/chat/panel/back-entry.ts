// On a phone the open panel is an entry of the browser's history: Back closes the panel and not the site, and Back from a page that
// a link in the panel opened leads to the open panel again. The page's own state is kept in the entry.
import { isFramed } from '../../page-origin.ts'

export interface BackEntry {
  /** The panel covers the page now, or no longer does. `byLink`: a link closed it, and its page follows. */
  opened(): void
  closed(byLink: boolean): void
  release(): void
}

const key = 'mangaAssistOpen'

export function createBackEntry(on: { readonly back: () => void; readonly forward: () => void }): BackEntry {
  let isOpen = false
  const changed = (): void => {
    const isEntry = isOurs()
    if (isEntry === isOpen) return
    isOpen = isEntry
    if (isEntry) on.forward()
    else on.back()
  }
  window.addEventListener('popstate', changed)
  return {
    opened() {
      isOpen = true
      if (isOurs() || isFramed()) return
      try {
        history.pushState({ ...(history.state as object | null), [key]: true }, '')
      } catch {
        // A browser refuses too many entries in a short time: then Back leaves the page, as without this.
      }
    },
    closed(byLink) {
      isOpen = false
      if (!byLink && isOurs()) history.back()
    },
    release: () => window.removeEventListener('popstate', changed),
  }
}

function isOurs(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && key in state
}
