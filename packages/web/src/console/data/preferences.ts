// What the console remembers in the browser: language, colours, whether letter keys are shortcuts, and saved views. Nothing of it is
// secret or about a person but the filters that an operator chose to save. Without storage it works until the next reload.
import type { Language } from '@mangaassist/protocol'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface SavedView {
  readonly name: string
  /** The query of the address, without `?`. */
  readonly query: string
}

interface Preferences {
  readonly language?: Language
  readonly theme?: Theme
  readonly hasShortcuts?: boolean
  readonly views?: readonly SavedView[]
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

const KEY = 'mangaassist-console'
const VIEWS_MAX = 20
const NAME_LENGTH_MAX = 60

export interface PreferenceStore {
  read(): Preferences
  write(change: Preferences): Preferences
}

export function createPreferences(storage: () => Storage): PreferenceStore {
  let last: Preferences = {}

  function read(): Preferences {
    try {
      last = checked(JSON.parse(storage().getItem(KEY) ?? '{}'))
    } catch {
      // A browser may refuse storage, and another program may have written there: then what this page knows counts.
    }
    return last
  }

  return {
    read,
    write(change) {
      last = { ...read(), ...change }
      try {
        storage().setItem(KEY, JSON.stringify(last))
      } catch {
        // As above.
      }
      return last
    },
  }
}

/** Takes only what has the right form. */
function checked(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return {}
  const { hasShortcuts, language, theme, views } = stored as Record<string, unknown>
  const knownTheme = THEMES.find((name) => name === theme)
  return {
    ...(language === 'ja' || language === 'en' ? { language } : {}),
    ...(knownTheme === undefined ? {} : { theme: knownTheme }),
    ...(typeof hasShortcuts === 'boolean' ? { hasShortcuts } : {}),
    ...(Array.isArray(views) ? { views: views.filter(isView).slice(0, VIEWS_MAX) } : {}),
  }
}

function isView(view: unknown): view is SavedView {
  const { name, query } = (view ?? {}) as Partial<Record<string, unknown>>
  return typeof name === 'string' && typeof query === 'string'
}

/** Saves a view under its name, the newest first; one with the same name is replaced. */
export function withView(views: readonly SavedView[], { name, query }: SavedView): SavedView[] {
  const short = name.trim().slice(0, NAME_LENGTH_MAX)
  if (short === '') return [...views]
  return [{ name: short, query }, ...views.filter((view) => view.name !== short)].slice(0, VIEWS_MAX)
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name)
}
