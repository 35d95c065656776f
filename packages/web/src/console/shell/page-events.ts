// Clicks on links between the console's screens, which change the address without loading the page, and where typed keys are text.
import { addressOf } from '../data/address.ts'

export function followLinks(go: (href: string) => void): void {
  // On the window, so that all other handlers run first.
  window.addEventListener('click', (event) => {
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || event.button !== 0 || modified || !(event.target instanceof Element)) return
    const link = event.target.closest('a')
    if (link === null || link.href === '' || link.target !== '' || link.download !== '') return
    const url = new URL(link.href)
    if (url.origin !== location.origin || url.hash !== '' || addressOf(url) === undefined) return
    event.preventDefault()
    go(url.pathname + url.search)
  })
}

const WRITTEN =
  'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])'

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(WRITTEN)
}
