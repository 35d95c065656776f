// On a phone the launcher lies on what the page shows: it moves out of the way while the reader scrolls down, and returns when
// they scroll up or reach the end of the page. It stays in the order of the keyboard, and focus brings it back.

export interface ScrollPosition {
  readonly y: number
  /** How far the page can be scrolled. */
  readonly endY: number
}

/** Smaller movements are a resting finger. */
const movementPx = 12
const nearEdgePx = 48

/** Whether the launcher is hidden after a movement; undefined when the movement is too small to decide. */
export function isHiddenAfter(lastY: number, { y, endY }: ScrollPosition): boolean | undefined {
  if (y <= nearEdgePx || y >= endY - nearEdgePx) return false
  return Math.abs(y - lastY) < movementPx ? undefined : y > lastY
}

export function followPageScroll(setHidden: (isHidden: boolean) => void): () => void {
  let lastY = window.scrollY
  const scrolled = (): void => {
    const y = window.scrollY
    const isHidden = isHiddenAfter(lastY, { y, endY: document.documentElement.scrollHeight - window.innerHeight })
    if (isHidden === undefined) return
    lastY = y
    setHidden(isHidden)
  }
  window.addEventListener('scroll', scrolled, { passive: true })
  return () => window.removeEventListener('scroll', scrolled)
}
