// The list of series behind the home page: page after page for one set of filters. What was loaded is kept, so that
// going back shows it at once and where it was.
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
  /** Shows what the filters ask for, from what is kept when it is. */
  show(filters: Filters, language: Language): void
  /** The next page, or the failed one again. */
  more(): void
}

const perPage = 24
const keptMax = 20

export function createShelf(list: ListSeries, changed: () => void): Shelf {
  const kept = new Map<string, ShelfState>()
  let shown: { readonly filters: Filters; readonly language: Language; readonly key: string } | undefined
  let state: ShelfState = { items: [], next: undefined, phase: 'loading' }

  function change(key: string, next: ShelfState): void {
    kept.delete(key)
    kept.set(key, next)
    const oldest = kept.keys().next()
    if (kept.size > keptMax && !oldest.done) kept.delete(oldest.value)
    // An answer that comes late belongs to filters that are no longer shown.
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
      const known = kept.get(key)
      if (known === undefined || known.phase === 'failed') {
        void load({ items: [], next: undefined, phase: 'loading' })
      } else change(key, known)
    },
    more() {
      if (state.phase !== 'loading') void load(state)
    },
  }
}

/** The shelves may change between two pages. */
function withoutRepeats(items: readonly Series[]): Series[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
