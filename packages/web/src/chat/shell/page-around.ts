// What the open chat in a frame does to the page around it, as the panel does without a frame: the page makes room for a docked panel, is inert and
// does not scroll behind one that covers it, and on a phone Back closes the chat.
import { createBackEntry } from '../panel/back-entry.ts'
import { isLayout } from '../panel/layout.ts'
import { createPageBehind } from '../panel/page-behind.ts'

interface PanelShown {
  /** As the frame names it; anything else while the panel is closed or `inline`. */
  readonly layout: unknown
  readonly side: unknown
  /** A link of the chat closed the panel, and the page that it leads to follows. */
  readonly byLink: boolean
}

export interface PageAround {
  show(shown: PanelShown): void
  release(): void
}

export function createPageAround(
  frame: HTMLElement,
  on: { readonly back: () => void; readonly forward: () => void },
): PageAround {
  const behind = createPageBehind(frame)
  const entry = createBackEntry(on)
  let isShown = false
  return {
    show({ layout, side, byLink }) {
      const known = isLayout(layout) || layout === 'phone' ? layout : undefined
      const wasShown = isShown
      isShown = known !== undefined
      behind.set(known && { layout: known, side: side === 'left' ? 'left' : 'right' })
      behind.refresh()
      if (known === 'phone') entry.opened()
      if (wasShown && !isShown) entry.closed(byLink)
    },
    release() {
      behind.set(undefined)
      entry.release()
    },
  }
}
