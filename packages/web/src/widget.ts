// `/widget.js`: adds the chat to any page with one tag. Reads its settings from its own tag and the server from its own
// address; adds one element to the body and nothing else to the page. Holds the launcher only: the panel, or the element
// that has the chat in a frame, is loaded later.
import { emitterOf } from './chat/shell/element-events.ts'
import { againAt, loadModule } from './chat/shell/load-module.ts'
import { panelLoader } from './chat/shell/load-panel.ts'
import { defineMangaAssist, MangaAssist } from './chat/shell/manga-assist.ts'
import { frameAddress, panelAddress } from './module-address.ts'

type FrameModule = typeof import('./chat/shell/frame-element.ts')

const settings = {
  language: 'language',
  position: 'position',
  accent: 'accent',
  product: 'product',
  server: 'server',
  linkHosts: 'link-hosts',
  theme: 'theme',
  greeting: 'greeting',
  suggestions: 'suggestions',
  cart: 'cart',
  layout: 'layout',
  open: 'open',
  microphone: 'microphone',
} as const

/** Attributes that are on when they are there. */
const switches = new Set<string>(['cart', 'open', 'microphone'])

const script = findScript()

function findScript(): HTMLScriptElement | null {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement) return currentScript
  // `document.currentScript` is null for a script that is loaded as a module.
  return document.querySelector<HTMLScriptElement>('script[src$="/widget.js"], script[src*="/widget/"]')
}

/** `data-mount="none"`: the page places the element itself, also later. */
function mount(): void {
  const placed = [...document.querySelectorAll('manga-assist')]
  const isOwn = placed.length === 0 && script?.dataset['mount'] !== 'none'
  const elements = isOwn ? [document.createElement('manga-assist')] : placed
  // Before the definition: the element reads its settings when it is connected.
  for (const element of elements) configure(element)
  define()
  if (isOwn) document.body.append(...elements)
}

/** `data-mode="iframe"`: the page has only a frame of ours. */
function define(): void {
  const home = script === null ? undefined : new URL(script.src, location.href).origin
  if (script?.dataset['mode'] === 'iframe') return void defineFramed(home ?? location.origin)
  MangaAssist.home ??= home
  defineMangaAssist(panelLoader(panelAddress))
}

/** Tried a second time: without this module there is not even a launcher that could say so. */
async function defineFramed(home: string): Promise<void> {
  if (customElements.get('manga-assist') !== undefined) return
  try {
    const load = (address: typeof frameAddress) => loadModule<FrameModule>(home, address)
    const { defineFrame } = await load(frameAddress).catch(() => load(againAt(frameAddress)))
    defineFrame(home)
  } catch (error) {
    // oxlint-disable-next-line no-console -- for the developer who put the widget on the page
    console.error(`MangaAssist: ${home} could not be reached.`, error)
    const detail = { reason: 'panel-unavailable' } as const
    for (const element of document.querySelectorAll('manga-assist')) emitterOf(element)('manga-assist-error', detail)
  }
}

/** Attributes that the page wrote on its own element are not overwritten. */
function configure(element: Element): void {
  for (const [key, attribute] of Object.entries(settings)) {
    const value = script?.dataset[key]
    const isOff = value === undefined || (switches.has(attribute) && value === 'false')
    if (!isOff && !element.hasAttribute(attribute)) element.setAttribute(attribute, value)
  }
}

// An `async` script may run before there is a body.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount, { once: true })
else mount()
