// What the page remembers across reloads. A browser may refuse storage (private windows, policies): then the page
// simply remembers nothing.
import type { Language } from '@mangaassist/protocol'

export interface Memory {
  readonly language?: Language
  readonly sessionId?: string
  /** The question being answered: a reload finds its answer in the running turn, and the question only here. */
  readonly asked?: { readonly turnId: string; readonly question: string }
}

const key = 'mangaassist'

export function recall(): Memory {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

/** `undefined` forgets a field. */
export function remember(change: { readonly [Field in keyof Memory]: Memory[Field] | undefined }): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...recall(), ...change }))
  } catch {
    // Nothing to be done, and nothing the shopper needs to know.
  }
}
