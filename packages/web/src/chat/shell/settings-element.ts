// The settings of `<manga-assist>`, in the page or in a frame: attributes, each with a property of the same name, and the user's token.
// An attribute is the only place of a value, so that markup, script and frameworks agree.
import type { GetToken } from '@mangaassist/react/element'

/** Most suggestions, and characters of one: a page may fill them from anywhere. */
const suggestionsMax = 6
const textCharactersMax = 300
/** A page's `getToken` may never settle. After this it has failed, and the next use calls it again. */
const tokenTimeoutMs = 10_000

/** The attributes, by the names of their properties. */
const attributeOf = {
  language: 'language',
  position: 'position',
  accent: 'accent',
  product: 'product',
  server: 'server',
  linkHosts: 'link-hosts',
  layout: 'layout',
  inline: 'inline',
  open: 'open',
  theme: 'theme',
  greeting: 'greeting',
  suggestions: 'suggestions',
  cart: 'cart',
} as const
const properties = [...(Object.keys(attributeOf) as (keyof typeof attributeOf)[]), 'token', 'getToken'] as const

export class SettingsElement extends HTMLElement {
  #token: string | null = null
  #getToken: GetToken | null = null

  static readonly settings: readonly string[] = Object.values(attributeOf)

  /** `ja` or `en`. Default: the document's language, else the browser's. */
  get language(): string | null {
    return this.getAttribute('language')
  }
  set language(value: string | null) {
    this.reflect('language', value)
  }
  /** `left` or `right`. Default: `right`. */
  get position(): string | null {
    return this.getAttribute('position')
  }
  set position(value: string | null) {
    this.reflect('position', value)
  }
  /** `#rgb` or `#rrggbb`. */
  get accent(): string | null {
    return this.getAttribute('accent')
  }
  set accent(value: string | null) {
    this.reflect('accent', value)
  }
  /** The id of the series that the page is about: "this one" in a question. */
  get product(): string | null {
    return this.getAttribute('product')
  }
  set product(value: string | null) {
    this.reflect('product', value)
  }
  /** The server's origin, read when the element is connected. Default: the page's own. */
  get server(): string | null {
    return this.getAttribute('server')
  }
  set server(value: string | null) {
    this.reflect('server', value)
  }
  /** Hosts that answers may link to, besides the server's and the page's. */
  get linkHosts(): string | null {
    return this.getAttribute('link-hosts')
  }
  set linkHosts(value: string | null) {
    this.reflect('link-hosts', value)
  }
  /** `float`, `wide`, `dock` or `full`, until the reader chooses. Default: `float`. */
  get layout(): string | null {
    return this.getAttribute('layout')
  }
  set layout(value: string | null) {
    this.reflect('layout', value)
  }
  get inline(): boolean {
    return this.hasAttribute('inline')
  }
  set inline(value: boolean) {
    this.turn('inline', value)
  }
  get open(): boolean {
    return this.hasAttribute('open')
  }
  set open(value: boolean) {
    this.turn('open', value)
  }

  /** `light`, `dark` or `auto`. Default: `auto`, the reader's choice in the system. */
  get theme(): string | null {
    return this.getAttribute('theme')
  }
  set theme(value: string | null) {
    this.reflect('theme', value)
  }
  /** The sentence below the title of an empty conversation. Default: our own, in the reader's language. */
  get greeting(): string | null {
    return this.getAttribute('greeting')
  }
  set greeting(value: string | null) {
    this.reflect('greeting', value)
  }
  /** Questions to choose from in an empty conversation, with `|` between them; empty for none. Default: our own. */
  get suggestions(): string | null {
    return this.getAttribute('suggestions')
  }
  set suggestions(value: string | readonly string[] | null) {
    this.reflect('suggestions', typeof value === 'string' || value === null ? value : value.join('|'))
  }
  /** The page has a cart and listens to `manga-assist-cart`. */
  get cart(): boolean {
    return this.hasAttribute('cart')
  }
  set cart(value: boolean) {
    this.turn('cart', value)
  }

  /** A token of the shop's issuer for the signed-in user. Never an attribute: markup is cached, logged and recorded. */
  get token(): string | null {
    return this.#token
  }
  set token(value: string | null) {
    this.#token = value
    this.identityChanged()
  }
  /** Called whenever a token is needed, also to replace an expired one. Wins over `token`. */
  get getToken(): GetToken | null {
    return this.#getToken
  }
  set getToken(value: GetToken | null) {
    this.#getToken = value
    this.identityChanged()
  }

  /** Null for a guest. An error of the page's function is the page's: the shopper stays a guest no longer than that. */
  protected async currentToken(): Promise<string | null> {
    const given = this.#getToken === null ? this.#token : await inTime(this.#getToken)
    return typeof given === 'string' && given !== '' ? given : null
  }

  protected identityChanged(): void {}

  /** For `undefined`, which React 19 sets for a prop that is gone, `toggleAttribute` alone would change the attribute to its opposite. */
  protected turn(name: string, isOn: boolean | null | undefined): void {
    this.toggleAttribute(name, isOn ?? false)
  }

  /** Properties that were set before the element was defined hide the accessors of the class. */
  protected upgrade(): void {
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete (this as Partial<Record<typeof name, unknown>>)[name]
      Object.assign(this, { [name]: value })
    }
  }

  protected reflect(name: string, value: string | null | undefined): void {
    if (value === null || value === undefined) this.removeAttribute(name)
    else this.setAttribute(name, value)
  }
}

/** Rejects with a `TimeoutError` when the page's function takes too long. */
async function inTime(getToken: GetToken): Promise<string | null> {
  let timer
  const late = new Promise<never>((_, reject) => {
    const expire = (): void => reject(new DOMException('MangaAssist: getToken did not settle.', 'TimeoutError'))
    timer = setTimeout(expire, tokenTimeoutMs)
  })
  try {
    return await Promise.race([getToken(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined for our own suggestions. */
export function suggestionsOf(attribute: string | null): readonly string[] | undefined {
  if (attribute === null) return undefined
  const texts = attribute.split('|').map((text) => text.trim().slice(0, textCharactersMax))
  return texts.filter((text) => text !== '').slice(0, suggestionsMax)
}

/** Undefined for our own greeting. */
export function greetingOf(attribute: string | null): string | undefined {
  const text = attribute?.trim().slice(0, textCharactersMax) ?? ''
  return text === '' ? undefined : text
}

export function themeOf(attribute: string | null): 'light' | 'dark' | 'auto' {
  return attribute === 'light' || attribute === 'dark' ? attribute : 'auto'
}
