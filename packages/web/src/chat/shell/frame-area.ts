// Tells the page which part of our window the chat covers: it shows that part only, and clicks beside it are the page's. Around the launcher little more
// than the launcher itself is covered. Shadows are smaller than without a frame: they would be cut.
import type { MangaAssistElement } from '@mangaassist/react/element'
import type { FrameMessage } from './frame-messages.ts'

/** Room for the panel's shadow. */
const panelMarginPx = 28
/** Room for the launcher's shadow, its focus ring and the number of unread answers. */
const launcherMarginPx = 8
const shadows = `.root .launcher { box-shadow: 0 2px 6px rgb(0 0 0 / 0.35) }
  .root .panel:is(.float, .wide) { box-shadow: 0 6px 22px rgb(0 0 0 / 0.22) }`

export function reportArea(element: MangaAssistElement, send: (message: FrameMessage) => void): void {
  const root = element.shadowRoot
  if (root === null) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(shadows)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  let last = ''
  let isPlanned = false
  let byLink = false

  const measure = (): void => {
    isPlanned = false
    const message = { type: 'area', ...areaOf(root), ...layoutOf(root), open: element.open, byLink }
    if (JSON.stringify(message) === last) return
    last = JSON.stringify(message)
    send(message)
    if (!element.open) byLink = false
  }

  const plan = (): void => {
    // Not with the next animation frame: a frame that the page does not show yet has none.
    if (!isPlanned) setTimeout(measure)
    isPlanned = true
  }
  const attributeFilter = ['class', 'hidden', 'style', 'data-tucked']
  new MutationObserver(plan).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter })
  new MutationObserver(plan).observe(element, { attributeFilter: ['open', 'position'] })
  new MutationObserver(plan).observe(document.documentElement, { attributeFilter: ['style'] })
  for (const type of ['transitionrun', 'transitionend', 'animationend', 'focusin']) root.addEventListener(type, plan)
  // Before the panel closes itself for the link: the page must not go back in its history while it is left.
  root.addEventListener('click', (event) => (byLink = isLinkInPlace(event)), { capture: true })
  window.addEventListener('resize', plan)
  measure()
}

function areaOf(root: ShadowRoot): { insets: readonly number[] | null; round: number } {
  const panel = root.querySelector('[part=panel]')
  const isPanel = panel !== null && panel.getBoundingClientRect().width > 0
  const parts = isPanel ? [panel] : [...root.querySelectorAll('.launcher, .launcher-note:not(.unseen)')]
  const shown = parts.filter((part) => part.getBoundingClientRect().width > 0)
  if (shown.length === 0) return { insets: null, round: 0 }
  const boxes = shown.map(restingBox)
  const margin = isPanel ? panelMarginPx : launcherMarginPx
  const edges = [
    Math.min(...boxes.map(({ top }) => top)),
    innerWidth - Math.max(...boxes.map(({ right }) => right)),
    innerHeight - Math.max(...boxes.map(({ bottom }) => bottom)),
    Math.min(...boxes.map(({ left }) => left)),
  ]
  const round = isPanel || boxes.length > 1 ? 0 : Math.round((boxes[0]?.height ?? 0) / 2) + margin
  return { insets: edges.map((edge) => Math.max(0, Math.floor(edge - margin))), round }
}

/** Where a part is when its movement has ended: a launcher that comes back must be seen on its way. */
function restingBox(part: Element): DOMRect {
  const { x, y, width, height } = part.getBoundingClientRect()
  const isMoving = part.getAnimations().length > 0
  const { m41, m42 } = new DOMMatrix(isMoving ? getComputedStyle(part).transform : '')
  return new DOMRect(x - m41, y - m42, width, height)
}

/** The classes that the panel has for its layout; none when it is `inline`. */
function layoutOf(root: ShadowRoot): { layout: string | null; side: string } {
  const panel = root.querySelector('[part=panel]')
  const [, layout = null] = panel?.className.match(/\bpanel (\w+) at-/) ?? []
  return { layout, side: panel?.classList.contains('at-left') === true ? 'left' : 'right' }
}

function isLinkInPlace(event: Event): boolean {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  return link !== undefined && link.href !== '' && link.target === ''
}
