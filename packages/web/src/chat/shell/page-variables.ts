// The CSS variables of the page that the chat in a frame follows, which no style sheet of the page reaches. They are read again when the page is
// likely to have changed them: a class, a style or a theme attribute, the scheme, the size of the window, style sheets that were loaded late.
import { framedVariables } from './frame-messages.ts'

const themeAttributes = ['class', 'style', 'data-theme', 'data-color-scheme']

export function readVariables(element: HTMLElement): Record<string, string> {
  const style = getComputedStyle(element)
  return Object.fromEntries(framedVariables.map((name) => [name, style.getPropertyValue(`--ma-${name}`).trim()]))
}

/** Returns a function that ends it. */
export function followVariables(
  element: HTMLElement,
  changed: (variables: Record<string, string>) => void,
): () => void {
  let last = JSON.stringify(readVariables(element))
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = (): void => {
    const variables = readVariables(element)
    const now = JSON.stringify(variables)
    if (now !== last) changed(variables)
    last = now
  }
  const plan = (): void => {
    clearTimeout(timer)
    timer = setTimeout(read)
  }
  const observer = new MutationObserver(plan)
  for (const target of [document.documentElement, document.body, element])
    observer.observe(target, { attributeFilter: themeAttributes })
  const ended = new AbortController()
  const { signal } = ended
  for (const type of ['load', 'resize']) window.addEventListener(type, plan, { signal })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', plan, { signal })
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    ended.abort()
  }
}
