// What a key means: `g` and a letter goes to a screen, `/` searches, `?` helps, `r` reloads, Esc leaves a field. Pure; letters mean
// nothing while text is written, with a modifier, or while an input method composes.

export type KeyCommand =
  | { readonly do: 'go'; readonly key: string }
  | { readonly do: 'find' }
  | { readonly do: 'help' }
  | { readonly do: 'reload' }
  | { readonly do: 'leave' }

export interface KeyPress {
  readonly key: string
  readonly hasModifier: boolean
  readonly isComposing: boolean
  /** The focus is in a field that takes text. */
  readonly isWriting: boolean
  readonly at: number
}

/** How long `g` waits for its letter. */
const SEQUENCE_MS = 1500

const single: Readonly<Record<string, 'find' | 'help' | 'reload'>> = { '/': 'find', '?': 'help', r: 'reload' }

/** Returns a reader of key presses that remembers a `g`. */
export function createKeyReader(): (press: KeyPress) => KeyCommand | undefined {
  let startedAt: number | undefined
  return ({ at, hasModifier, isComposing, isWriting, key }) => {
    if (isComposing || hasModifier) return undefined
    if (key === 'Escape') return { do: 'leave' }
    if (isWriting) return undefined
    const isSecond = startedAt !== undefined && at - startedAt <= SEQUENCE_MS
    startedAt = undefined
    if (isSecond) return /^[a-z]$/.test(key) ? { do: 'go', key } : undefined
    if (key === 'g') {
      startedAt = at
      return undefined
    }
    const command = single[key]
    return command === undefined ? undefined : { do: command }
  }
}
