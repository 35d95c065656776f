// `/widget.js`: one tag on any page brings the chat. Reads its settings from its own tag, takes the server from its own
// address, and leaves one element in the body and nothing else on the page.
import { defineMangaAssist } from './chat/manga-assist.ts'

const settings = {
  language: 'language',
  position: 'position',
  accent: 'accent',
  server: 'server',
  linkHosts: 'link-hosts',
} as const

const script = findScript()

function findScript(): HTMLScriptElement | null {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement) return currentScript
  // Loaded as a module, a script does not know its tag.
  return document.querySelector<HTMLScriptElement>('script[src$="/widget.js"]')
}

function mount(): void {
  const placed = [...document.querySelectorAll('manga-assist')]
  const elements = placed.length > 0 ? placed : [document.createElement('manga-assist')]
  // Settings first: the element reads them when it comes to life.
  for (const element of elements) configure(element)
  defineMangaAssist()
  if (placed.length === 0) document.body.append(...elements)
}

/** What a page wrote on an element of its own stays. */
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
