// Keeps the full-screen panel of a phone, or the frame that has it, above the keyboard: iOS lays the keyboard over the page, and only the visual
// viewport shows its height. Sets custom properties through the CSSOM, which a strict policy allows.

export function followViewport(target: HTMLElement): () => void {
  const viewport = window.visualViewport
  if (viewport === null) return () => {}
  const fit = (): void => {
    // While the page is zoomed with two fingers, the target keeps its size.
    if (viewport.scale > 1.01) return
    target.style.setProperty('--ma-height', `${viewport.height}px`)
    target.style.setProperty('--ma-top', `${viewport.offsetTop}px`)
  }
  fit()
  viewport.addEventListener('resize', fit)
  viewport.addEventListener('scroll', fit)
  return () => {
    viewport.removeEventListener('resize', fit)
    viewport.removeEventListener('scroll', fit)
  }
}
