// What the script adds to a page that works without it: a filter applies as soon as it changes, and the entry of the FAQ that the
// address names is open.
import type { Navigation } from './navigation.ts'

/** In forms with `data-in-place`; others are sent by their button. */
export function submitOnChange({ go }: Pick<Navigation, 'go'>): void {
  document.addEventListener('change', ({ target }) => {
    const field = target instanceof HTMLSelectElement || target instanceof HTMLInputElement ? target : null
    // Words are sent by the button or Enter: they change at every letter.
    if (field === null || field.type === 'search' || field.form === null) return
    if (field.form.hasAttribute('data-in-place')) void go(hrefOf(field.form))
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.method !== 'get') return
    event.preventDefault()
    void go(hrefOf(form))
  })
}

/** The address that the form asks for, without empty fields. */
function hrefOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  url.search = ''
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') url.searchParams.set(name, value.trim())
  return url.pathname + url.search
}

/** Not every browser opens a closed entry that contains the anchor. */
export function revealAnchor(): void {
  const name = decodeURIComponent(location.hash.slice(1))
  const entry = name === '' ? null : document.getElementById(name)?.closest('details')
  if (entry === null || entry === undefined || entry.open) return
  entry.open = true
  entry.scrollIntoView()
}
