// How the open panel lies on the page: the chosen layout as far as there is room, beside what was pressed, with the page behind it
// inert or making room, and with an entry in a phone's history. Everything is taken back when the panel closes.
import type { Memory } from '../../memory.ts'
import type { PanelSettings } from '../shell/panel-contract.ts'
import { createBackEntry } from './back-entry.ts'
import { besides, isLayout, offeredLayouts, shownLayout } from './layout.ts'
import type { Area, Layout, ShownLayout, Side } from './layout.ts'
import { createPageBehind, isModal } from './page-behind.ts'

export interface Presence {
  readonly layout: Layout
  readonly shown: ShownLayout
  readonly side: Side
  readonly isModal: boolean
  readonly offered: readonly Layout[]
  choose(layout: Layout): void
  /** Before the panel is rendered with these settings. */
  prepare(settings: PanelSettings): void
  /** After it is rendered. */
  apply(settings: PanelSettings): void
  /** A link in the panel is about to close it. */
  leaveByLink(): void
  release(): void
}

export interface PresenceParts {
  readonly panel: HTMLElement
  readonly memory: Memory
  readonly changed: () => void
  readonly open: () => void
  readonly close: () => void
}

export function createPresence({ panel, memory, changed, open, close }: PresenceParts): Presence {
  const behind = createPageBehind(panel)
  const entry = createBackEntry({ back: close, forward: open })
  let chosen: Layout | undefined = memory.recall().layout
  let layout: Layout = 'float'
  let side: Side = 'right'
  let isShown = false
  let byLink = false
  let applied: PanelSettings | undefined
  window.addEventListener('resize', changed)

  const area = (): Area => ({ width: window.innerWidth, height: window.innerHeight })
  const shown = (): ShownLayout => shownLayout(layout, area())

  function place({ layout: asked, side: askedSide, opener }: PanelSettings): void {
    const wanted = isLayout(chosen) ? chosen : isLayout(asked) ? asked : 'float'
    // A reader who chose a layout gets it; else the panel does not cover what they pressed.
    const beside = besides(
      wanted === 'float' ? opener?.getBoundingClientRect() : undefined,
      askedSide ?? 'right',
      area(),
    )
    side = beside.side
    layout = beside.docked && chosen === undefined ? 'dock' : wanted
  }

  return {
    get layout() {
      return layout
    },
    get shown() {
      return shown()
    },
    get side() {
      return side
    },
    get isModal() {
      return isModal(shown())
    },
    get offered() {
      return offeredLayouts(area())
    },
    choose(next) {
      chosen = next
      layout = next
      memory.remember({ layout: next })
      changed()
    },
    prepare(settings) {
      const { inline, open: isOpen } = settings
      if (!inline && isOpen && !isShown) place(settings)
    },
    apply(settings) {
      const { inline, open: isOpen } = settings
      const wasShown = isShown
      isShown = !inline && isOpen
      behind.set(isShown ? { layout: shown(), side } : undefined)
      if (settings !== applied) behind.refresh()
      applied = settings
      if (isShown && shown() === 'phone') entry.opened()
      if (wasShown && !isShown) entry.closed(byLink)
      byLink = false
    },
    leaveByLink() {
      byLink = true
    },
    release() {
      window.removeEventListener('resize', changed)
      behind.set(undefined)
      entry.release()
    },
  }
}
