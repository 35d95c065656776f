// The operator's console: sign-in, navigation, keys, the one poller, and the screen that the address names. It decides nothing about
// rights: the server does, and the console only leaves out what the role could not use.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import { createAdminClient } from '@mangaassist/client/admin'
import type { SessionView } from '@mangaassist/protocol/admin'
import { firstSpoken, otherThan } from '../language.ts'
import { addressOf, consoleHref } from './data/address.ts'
import type { ConsoleAddress } from './data/address.ts'
import { screenFailureOf } from './data/failure.ts'
import { createPoller } from './data/poller.ts'
import { createPreferences, THEMES } from './data/preferences.ts'
import type { Theme } from './data/preferences.ts'
import { mayAs, screensFor } from './screens/screens.ts'
import type { ScreenEntry } from './screens/screens.ts'
import './shell/action-dialog.ts'
import type { ActionDialog } from './shell/action-dialog.ts'
import { ConsoleElement } from './shell/console-element.ts'
import './shell/find-box.ts'
import type { FindBox } from './shell/find-box.ts'
import { focusHeading, markIn, markOf, markOfLink } from './shell/focus.ts'
import type { FocusMark } from './shell/focus.ts'
import './shell/help-dialog.ts'
import type { HelpDialog } from './shell/help-dialog.ts'
import type { Host } from './shell/host.ts'
import { createKeyReader } from './shell/keys.ts'
import { followLinks, isWriting } from './shell/page-events.ts'
import './shell/sign-in.ts'

/** Longer than the server's own deadlines for an admin call. */
const DEADLINE_MS = 20_000

type Phase =
  | { readonly at: 'connecting' }
  | { readonly at: 'unreachable' }
  | { readonly at: 'signed-out'; readonly hasEnded: boolean }
  | { readonly at: 'signed-in'; readonly host: Host }

const themeWords = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

class ConsoleApp extends ConsoleElement {
  static override properties: PropertyDeclarations = {
    ...ConsoleElement.properties,
    phase: { state: true },
    address: { state: true },
    theme: { state: true },
    isMenuOpen: { state: true },
    hasShortcuts: { state: true },
  }
  declare private phase: Phase
  declare private address: ConsoleAddress
  declare private theme: Theme
  declare private isMenuOpen: boolean
  declare private hasShortcuts: boolean

  #preferences = createPreferences(() => localStorage)
  #api = createAdminClient({
    url: location.origin,
    deadlineMs: DEADLINE_MS,
    // Messages of the server come in the language of the console, not of the browser.
    request: (address, init) => {
      const headers = new Headers(init?.headers)
      headers.set('accept-language', this.language)
      return fetch(address, { ...init, headers })
    },
  })
  #poller = createPoller({
    isHidden: () => document.hidden,
    setTimer: (run, ms) => window.setTimeout(run, ms),
    clearTimer: (timer) => window.clearTimeout(timer),
  })
  #readKey = createKeyReader()
  #focusOnArrival: FocusMark | undefined

  constructor() {
    super()
    const { hasShortcuts = true, language, theme = 'system' } = this.#preferences.read()
    this.language = firstSpoken(language, ...navigator.languages)
    this.hasShortcuts = hasShortcuts
    this.isMenuOpen = false
    this.address = currentAddress()
    this.phase = { at: 'connecting' }
    this.#setTheme(theme)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('visibilitychange', () => this.#poller.visibilityChanged())
    window.addEventListener('popstate', ({ state }) => void this.#arrive(markIn(state)))
    followLinks((href) => this.#go(href))
    document.addEventListener('keydown', (event) => this.#pressed(event))
    void this.#connect()
  }

  async #connect(): Promise<void> {
    this.phase = { at: 'connecting' }
    try {
      this.#signedIn(await this.#api.session())
    } catch (error) {
      const { kind } = screenFailureOf(error)
      this.phase = kind === 'lost' ? { at: 'unreachable' } : { at: 'signed-out', hasEnded: false }
    }
  }

  #signedIn(session: SessionView): void {
    const host: Host = {
      api: this.#api,
      session,
      now: () => Date.now(),
      may: (role) => mayAs(session.role, role),
      go: (href) => this.#go(href),
      act: (action) => void this.querySelector<ActionDialog>('action-dialog')?.open(action),
      focusOnArrival: () => this.#focusOnArrival,
      poll: (job) => this.#poller.start(job),
      reload: () => this.#poller.pollNow(),
      lostSession: () => this.#signedOut(true),
    }
    this.phase = { at: 'signed-in', host }
    this.#title()
  }

  async #enter(session: SessionView): Promise<void> {
    this.#signedIn(session)
    await this.#screenShown()
    focusHeading()
  }

  #signedOut(hasEnded: boolean): void {
    this.#poller.stop()
    this.phase = { at: 'signed-out', hasEnded }
  }

  async #signOut(): Promise<void> {
    try {
      await this.#api.signOut()
    } catch {
      // The session may have ended already; without the server it cannot be ended, and the cookie expires by itself.
    }
    this.#signedOut(false)
  }

  get #screens(): ScreenEntry[] {
    return this.phase.at === 'signed-in' ? screensFor(this.phase.host.session) : []
  }

  get #current(): ScreenEntry | undefined {
    const { screen } = this.address
    const screens = this.#screens
    return screen === '' ? screens[0] : screens.find(({ id }) => id === screen)
  }

  #go(href: string): void {
    const left = location.pathname + location.search
    if (new URL(href, location.href).href !== location.href) {
      history.replaceState({ focus: markOf(document.activeElement) }, '')
      history.pushState({}, '', href)
    }
    // Leads from one subject to its row in the list, as Back would.
    const { rest, screen } = currentAddress()
    const isUp = screen === this.address.screen && rest.length < this.address.rest.length
    void this.#arrive(isUp ? markOfLink(left) : undefined)
  }

  async #arrive(focus: FocusMark | undefined): Promise<void> {
    const before = this.address
    this.#focusOnArrival = focus
    this.address = currentAddress()
    this.isMenuOpen = false
    this.#title()
    await this.#screenShown()
    const isSame = before.screen === this.address.screen && before.rest.join('/') === this.address.rest.join('/')
    // Filters change the same view: the focus stays where the operator works.
    if (isSame && document.activeElement?.checkVisibility() === true && document.activeElement !== document.body) return
    if (!isSame) window.scrollTo({ top: 0, behavior: 'instant' })
    focusHeading()
  }

  /** With its heading; the data may follow. */
  async #screenShown(): Promise<void> {
    await this.updateComplete
    await this.querySelector<ConsoleElement>('#content > *')?.updateComplete
  }

  #title(): void {
    const name = this.#current?.name[this.language]
    document.title = [...this.address.rest.slice(0, 1), name, `MangaAssist ${this.shellSay('console')}`]
      .filter((part) => part !== undefined)
      .join(' · ')
    document.documentElement.lang = this.language
  }

  #setTheme(theme: Theme): void {
    this.theme = theme
    document.documentElement.dataset['theme'] = theme
  }

  #nextTheme(): void {
    const next = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? 'system'
    this.#preferences.write({ theme: next })
    this.#setTheme(next)
    // Charts are drawn with the colours of the moment.
    window.dispatchEvent(new Event('console-theme'))
  }

  #otherLanguage(): void {
    this.language = otherThan(this.language)
    this.#preferences.write({ language: this.language })
    this.#title()
  }

  #pressed(event: KeyboardEvent): void {
    if (this.phase.at !== 'signed-in' || this.querySelector('dialog[open]') !== null) return
    const command = this.#readKey({
      key: event.key,
      hasModifier: event.ctrlKey || event.metaKey || event.altKey,
      isComposing: event.isComposing,
      isWriting: isWriting(event.target),
      at: event.timeStamp,
    })
    if (command === undefined || event.defaultPrevented) return
    if (command.do === 'leave') return this.#leave()
    if (!this.hasShortcuts) return
    event.preventDefault()
    if (command.do === 'go') return this.#goByKey(command.key)
    if (command.do === 'find') this.querySelector<FindBox>('find-box')?.begin()
    else if (command.do === 'help') this.querySelector<HelpDialog>('help-dialog')?.open()
    else this.phase.host.reload()
  }

  #goByKey(pressed: string): void {
    const screen = this.#screens.find(({ key }) => key === pressed)
    if (screen !== undefined) this.#go(consoleHref({ screen: screen.id }))
  }

  #leave(): void {
    this.isMenuOpen = false
    if (isWriting(document.activeElement) && document.activeElement instanceof HTMLElement)
      document.activeElement.blur()
  }

  protected override render(): TemplateResult {
    const { phase } = this
    const say = this.shellSay
    switch (phase.at) {
      case 'connecting':
        return html`<main class="sign-in" id="content"><p role="status">${say('connecting')}</p></main>`
      case 'unreachable':
        return html`<main class="sign-in" id="content">
          <h1>MangaAssist ${say('console')}</h1>
          <p class="note warning" role="alert">${say('noServer')}</p>
          <button type="button" class="primary" @click=${() => void this.#connect()}>${say('tryAgain')}</button>
        </main>`
      case 'signed-out':
        return html`<sign-in
          .language=${this.language}
          .api=${this.#api}
          .hasEnded=${phase.hasEnded}
          @signed-in=${(event: CustomEvent<SessionView>) => void this.#enter(event.detail)}
        ></sign-in>`
      case 'signed-in':
        return this.#frame(phase.host)
    }
  }

  #frame(host: Host): TemplateResult {
    const current = this.#current
    const { address, language } = this
    return html`<a class="skip" href="#content">${this.shellSay('skip')}</a>
      ${this.#head(host.session)}
      <div class="frame" @go=${(event: CustomEvent<string>) => this.#go(event.detail)}>
        ${this.#navigation(current)}
        <main id="content" tabindex="-1" data-screen=${current?.id ?? nothing}>
          ${
            current === undefined
              ? html`<h1 tabindex="-1">404</h1>
                  <p class="note">${this.shellSay('unknownScreen')}</p>`
              : current.view({ host, language, address })
          }
        </main>
      </div>
      <action-dialog .language=${language} @action-closed=${() => host.reload()}></action-dialog>
      <help-dialog
        .language=${language}
        .hasShortcuts=${this.hasShortcuts}
        .screens=${this.#screens.map(({ key, name }) => ({
          keys: `g ${key}`,
          text: this.shellSay('helpGo', { screen: name[language] }),
        }))}
        @shortcuts=${(event: CustomEvent<boolean>) => this.#useShortcuts(event.detail)}
      ></help-dialog>`
  }

  #useShortcuts(hasShortcuts: boolean): void {
    this.hasShortcuts = hasShortcuts
    this.#preferences.write({ hasShortcuts })
  }

  #head({ name, role }: SessionView): TemplateResult {
    const say = this.shellSay
    return html`<header
      class=${this.isMenuOpen ? 'head menu-open' : 'head'}
      @go=${(event: CustomEvent<string>) => this.#go(event.detail)}
    >
      <button
        type="button"
        class="quiet menu-button"
        aria-expanded=${this.isMenuOpen}
        aria-controls="navigation"
        data-testid="menu"
        @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
      >
        ${say('menu')}
      </button>
      <a class="brand" href=${consoleHref({ screen: '' })}>MangaAssist <span>${say('console')}</span></a>
      <find-box .language=${this.language} .api=${this.#api}></find-box>
      <div class="head-tools">
        <button type="button" class="quiet" data-testid="theme" @click=${() => this.#nextTheme()}>
          ${say('theme', { theme: say(themeWords[this.theme]) })}
        </button>
        <button
          type="button"
          class="quiet"
          data-testid="language"
          lang=${otherThan(this.language)}
          aria-label=${say('otherLanguageLabel')}
          @click=${() => this.#otherLanguage()}
        >
          ${say('otherLanguage')}
        </button>
        <span class="who" data-testid="who">${say('signedInAs', { name, role })}</span>
        <button type="button" class="quiet" data-testid="sign-out" @click=${() => void this.#signOut()}>
          ${say('signOut')}
        </button>
      </div>
    </header>`
  }

  #navigation(current: ScreenEntry | undefined): TemplateResult {
    return html`<nav id="navigation" class=${this.isMenuOpen ? 'open' : ''} aria-label=${this.shellSay('screens')}>
      <ul>
        ${this.#screens.map(
          ({ id, key, name }) =>
            html`<li>
              <a
                href=${consoleHref({ screen: id })}
                aria-current=${current?.id === id ? 'page' : nothing}
                data-screen-link=${id}
                >${name[this.language]} <kbd aria-hidden="true">g ${key}</kbd></a
              >
            </li>`,
        )}
      </ul>
    </nav>`
  }
}

function currentAddress(): ConsoleAddress {
  return addressOf(location) ?? { screen: '?', rest: [], query: {} }
}

customElements.define('console-app', ConsoleApp)
