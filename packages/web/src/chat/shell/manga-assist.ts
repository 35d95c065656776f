// `<manga-assist>`: the chat as an element, floating with a launcher or `inline` in the page. It is light: launcher, settings and
// language. The panel, with the conversation, is loaded when it is first opened, or in the background when there is a conversation
// to continue. Its shadow root separates the page's styles from ours.
import type { Language } from '@mangaassist/protocol'
import type { MangaAssistElement } from '@mangaassist/react/element'
import { firstSpoken } from '../../language.ts'
import { createMemory, createTabMemory } from '../../memory.ts'
import type { SharedMemory, TabMemory } from '../../memory.ts'
import { pageOrigin } from '../../page-origin.ts'
import { accentOf } from './accent.ts'
import { emitterOf } from './element-events.ts'
import { createLauncher } from './launcher.ts'
import type { LauncherState } from './launcher.ts'
import { followPageScroll } from './launcher-motion.ts'
import type { LoadPanel, Panel, PanelModule, PanelSettings } from './panel-contract.ts'
import { greetingOf, SettingsElement, suggestionsOf, themeOf } from './settings-element.ts'
import { shellSheet } from './shell-styles.ts'
import { tokenSubject } from './token-subject.ts'

export class MangaAssist extends SettingsElement implements MangaAssistElement {
  static readonly observedAttributes = SettingsElement.settings
  /** Set by the entry that defines the element. */
  static loadPanel: LoadPanel
  /** The server of an element that names none. */
  static home: string | undefined
  /** A page that draws covers sets this before it creates the element. */
  static cover: PanelSettings['cover']

  #emit = emitterOf(this)
  #root = document.createElement('div')
  #launcher = createLauncher({ open: () => (this.open = true), approach: () => void this.#module().catch(() => {}) })
  #memory: SharedMemory | undefined
  #tab: TabMemory | undefined
  #opener: HTMLElement | undefined
  #release: readonly (() => void)[] = []
  #spoken: Language = 'ja'
  #unread = 0
  #takesFocus = true
  #load: LauncherState['panel'] = 'idle'
  #loading: Promise<PanelModule> | undefined
  #panel: Panel | undefined
  /** Whose token was last used: null for a guest, undefined before. */
  #subject: string | null | undefined

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: 'open' })
    shadow.adoptedStyleSheets = [shellSheet()]
    this.#root.append(...this.#launcher.nodes)
    shadow.append(this.#root)
  }

  /** Opens the panel and asks at once; while an answer is in flight, the question is put into the field instead. */
  ask(question: string): void {
    this.open = true
    void this.#showPanel((panel) => panel.ask(question))
  }

  /** Opens the panel and puts a question into the field, where the shopper can still change it. */
  prefill(question: string): void {
    this.open = true
    void this.#showPanel((panel) => panel.prefill(question))
  }

  connectedCallback(): void {
    this.upgrade()
    this.#tab = createTabMemory(this.#server())
    // A reload leaves the panel as it was.
    if (!this.inline && this.#tab.wasOpen()) this.open = true
    this.#memory = createMemory(this.#server(), pageOrigin())
    const { language, sessionId } = this.#memory.recall()
    this.#spoken = firstSpoken(language, this.language, document.documentElement.lang, ...navigator.languages)
    this.#takesFocus = !this.open
    this.#release = [
      followPageScroll((isHidden) => this.#root.toggleAttribute('data-tucked', isHidden)),
      this.#followChoices(this.#memory),
    ]
    this.#update()
    this.#emit('manga-assist-ready', null)
    if (this.#isShown()) void this.#showPanel()
    // An answer may still be in flight: its end is shown on the launcher.
    else if (sessionId !== undefined) whenIdle(() => void this.#showPanel())
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after || this.#memory === undefined) return
    // The page changed the language after the start: that overrides what the reader chose earlier.
    if (name === 'language')
      this.#spoken = firstSpoken(this.language, document.documentElement.lang, ...navigator.languages)
    if (name === 'open') {
      this.#takesFocus = true
      this.#opener = after === null ? this.#opener : this.#focusedOnPage()
      this.#tab?.setOpen(after !== null)
    }
    this.#update()
    if (this.#isShown()) void this.#showPanel()
    else if (name === 'open') void this.#returnFocus()
    if (name === 'open' && !this.inline) this.#emit(this.open ? 'manga-assist-open' : 'manga-assist-close', null)
  }

  disconnectedCallback(): void {
    for (const release of this.#release) release()
    this.#release = []
  }

  /** The reader may choose a language in another tab. */
  #followChoices(memory: SharedMemory): () => void {
    let { languageChosenAtMs: chosenAtMs } = memory.recall()
    return memory.follow(({ language, languageChosenAtMs }) => {
      if (languageChosenAtMs === chosenAtMs || language === undefined) return
      chosenAtMs = languageChosenAtMs
      if (language !== this.#spoken) this.#speak(language)
    })
  }

  #focusedOnPage(): HTMLElement | undefined {
    const { activeElement, body } = document
    return activeElement instanceof HTMLElement && activeElement !== body && activeElement !== this
      ? activeElement
      : undefined
  }

  /** To what the reader pressed to open the panel, else to the launcher. */
  async #returnFocus(): Promise<void> {
    await this.#panel?.updateComplete
    // A link in the panel may have opened another page, which has the focus already.
    if (this.open || this.#focusedOnPage() !== undefined) return
    if (this.#opener?.checkVisibility() === true) this.#opener.focus({ preventScroll: true })
    else this.#launcher.focus()
  }

  #update(): void {
    if (this.#isShown()) this.#unread = 0
    const side = this.position === 'left' ? 'left' : 'right'
    this.#root.className = `root ${this.inline ? 'inline' : 'floating'} ${side} ${themeOf(this.theme)}`
    this.#root.lang = this.#spoken
    this.#paint()
    const shown = !this.#isShown() || (this.#panel === undefined && !this.inline)
    this.#launcher.update({ language: this.#spoken, unread: this.#unread, panel: this.#load, shown })
    if (this.#panel !== undefined) this.#panel.settings = this.#settings()
  }

  #paint(): void {
    const accent = accentOf(this.accent)
    for (const [property, value] of [
      ['--ma-accent', accent?.fill],
      ['--ma-on-accent', accent?.ink],
    ] as const) {
      if (value === undefined) this.style.removeProperty(property)
      else this.style.setProperty(property, value)
    }
  }

  #settings(): PanelSettings {
    const { product, inline, open } = this
    return {
      language: this.#spoken,
      product,
      server: this.#server(),
      linkHosts: this.linkHosts?.split(/[\s,]+/).filter((host) => host !== '') ?? [],
      inline,
      open,
      side: this.position === 'left' ? 'left' : 'right',
      layout: this.layout,
      opener: this.#opener,
      takesFocus: this.#takesFocus,
      greeting: greetingOf(this.greeting),
      suggestions: suggestionsOf(this.suggestions),
      cover: MangaAssist.cover,
    }
  }

  #server(): string {
    return new URL(this.server ?? MangaAssist.home ?? location.origin, location.origin).origin
  }

  /** One load for all callers; a failed one is tried again by the next. */
  #module(): Promise<PanelModule> {
    this.#loading ??= MangaAssist.loadPanel(this.#server()).catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #showPanel(use?: (panel: Panel) => void): Promise<void> {
    try {
      if (this.#panel === undefined) {
        this.#setLoad('loading')
        const { createPanel } = await this.#module()
        this.#panel ??= this.#attach(createPanel)
        this.#setLoad('idle')
      }
      use?.(this.#panel)
    } catch {
      // The launcher says that it could not be opened, and opens it at the next try.
      const wasWanted = this.open
      this.open = false
      this.#setLoad(wasWanted ? 'failed' : 'idle')
      if (wasWanted) this.#emit('manga-assist-error', { reason: 'panel-unavailable' })
    }
  }

  #setLoad(load: LauncherState['panel']): void {
    this.#load = load
    this.#update()
  }

  #attach(createPanel: PanelModule['createPanel']): Panel {
    const host = {
      open: () => (this.open = true),
      emit: this.#emit,
      token: () => this.#token(),
      close: () => (this.open = false),
      chooseLanguage: (language: Language) => this.#chooseLanguage(language),
      showUnread: (count: number) => {
        this.#unread = count
        this.#update()
      },
    }
    const panel = createPanel(host, this.#settings())
    this.#root.append(panel)
    return panel
  }

  #chooseLanguage(language: Language): void {
    this.#memory?.remember({ language, languageChosenAtMs: Date.now() })
    this.#speak(language)
  }

  #speak(language: Language): void {
    this.#spoken = language
    this.#update()
    this.#emit('manga-assist-language', { language })
  }

  async #token(): Promise<string | null> {
    const token = await this.currentToken().catch((error: unknown) => {
      this.#emit('manga-assist-error', { reason: 'token-unavailable' })
      throw error
    })
    this.#meet(tokenSubject(token))
    return token
  }

  protected override identityChanged(): void {
    // Without a panel no token is in use; the panel reads it when it is opened.
    if (this.#panel !== undefined) void this.#token().catch(() => {})
  }

  /** Another person at the page sees nothing of the last one's conversation; a guest who signs in keeps it. */
  #meet(subject: string | null): void {
    const last = this.#subject
    this.#subject = subject
    if (last === undefined || last === subject) return
    if (last !== null) this.#memory?.remember({ sessionId: undefined })
    this.#panel?.remove()
    this.#panel = undefined
    this.#unread = 0
    this.#update()
    if (this.#isShown()) void this.#showPanel()
  }

  #isShown(): boolean {
    return this.inline || this.open
  }
}

function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}

/** Defines the element once: a page may contain the script's tag twice. */
export function defineMangaAssist(loadPanel: LoadPanel): void {
  if (customElements.get('manga-assist') !== undefined) return
  MangaAssist.loadPanel = loadPanel
  customElements.define('manga-assist', MangaAssist)
}
