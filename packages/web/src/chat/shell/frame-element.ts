// `<manga-assist>` in iframe mode: an element with the same settings, methods and events, and with nothing in the page but a frame of the
// server. The frame is as large as the window and cut to the launcher or the panel, so that the chat in it knows the
// real size of the window, and clicks beside it reach the page; with `inline` it has the size of the element.
import type { MangaAssistElement, MangaAssistEvents } from '@mangaassist/react/element'
import { emitterOf } from './element-events.ts'
import { framedSettings, isRecord, linkFrames, numberOf, textOf } from './frame-messages.ts'
import type { FrameLink, FrameMessage } from './frame-messages.ts'
import { frameSheet } from './frame-styles.ts'
import { followPageScroll } from './launcher-motion.ts'
import { followViewport } from '../viewport.ts'
import { createPageAround } from './page-around.ts'
import type { PageAround } from './page-around.ts'
import { createPageStorage } from './page-storage.ts'
import type { PageStorage } from './page-storage.ts'
import { followVariables, readVariables } from './page-variables.ts'
import { SettingsElement } from './settings-element.ts'

/** A browser loads a refused frame without an event: after this time without a message the console states why. */
const answerWithinMs = 2000
/** Our own site in the frame: it may not do more than the chat needs, nor open another page in its place without a click. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation'
const titles = { ja: '漫画アシスタント', en: 'Manga assistant' } as const

const events = new Set(
  ['ready', 'open', 'close', 'ask', 'answer', 'language', 'error'].map((name) => `manga-assist-${name}`),
)

class MangaAssistFrame extends SettingsElement implements MangaAssistElement {
  static readonly observedAttributes = SettingsElement.settings
  static home: string | undefined

  readonly #root = this.attachShadow({ mode: 'open' })
  #frame: HTMLIFrameElement | undefined
  #link: FrameLink | undefined
  #storage: PageStorage | undefined
  #around: PageAround | undefined
  #release: readonly (() => void)[] = []
  /** Calls before the frame is ready. */
  #early: FrameMessage[] = []
  #isReady = false
  #isFollowing = false
  #opener: Element | null = null

  readonly #receivers: Readonly<Record<string, (message: FrameMessage) => void>> = {
    hello: () => this.#start(),
    area: (message) => this.#show(message),
    event: (message) => this.#repeat(message),
    token: ({ id }) => void this.#answerToken(numberOf(id)),
    cart: (message) => this.#askCart(message),
    keep: (message) => this.#keep(message),
  }

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [frameSheet()]
  }

  ask(question: string): void {
    this.#call({ type: 'ask', text: question })
  }

  prefill(question: string): void {
    this.#call({ type: 'prefill', text: question })
  }

  connectedCallback(): void {
    this.upgrade()
    const server = new URL(this.server ?? MangaAssistFrame.home ?? location.origin, location.href).origin
    const frame = document.createElement('iframe')
    frame.title = titles[this.#language()]
    frame.allow = this.hasAttribute('microphone') ? 'clipboard-write; microphone' : 'clipboard-write'
    frame.setAttribute('sandbox', sandbox)
    frame.src = `${server}/widget/frame#${encodeURIComponent(location.origin)}`
    this.#frame = frame
    this.#link = linkFrames({
      origin: server,
      peer: () => frame.contentWindow,
      receive: (message) => {
        if (Object.hasOwn(this.#receivers, message.type)) this.#receivers[message.type]?.(message)
      },
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    frame.addEventListener('load', () => (timer = setTimeout(() => this.#missed(server), answerWithinMs)), {
      once: true,
    })
    this.#storage = createPageStorage(server)
    this.#around = createPageAround(frame, { back: () => (this.open = false), forward: () => (this.open = true) })
    const tell = (message: FrameMessage): void => {
      if (this.#isReady) this.#link?.send(message)
    }
    this.#release = [
      () => clearTimeout(timer),
      this.#link.close,
      followViewport(frame),
      this.#storage.follow(tell),
      this.#around.release,
      followVariables(this, (variables) => tell({ type: 'variables', variables })),
      followPageScroll((isHidden) => tell({ type: 'tuck', isHidden })),
    ]
    this.#root.append(frame)
  }

  disconnectedCallback(): void {
    for (const release of this.#release) release()
    this.#frame?.remove()
    this.#frame = undefined
    this.#link = undefined
    this.#isReady = false
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.#isReady || this.#isFollowing) return
    if (name !== 'open') return this.#sendSettings()
    if (after !== null) this.#opener = document.activeElement
    this.#link?.send({ type: 'open', open: after !== null })
  }

  protected override identityChanged(): void {
    if (this.#isReady) this.#link?.send({ type: 'identity' })
  }

  #language(): keyof typeof titles {
    const language = this.language ?? (document.documentElement.lang || navigator.language)
    return language.toLowerCase().startsWith('ja') ? 'ja' : 'en'
  }

  #settings(): Record<string, string | null> {
    const given = framedSettings.map((name) => [name, this.getAttribute(name)] as const)
    // The frame's own document has no language to follow.
    const settings: Record<string, string | null> = Object.fromEntries(given)
    return { ...settings, language: this.language ?? this.#language() }
  }

  #sendSettings(): void {
    if (this.#frame !== undefined) this.#frame.title = titles[this.#language()]
    this.#link?.send({ type: 'settings', settings: this.#settings() })
  }

  #call(message: FrameMessage): void {
    if (this.#isReady) this.#link?.send(message)
    else this.#early.push(message)
  }

  #start(): void {
    this.#isReady = true
    const [settings, variables, kept] = [this.#settings(), readVariables(this), this.#storage?.recall()]
    this.#link?.send({ type: 'start', settings, variables, kept, open: this.open })
    for (const message of this.#early.splice(0)) this.#link?.send(message)
  }

  #missed(server: string): void {
    if (this.#isReady) return
    // oxlint-disable-next-line no-console -- for the developer who put the widget on the page
    console.error(
      `MangaAssist: the frame of ${server} did not start. Add "${location.origin}" to its server.allowedOrigins, and ${server} to frame-src of this page; or the server cannot be reached.`,
    )
    emitterOf(this)('manga-assist-error', { reason: 'panel-unavailable' })
  }

  /** `insets` is null while nothing of the chat is there. */
  #show({ insets, round, open, layout, side, byLink }: FrameMessage): void {
    const edges = Array.isArray(insets) ? insets.map(numberOf) : []
    const isArea = edges.length === 4 && edges.every((edge) => edge !== undefined)
    if (typeof open !== 'boolean' || (!isArea && insets !== null) || this.#frame === undefined) return
    this.#follow(open)
    const clip = `inset(${edges.map((edge) => `${edge}px`).join(' ')} round ${numberOf(round) ?? 0}px)`
    const { style } = this.#frame
    style.setProperty('--clip', isArea ? clip : 'inset(100%)')
    style.setProperty('--visibility', isArea ? 'visible' : 'hidden')
    this.#around?.show({ layout: open ? layout : undefined, side, byLink: byLink === true })
    // Not with the event, which comes while the page is still inert.
    if (!open) this.#returnFocus()
  }

  /** The frame has opened or closed the panel: the attribute follows, and nothing is sent back. */
  #follow(isOpen: boolean): void {
    // The reader pressed the launcher: the page's opener of an earlier time gets no focus.
    if (isOpen && !this.open) this.#opener = null
    this.#isFollowing = true
    this.open = isOpen
    this.#isFollowing = false
  }

  #repeat({ name, detail }: FrameMessage): void {
    if (typeof name !== 'string' || !events.has(name)) return
    // The frame reports the state after the event: listeners may read it before.
    if (name === 'manga-assist-open' || name === 'manga-assist-close') this.#follow(name === 'manga-assist-open')
    this.dispatchEvent(new CustomEvent(name, { detail: detailOf(detail), bubbles: true, composed: true }))
  }

  #returnFocus(): void {
    if (document.activeElement !== this || !(this.#opener instanceof HTMLElement)) return
    if (this.#opener !== document.body) this.#opener.focus({ preventScroll: true })
    this.#opener = null
  }

  async #answerToken(id: number | undefined): Promise<void> {
    if (id === undefined) return
    try {
      this.#link?.send({ type: 'reply', id, ok: true, token: await this.currentToken() })
    } catch {
      this.#link?.send({ type: 'reply', id, ok: false })
    }
  }

  #keep(message: FrameMessage): void {
    const removed = this.#storage?.keep(message)
    if (removed !== undefined) this.#link?.send(removed)
  }

  #askCart(message: FrameMessage): void {
    const [id, volume, quantity] = [message['id'], message['volume'], message['quantity']].map(numberOf)
    const productId = textOf(message['productId'])
    if (id === undefined || volume === undefined || quantity === undefined || productId === undefined) return
    // A relative address is the page's, and the frame cannot know from where.
    const addressOf = (href: string | undefined) =>
      href === undefined ? undefined : URL.parse(href, document.baseURI)?.href
    const done: MangaAssistEvents['manga-assist-cart']['done'] = ({ ok, message: words, href }) =>
      this.#link?.send({ type: 'reply', id, ok, message: words, href: addressOf(href) })
    const detail = { productId, volume, quantity, done }
    const init = { detail, bubbles: true, composed: true, cancelable: true }
    const isIgnored = this.dispatchEvent(new CustomEvent('manga-assist-cart', init))
    if (isIgnored) done({ ok: false })
  }
}

/** Events have short texts and numbers only, also for a listener that does not expect more. Null for none. */
function detailOf(detail: unknown): Record<string, string | number | undefined> | null {
  const fields = Object.entries(isRecord(detail) ? detail : {}).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : textOf(value),
  ])
  return fields.length === 0 ? null : (Object.fromEntries(fields) as Record<string, string | number | undefined>)
}

/** Defines the element once: a page may contain the script's tag twice. */
export function defineFrame(home: string): void {
  if (customElements.get('manga-assist') !== undefined) return
  MangaAssistFrame.home = home
  customElements.define('manga-assist', MangaAssistFrame)
}
