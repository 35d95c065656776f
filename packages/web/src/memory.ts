// What is remembered across reloads. A browser may refuse storage (private windows, policies): then nothing is.
import type { Language } from '@mangaassist/protocol'

export interface Kept {
  /** Only when the reader chose it; else the page decides. */
  readonly language?: Language
  readonly sessionId?: string
  /** Who we are to a server on another site, where its cookie is blocked. */
  readonly guestToken?: string
}

export interface Memory {
  recall(): Kept
  /** `undefined` forgets a field. */
  remember(change: { readonly [Field in keyof Kept]: Kept[Field] | undefined }): void
}

/** One memory for each server: a page may come to speak to another one. */
export function createMemory(server: string, pageOrigin: string): Memory {
  const key = server === pageOrigin ? 'mangaassist' : `mangaassist:${server}`

  function recall(): Kept {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
      return typeof kept === 'object' && kept !== null ? kept : {}
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
        // Nothing to be done, and nothing the shopper needs to know.
      }
    },
  }
}
