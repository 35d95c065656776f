// Moves between the store's pages without loading them, links inside the chat included. Going back finds the page where
// it was left; going on starts at the top.
import { routeOf } from './routes.ts'
import type { Route } from './routes.ts'

export interface Router {
  readonly route: Route
  go(href: string): void
}

/** `restoredY`: where the page was when it was left; absent when it is new. */
export type OnRoute = (route: Route, restoredY: number | undefined) => void

interface EntryState {
  readonly y?: number
}

export function createRouter(onRoute: OnRoute): Router {
  history.scrollRestoration = 'manual'

  function keepPlace(): void {
    const state: EntryState = { y: window.scrollY }
    history.replaceState(state, '')
  }

  function go(href: string): void {
    if (new URL(href, location.href).href === location.href) return window.scrollTo({ top: 0 })
    keepPlace()
    history.pushState({}, '', href)
    onRoute(routeOf(location), undefined)
  }

  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    onRoute(routeOf(location), (state as EntryState | null)?.y ?? 0)
  })
  window.addEventListener('pagehide', keepPlace)
  // On the window, after everyone else: links in the chat's shadow are found in the composed path.
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

/** The address of a plain click on a link to a page of ours. */
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
