// Converts between the store's addresses and its pages, both ways. Pure; the router navigates.

export interface Filters {
  readonly q: string
  readonly genre: string
  readonly demographic: string
  readonly status: string
  readonly inStock: boolean
}

export type Route =
  | { readonly page: 'home'; readonly filters: Filters }
  | { readonly page: 'series'; readonly id: string }
  | { readonly page: 'support' }
  | { readonly page: 'not-found' }

export const noFilters: Filters = { q: '', genre: '', demographic: '', status: '', inStock: false }

export function routeOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Route {
  const path = pathname.replace(/(?<=.)\/$/, '')
  if (path === '/' || path === '/index.html') return { page: 'home', filters: filtersOf(new URLSearchParams(search)) }
  if (path === '/support') return { page: 'support' }
  const [, id] = /^\/series\/([^/]+)$/.exec(path) ?? []
  return id === undefined ? { page: 'not-found' } : series(id)
}

function series(id: string): Route {
  try {
    return { page: 'series', id: decodeURIComponent(id) }
  } catch {
    // An incomplete escape sequence is no valid id.
    return { page: 'not-found' }
  }
}

function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string): string => query.get(name)?.trim() ?? ''
  return {
    q: text('q'),
    genre: text('genre'),
    demographic: text('demographic'),
    status: text('status'),
    inStock: query.get('inStock') === 'true',
  }
}

/** The page's address and the request to the server have the same parameters. */
export function queryOf({ inStock, ...texts }: Filters): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(texts)) if (value !== '') query.set(name, value)
  if (inStock) query.set('inStock', 'true')
  return query
}

export function homeHref(filters: Filters): string {
  const query = queryOf(filters).toString()
  return query === '' ? '/' : `/?${query}`
}

export function seriesHref(id: string): string {
  return `/series/${encodeURIComponent(id)}`
}

export function isFiltered(filters: Filters): boolean {
  return homeHref(filters) !== '/'
}
