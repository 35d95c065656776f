// Shows the next page of the shop without loading it: fetches the server's document, and replaces head, header and content. Back
// restores the scroll position. A document that is not the shop's, or that cannot be read, is loaded as usual.

export interface Navigation {
  go(href: string): Promise<void>
}

interface EntryState {
  readonly y?: number
}

interface Arrival {
  /** The scroll position to restore; undefined for a new page. */
  readonly restoredY?: number | undefined
  /** Whether the address becomes an entry of the history. */
  readonly isNew: boolean
}

const answerWithinMs = 15_000

/** `shown` is called when another page is displayed. */
export function createNavigation({ shown }: { readonly shown: () => void }): Navigation {
  let loading: AbortController | undefined
  let current = withoutHash(location)
  history.scrollRestoration = 'manual'

  async function arrive(href: string, arrival: Arrival): Promise<void> {
    loading?.abort()
    const mine = (loading = new AbortController())
    const content = contentOf(document)
    content?.setAttribute('aria-busy', 'true')
    try {
      const { next, url } = await read(href, mine.signal)
      if (mine.signal.aborted) return
      if (contentOf(next) === null) return location.assign(href)
      if (arrival.isNew) history.pushState({}, '', url)
      current = withoutHash(location)
      replacePage(next, arrival)
      shown()
    } catch {
      if (mine.signal.aborted) return
      content?.removeAttribute('aria-busy')
      showFailure(href, arrival, arrive)
    }
  }

  function go(href: string): Promise<void> {
    const url = new URL(href, location.href)
    storeScrollPosition()
    return arrive(url.pathname + url.search + url.hash, { isNew: url.href !== location.href })
  }

  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    // Only the anchor changed: the browser scrolls by itself.
    if (withoutHash(location) === current) return
    void arrive(location.href, { restoredY: (state as EntryState | null)?.y ?? 0, isNew: false })
  })
  window.addEventListener('pagehide', storeScrollPosition)
  // On the window, so that all other handlers run first; the composed path finds links in the chat's shadow root.
  window.addEventListener('click', (event) => {
    const href = inPlaceHref(event)
    if (href === undefined) return
    event.preventDefault()
    void go(href)
  })
  return { go }
}

function storeScrollPosition(): void {
  // The chat may have marked the entry as its own.
  const state: EntryState = { ...(history.state as EntryState | null), y: window.scrollY }
  history.replaceState(state, '')
}

const contentOf = (page: Document): HTMLElement | null => page.querySelector<HTMLElement>('#content')
const withoutHash = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string => pathname + search

async function read(href: string, signal: AbortSignal): Promise<{ next: Document; url: string }> {
  const response = await fetch(href, {
    headers: { accept: 'text/html' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  })
  if (response.status >= 500) throw new Error(`status ${response.status}`)
  const next = new DOMParser().parseFromString(trusted(await response.text()), 'text/html')
  const { hash } = new URL(href, location.href)
  const { pathname, search } = new URL(response.url)
  return { next, url: pathname + search + hash }
}

interface HtmlPolicy {
  createHTML(text: string): string
}

interface WithPolicies {
  readonly trustedTypes?: { createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy }
}

/** The document is our own server's, which escapes every text; a parsed document runs no script. */
const policy = (window as unknown as WithPolicies).trustedTypes?.createPolicy('storefront', {
  createHTML: (text) => text,
})
const trusted = (text: string): string => policy?.createHTML(text) ?? text

function replacePage(next: Document, { restoredY }: Arrival): void {
  const before = contentOf(document)
  const after = contentOf(next)
  if (before === null || after === null) return
  const samePage = before.dataset['name'] === after.dataset['name'] && location.hash === ''
  const focused =
    document.activeElement instanceof HTMLElement && before.contains(document.activeElement)
      ? document.activeElement.id
      : ''
  // The chat has asked for the page in its language: a reader who writes there continues.
  const isOfChat =
    document.activeElement?.localName === 'manga-assist' && document.documentElement.lang !== next.documentElement.lang
  const moveFocus = (to: HTMLElement): void => void (!isOfChat && to.focus({ preventScroll: true }))
  const shelf = samePage ? topOf('shelves') : undefined
  document.title = next.title
  document.documentElement.lang = next.documentElement.lang
  for (const element of document.head.querySelectorAll('[data-page]')) element.remove()
  document.head.append(...next.head.querySelectorAll('[data-page]'))
  document.querySelector('.head')?.replaceWith(...next.querySelectorAll('.head'))
  document.querySelector('.foot')?.replaceWith(...next.querySelectorAll('.foot'))
  before.replaceWith(after)
  if (restoredY !== undefined) return window.scrollTo({ top: restoredY, behavior: 'instant' })
  if (samePage) {
    keepPlace(shelf)
    return moveFocus(document.getElementById(focused) ?? after)
  }
  const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (anchor === null) window.scrollTo({ top: 0, behavior: 'instant' })
  else anchor.scrollIntoView({ behavior: 'instant' })
  moveFocus(after)
}

const topOf = (id: string): number | undefined => document.getElementById(id)?.getBoundingClientRect().top

/** A filter changes the same page: the shelf stays where it was on the screen. */
function keepPlace(shelf: number | undefined): void {
  const now = topOf('shelves')
  if (shelf !== undefined && now !== undefined) window.scrollBy({ top: now - shelf, behavior: 'instant' })
}

/** In place of the content, with a button that tries again; the page's own texts are in its template. */
function showFailure(href: string, arrival: Arrival, retry: (href: string, arrival: Arrival) => Promise<void>): void {
  const template = document.querySelector<HTMLTemplateElement>('#failed')
  const content = contentOf(document)
  if (template === null || content === null) return location.assign(href)
  content.dataset['name'] = 'failed'
  content.replaceChildren(template.content.cloneNode(true))
  content.querySelector('[data-retry]')?.addEventListener('click', () => void retry(href, arrival))
  content.focus({ preventScroll: true })
}

/** The address of an ordinary click on a link to a page of this shop, else undefined. */
function inPlaceHref(event: MouseEvent): string | undefined {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (event.defaultPrevented || event.button !== 0 || modified) return undefined
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.target !== '' || link.download !== '')
    return undefined
  const url = new URL(link.href)
  if (url.origin !== location.origin) return undefined
  // An anchor of the page that stands.
  if (url.hash !== '' && withoutHash(url) === withoutHash(location)) return undefined
  return url.pathname + url.search + url.hash
}
