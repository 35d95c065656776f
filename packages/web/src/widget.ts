// `/widget.js`: adds the chat to any page with one tag. Reads its settings from its own tag and the server from its own
// address; adds one element to the body and nothing else to the page.
import { defineMangaAssist } from './chat/manga-assist.ts'

const settings = {
  language: 'language',
  position: 'position',
  accent: 'accent',
  product: 'product',
  server: 'server',
  linkHosts: 'link-hosts',
} as const

const script = findScript()

function findScript(): HTMLScriptElement | null {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement) return currentScript
  // `document.currentScript` is null for a script that is loaded as a module.
  return document.querySelector<HTMLScriptElement>('script[src$="/widget.js"]')
}

function mount(): void {
  const placed = [...document.querySelectorAll('manga-assist')]
  const elements = placed.length > 0 ? placed : [document.createElement('manga-assist')]
  // Before the definition: the element reads its settings when it is connected.
  for (const element of elements) configure(element)
  defineMangaAssist()
  if (placed.length === 0) document.body.append(...elements)
}

/** Attributes that the page wrote on its own element are not overwritten. */
function configure(element: Element): void {
  const origin = script === null ? undefined : new URL(script.src, location.href).origin
  for (const [key, attribute] of Object.entries(settings)) {
    const value = script?.dataset[key] ?? (key === 'server' ? origin : undefined)
    if (value !== undefined && !element.hasAttribute(attribute)) element.setAttribute(attribute, value)
  }
}

// An `async` script may run before there is a body.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount, { once: true })
else mount()
