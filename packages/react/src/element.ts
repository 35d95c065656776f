// The public face of `<manga-assist>`: settings, methods and events as types, and a function that loads it. Needs no framework. The
// element itself comes from the server, so that a page has its version and not the one of this package.

export type MangaAssistLanguage = 'ja' | 'en'

/** Attributes of the element, by the names of its properties. */
export interface MangaAssistSettings {
  /** Default: the document's language, else the browser's. */
  readonly language?: MangaAssistLanguage | undefined
  /** Default: `right`. */
  readonly position?: 'left' | 'right' | undefined
  /** `#rgb` or `#rrggbb`. */
  readonly accent?: string | undefined
  /** Default: `auto`, the reader's choice in the system. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** The id of the series that the page is about: "this one" in a question. */
  readonly product?: string | undefined
  /** The sentence below the title of an empty conversation. */
  readonly greeting?: string | undefined
  /** Questions to choose from in an empty conversation; an empty list for none. */
  readonly suggestions?: readonly string[] | undefined
  /** The origin of the MangaAssist server. */
  readonly server?: string | undefined
  /** Hosts that answers may link to, besides the server's and the page's. */
  readonly linkHosts?: readonly string[] | undefined
  /** How the panel lies on the page until the reader chooses. Default: `float`. */
  readonly layout?: 'float' | 'wide' | 'dock' | 'full' | undefined
  /** In the page instead of floating over it. */
  readonly inline?: boolean | undefined
  readonly open?: boolean | undefined
  /** The page has a cart and listens to `manga-assist-cart`. */
  readonly cart?: boolean | undefined
}

/** A token of the shop's issuer for the signed-in user, or null for a guest. */
export type GetToken = () => Promise<string | null> | string | null

export interface MangaAssistElement extends HTMLElement {
  language: string | null
  position: string | null
  accent: string | null
  theme: string | null
  product: string | null
  greeting: string | null
  suggestions: string | null
  server: string | null
  linkHosts: string | null
  layout: string | null
  inline: boolean
  open: boolean
  cart: boolean
  /** A token of the shop's issuer. It is never an attribute: markup is cached, logged and recorded. */
  token: string | null
  /** Called whenever a token is needed, also to replace an expired one. Wins over `token`. */
  getToken: GetToken | null
  /** Opens the panel and asks at once; while an answer is in flight, the question is put into the field instead. */
  ask(question: string): void
  /** Opens the panel and puts a question into the field. */
  prefill(question: string): void
}

/** The details of the events, by name. Events bubble and cross shadow roots; none has a text of the conversation. */
export interface MangaAssistEvents {
  /** The launcher stands. */
  readonly 'manga-assist-ready': null
  readonly 'manga-assist-open': null
  readonly 'manga-assist-close': null
  /** A question of this conversation is in flight, asked here or on another device of the same reader. */
  readonly 'manga-assist-ask': null
  /** The answer has ended, however it ended. */
  readonly 'manga-assist-answer': {
    /** Undefined for a question that was refused. */
    readonly turnId: string | undefined
    /** How many series it shows. */
    readonly products: number
  }
  /** The reader chose a language in the chat, so that the page can follow. */
  readonly 'manga-assist-language': { readonly language: MangaAssistLanguage }
  readonly 'manga-assist-error': {
    /**
     * `panel-unavailable`: the panel could not be loaded, and the launcher says so; `token-refused`: the server does not accept the
     * user's token; `token-unavailable`: the page's `getToken` failed, and is called again.
     */
    readonly reason: 'panel-unavailable' | 'token-refused' | 'token-unavailable'
  }
  /** "Add to cart" on a card. A page with a cart calls `preventDefault`, and then `done`. */
  readonly 'manga-assist-cart': {
    readonly productId: string
    /** The number of the volume, from 1. */
    readonly volume: number
    readonly quantity: number
    /** `href`: the address of the cart, for a link on the card. */
    readonly done: (result: { readonly ok: boolean; readonly message?: string; readonly href?: string }) => void
  }
}

type EventsOf<Details> = { readonly [Name in keyof Details]: CustomEvent<Details[Name]> }

declare global {
  interface HTMLElementTagNameMap {
    'manga-assist': MangaAssistElement
  }
  interface HTMLElementEventMap extends EventsOf<MangaAssistEvents> {}
  // They bubble: a page may listen above the element.
  interface DocumentEventMap extends EventsOf<MangaAssistEvents> {}
  interface WindowEventMap extends EventsOf<MangaAssistEvents> {}
}

export interface LoadOptions {
  /** The origin of the MangaAssist server. Default: the page's own. */
  readonly server?: string | undefined
  /** A pinned address of the script, from `/widget.json`. Default: `/widget.js`, always the current one. */
  readonly script?: { readonly path: string; readonly integrity: string } | undefined
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const scripts = new Map<string, Promise<void>>()

/** Defines the element, once for each address. Places none: the page does. Rejects when the script cannot be loaded. */
export function loadElement({ server = location.origin, script }: LoadOptions = {}): Promise<void> {
  if (customElements.get('manga-assist') !== undefined) return Promise.resolve()
  const address = new URL(script?.path ?? '/widget.js', server).href
  const known = scripts.get(address)
  if (known !== undefined) return known
  const loading = inject(address, script?.integrity).catch((error: unknown) => {
    scripts.delete(address)
    throw error
  })
  scripts.set(address, loading)
  return loading
}

async function inject(address: string, integrity: string | undefined): Promise<void> {
  const tag = document.createElement('script')
  tag.async = true
  tag.crossOrigin = 'anonymous'
  tag.dataset['mount'] = 'none'
  if (integrity !== undefined) tag.integrity = integrity
  tag.src = trusted(address)
  const { promise, resolve, reject } = settled()
  tag.addEventListener('load', () => resolve())
  tag.addEventListener('error', () => reject(new Error(`MangaAssist: ${address} could not be loaded.`)))
  document.head.append(tag)
  await promise.finally(() => tag.remove())
}

function settled(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve = (): void => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** A page with Trusted Types allows the policy `mangaassist`; elsewhere the address is a string. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('mangaassist', { createScriptURL: (url) => url })
  return policy?.createScriptURL(address) ?? address
}
