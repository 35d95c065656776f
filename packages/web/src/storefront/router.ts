// Changes between the store's pages without loading them, for links inside the chat too. Back restores the scroll
// position; a new page starts at the top.
import { routeOf } from './routes.ts'
import type { Route } from './routes.ts'

export interface Router {
  readonly route: Route
  go(href: string): void
}

/** `restoredY`: the scroll position to restore; undefined for a new page. */
export type OnRoute = (route: Route, restoredY: number | undefined) => void

interface EntryState {
  readonly y?: number
}

export function createRouter(onRoute: OnRoute): Router {
  history.scrollRestoration = 'manual'

  function storeScrollPosition(): void {
    const state: EntryState = { y: window.scrollY }
    history.replaceState(state, '')
  }

  function go(href: string): void {
    if (new URL(href, location.href).href === location.href) return window.scrollTo({ top: 0 })
    storeScrollPosition()
    history.pushState({}, '', href)
    onRoute(routeOf(location), undefined)
  }

  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    onRoute(routeOf(location), (state as EntryState | null)?.y ?? 0)
  })
  window.addEventListener('pagehide', storeScrollPosition)
  // On the window, so that all other handlers run first; the composed path finds links in the chat's shadow root.
  window.addEventListener('click', (event) => {
    const href = inPlaceHref(event)
    if (href === undefined) return
    event.preventDefault()
    go(href)
  })

  return {
    get route() {
      return routeOf(location)
    },
    go,
  }
}

/** The address of an ordinary click on a link to a page of this store, else undefined. */
function inPlaceHref(event: MouseEvent): string | undefined {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (event.defaultPrevented || event.button !== 0 || modified) return undefined
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.target !== '' || link.download !== '')
    return undefined
  const url = new URL(link.href)
  if (url.origin !== location.origin || url.hash !== '' || routeOf(url).page === 'not-found') return undefined
  return url.pathname + url.search
}
