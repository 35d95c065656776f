// Remembers a few values across reloads, in `localStorage`. A browser may refuse storage (private windows, policies):
// then nothing is remembered.
import type { Language } from '@mangaassist/protocol'
import type { Layout } from './chat/panel/layout.ts'

export interface Remembered {
  /** Set only when the reader chose a language; else the page decides. */
  readonly language?: Language
  /** When the reader chose it in the chat: other tabs follow a choice, and not the address of a page. */
  readonly languageChosenAtMs?: number
  readonly sessionId?: string
  /** Identifies the guest to a server on another site, whose cookie the browser blocks. */
  readonly guestToken?: string
  /** How the panel lies on the page. Set only when the reader chose it. */
  readonly layout?: Layout
  /** When conversations were last deleted in this browser: other tabs may show one of them. */
  readonly deletedAtMs?: number
}

export interface Memory {
  recall(): Remembered
  /** `undefined` forgets a field. */
  remember(change: { readonly [Field in keyof Remembered]: Remembered[Field] | undefined }): void
}

export interface SharedMemory extends Memory {
  /** Calls back when another tab has remembered something. Returns a function that ends it. */
  follow(changed: (now: Remembered) => void): () => void
}

/** Each server has its own entry: a page may later be pointed to another server. */
export function createMemory(server: string, pageOrigin: string): SharedMemory {
  const key = server === pageOrigin ? 'mangaassist' : `mangaassist:${server}`

  function recall(): Remembered {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
      return typeof stored === 'object' && stored !== null ? stored : {}
    } catch {
      return {}
    }
  }

  return {
    recall,
    remember(change) {
      try {
        localStorage.setItem(key, JSON.stringify({ ...recall(), ...change }))
      } catch {
        // Without storage the chat works until the next reload, so the shopper sees no error.
      }
    },
    follow(changed) {
      const stored = (event: StorageEvent): void => {
        if (event.key === key) changed(recall())
      }
      window.addEventListener('storage', stored)
      return () => window.removeEventListener('storage', stored)
    },
  }
}

/** Whether the panel is open in this tab, so that a reload leaves it as it was. */
export interface TabMemory {
  wasOpen(): boolean
  setOpen(isOpen: boolean): void
}

export function createTabMemory(server: string): TabMemory {
  const key = `mangaassist-open:${server}`
  return {
    wasOpen() {
      try {
        return sessionStorage.getItem(key) !== null
      } catch {
        return false
      }
    },
    setOpen(isOpen) {
      try {
        if (isOpen) sessionStorage.setItem(key, '1')
        else sessionStorage.removeItem(key)
      } catch {
        // Without storage a reload closes the panel.
      }
    },
  }
}
