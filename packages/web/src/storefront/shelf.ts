// The list of series on the home page, loaded page by page for one set of filters. Loaded pages are cached, so that
// back shows them at once and at the same scroll position.
import type { Language } from '@mangaassist/protocol'
import { queryOf } from './routes.ts'
import type { Filters } from './routes.ts'
import type { Series, SeriesPage } from './store-api.ts'

interface ShelfState {
  readonly items: readonly Series[]
  readonly next: string | undefined
  readonly phase: 'loading' | 'ready' | 'failed'
}

export type ListSeries = (query: URLSearchParams, language: Language) => Promise<SeriesPage>

export interface Shelf {
  readonly state: ShelfState
  /** Shows the series that match the filters, from the cache when they were loaded before. */
  show(filters: Filters, language: Language): void
  /** Loads the next page, or the failed one again. */
  more(): void
}

const perPage = 24
const cachedMax = 20

export function createShelf(list: ListSeries, changed: () => void): Shelf {
  const cached = new Map<string, ShelfState>()
  let shown: { readonly filters: Filters; readonly language: Language; readonly key: string } | undefined
  let state: ShelfState = { items: [], next: undefined, phase: 'loading' }

  function change(key: string, next: ShelfState): void {
    cached.delete(key)
    cached.set(key, next)
    const oldest = cached.keys().next()
    if (cached.size > cachedMax && !oldest.done) cached.delete(oldest.value)
    // A late response may belong to filters that are no longer shown.
    if (shown?.key !== key) return
    state = next
    changed()
  }

  async function load(from: ShelfState): Promise<void> {
    if (shown === undefined) return
    const { filters, language, key } = shown
    change(key, { ...from, phase: 'loading' })
    const query = queryOf(filters)
    query.set('limit', String(perPage))
    if (from.next !== undefined) query.set('after', from.next)
    try {
      const { items, next } = await list(query, language)
      change(key, { items: withoutRepeats([...from.items, ...items]), next, phase: 'ready' })
    } catch {
      change(key, { ...from, phase: 'failed' })
    }
  }

  return {
    get state() {
      return state
    },
    show(filters, language) {
      const key = `${language} ${queryOf(filters).toString()}`
      shown = { filters, language, key }
      const known = cached.get(key)
      if (known === undefined || known.phase === 'failed') {
        void load({ items: [], next: undefined, phase: 'loading' })
      } else change(key, known)
    },
    more() {
      if (state.phase !== 'loading') void load(state)
    },
  }
}

/** The catalogue may change between two pages, and then repeat a series. */
function withoutRepeats(items: readonly Series[]): Series[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
