// Remembers a few values across reloads, in `localStorage`. A browser may refuse storage (private windows, policies):
// then nothing is remembered.
import type { Language } from '@mangaassist/protocol'

export interface Remembered {
  /** Set only when the reader chose a language; else the page decides. */
  readonly language?: Language
  readonly sessionId?: string
  /** Identifies the guest to a server on another site, whose cookie the browser blocks. */
  readonly guestToken?: string
}

export interface Memory {
  recall(): Remembered
  /** `undefined` forgets a field. */
  remember(change: { readonly [Field in keyof Remembered]: Remembered[Field] | undefined }): void
}

/** Each server has its own entry: a page may later be pointed to another server. */
export function createMemory(server: string, pageOrigin: string): Memory {
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
  }
}
