// Changes the page around the panel and restores it: makes room for a docked panel, and makes the page inert behind a
// panel that covers it. Styles are set through the CSSOM, which a strict policy allows.
import { dockWidthPx } from './layout.ts'
import type { ShownLayout, Side } from './layout.ts'

export interface PageBehind {
  /** Undefined while the panel is closed or part of the page. */
  set(shown: { readonly layout: ShownLayout; readonly side: Side } | undefined): void
  /** The page may have new parts, which are inert too. */
  refresh(): void
}

export function createPageBehind(panel: HTMLElement): PageBehind {
  let current = ''
  let restore: readonly (() => void)[] = []
  const inert = new Set<HTMLElement>()

  function clear(): void {
    for (const back of restore) back()
    for (const element of inert) element.inert = false
    restore = []
    inert.clear()
  }

  function cover(): void {
    for (const element of besides(panel)) {
      if (element.inert) continue
      element.inert = true
      inert.add(element)
    }
  }

  return {
    set(shown) {
      const next = shown === undefined ? '' : `${shown.layout} ${shown.side}`
      if (next === current) return
      clear()
      current = next
      if (shown === undefined) return
      const { layout, side } = shown
      if (layout === 'dock') restore = [style(side === 'left' ? 'margin-left' : 'margin-right', `${dockWidthPx}px`)]
      if (!isModal(layout)) return
      restore = [style('overflow', 'hidden')]
      cover()
    },
    refresh() {
      if (inert.size > 0) cover()
    },
  }
}

/** A panel that covers the whole page. */
export function isModal(layout: ShownLayout): boolean {
  return layout === 'phone' || layout === 'full'
}

function style(property: string, value: string): () => void {
  const { style: page } = document.documentElement
  const [before, priority] = [page.getPropertyValue(property), page.getPropertyPriority(property)]
  page.setProperty(property, value, 'important')
  return () => {
    if (before === '') page.removeProperty(property)
    else page.setProperty(property, before, priority)
  }
}

/** Every element that neither contains the panel nor is in it, out to the body, through shadow roots. */
function besides(panel: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let inner: Element = panel; inner !== document.body;) {
    const outer: ParentNode | null = inner.parentNode
    if (outer === null) break
    for (const child of outer.children) if (child !== inner && child instanceof HTMLElement) found.push(child)
    if (outer instanceof ShadowRoot) inner = outer.host
    else if (outer instanceof Element) inner = outer
    else break
  }
  return found
}
