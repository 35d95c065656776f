// The panel inside `<manga-assist>`, loaded when it is first needed. It connects the conversation to its views and manages focus,
// scrolling and announcements. The element around it (shell/manga-assist.ts) has the settings and says whether it is open.
import { html, LitElement, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import { chatWords, speak } from '../i18n.ts'
import { otherThan } from '../language.ts'
import { announce, nothingAnnounced } from './announce.ts'
import { createComposer } from './composer.ts'
import { createLogScroll } from './panel/log-scroll.ts'
import { createWiring } from './panel/wiring.ts'
import type { Wiring } from './panel/wiring.ts'
import type { Exchange } from './conversation/exchange.ts'
import { footView, headView, logView } from './panel-view.ts'
import type { PanelContext } from './panel-view.ts'
import { panelContract } from './shell/panel-contract.ts'
import type { Panel, PanelHost, PanelModule, PanelSettings } from './shell/panel-contract.ts'
import { chatStyles } from './styles.ts'

export class ChatPanel extends LitElement implements Panel {
  static override properties: PropertyDeclarations = {
    settings: { attribute: false },
    atEnd: { state: true },
    menuOpen: { state: true },
  }

  declare settings: PanelSettings
  declare private atEnd: boolean
  declare private menuOpen: boolean

  /** Set by `createPanel` before the panel is connected. */
  host: PanelHost | undefined
  #wiring: Wiring | undefined
  #announced = nothingAnnounced
  #wasAnswering = false
  #unread = 0
  #lastShown: number | undefined
  #firstShown: number | undefined
  #keepPlace: (() => void) | undefined
  #scroll = createLogScroll({
    scroller: () => this.#find('.scroller'),
    atEndChanged: (isAtEnd) => (this.atEnd = isAtEnd),
    nearTop: () => void this.#wiring?.conversation.loadEarlier(),
  })
  #composer = createComposer(
    () => this.#submit(),
    (field) => this.#wiring?.fieldTools.written(field),
  )

  constructor() {
    super()
    this.atEnd = true
    this.menuOpen = false
  }

  ask(question: string): void {
    if (this.#wiring?.conversation.ask(question) !== true) this.prefill(question)
  }

  prefill(question: string): void {
    void this.updateComplete.then(() => {
      const field = this.#field()
      if (field === null) return
      field.value = question
      this.#composer.grow(field)
      field.focus()
      field.setSelectionRange(question.length, question.length)
    })
  }

  /** Renders into the element's shadow root: one root for the styles, and for the parts that a page may style. */
  protected override createRenderRoot(): HTMLElement {
    const root = this.getRootNode() as ShadowRoot
    const sheets = chatStyles.flatMap(({ styleSheet }) => styleSheet ?? [])
    // A second panel follows the first when another person signs in.
    root.adoptedStyleSheets = [...new Set([...root.adoptedStyleSheets, ...sheets])]
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#wiring = createWiring({
      panel: this,
      settings: () => this.settings,
      host: () => this.host,
      isShown: () => this.#isShown(),
      changed: () => this.requestUpdate(),
      giveBack: (question) => this.#giveBack(question),
      field: () => this.#field(),
      grow: this.#composer.grow,
      focusField: () => this.#focusConversation(),
    })
    void this.#wiring.conversation.restore()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#wiring?.release()
    this.#wiring = undefined
    this.#scroll.release()
  }

  protected override willUpdate(): void {
    if (this.#isShown()) this.#unread = 0
    else this.menuOpen = false
    this.#wiring?.presence.prepare(this.settings)
    this.#wiring?.conversation.setVisible(this.#isShown())
    this.#announce()
    // Earlier turns are put above what is being read.
    const first = this.#wiring?.conversation.state.exchanges[0]?.id
    if (this.#firstShown !== undefined && first !== this.#firstShown) this.#keepPlace = this.#scroll.holdPlace()
    this.#firstShown = first
  }

  /** Announces answers as they arrive, but not those that a reload restored. */
  #announce(): void {
    const { exchanges = [], answering = false } = this.#wiring?.conversation.state ?? {}
    if (answering || this.#wasAnswering) {
      const say = speak(chatWords, this.settings.language)
      this.#announced = announce(this.#announced, exchanges.at(-1), { say, nowMs: Date.now() })
    }
    if (this.#wasAnswering && !answering && !this.#isShown()) this.host?.showUnread((this.#unread += 1))
    this.#report(answering, exchanges.at(-1))
    this.#wasAnswering = answering
  }

  /** Tells the page, without any text. */
  #report(answering: boolean, last: Exchange | undefined): void {
    if (answering === this.#wasAnswering) return
    if (answering) this.host?.emit('manga-assist-ask', null)
    else this.host?.emit('manga-assist-answer', { turnId: last?.turnId, products: last?.products.length ?? 0 })
  }

  protected override render(): TemplateResult | typeof nothing {
    const context = this.#context()
    if (context === undefined || this.#wiring === undefined) return nothing
    const { inline } = this.settings
    const { shown, side, isModal } = this.#wiring.presence
    const isListed = this.#wiring.history.isOpen
    return html`<section
      class="panel ${inline ? '' : `${shown} at-${side}`}"
      part="panel"
      role=${inline ? 'region' : 'dialog'}
      aria-modal=${!inline && isModal ? 'true' : nothing}
      aria-labelledby="title"
      tabindex="-1"
      data-testid="chat-panel"
      ?hidden=${!this.#isShown()}
      @keydown=${this.#onKey}
      @click=${this.#onClick}
    >
      ${headView(context)} ${isListed ? this.#historyView(context) : nothing} ${logView(context)} ${footView(context)}
      <p class="unseen" aria-live="polite" data-testid="chat-announcer">${this.#announced.text}</p>
    </section>`
  }

  #historyView({ say, language }: PanelContext) {
    if (this.#wiring === undefined) return nothing
    const { conversation, history } = this.#wiring
    if (history.loaded === undefined)
      return html`<p class="waiting" role="status">
        ${say(history.hasFailed ? 'historyUnavailable' : 'historyOpening')}
      </p>`
    return history.loaded.view({
      language,
      currentId: conversation.sessionId(),
      back: () => this.#closeHistory(),
      open: (sessionId) => {
        if (sessionId !== conversation.sessionId()) conversation.open(sessionId)
        this.#closeHistory()
      },
    })
  }

  #closeHistory(): void {
    this.#wiring?.history.close()
    void this.updateComplete.then(() => {
      this.#scroll.showQuestion()
      this.#focusConversation()
    })
  }

  #context(): PanelContext | undefined {
    if (this.#wiring === undefined) return undefined
    const { conversation, history, presence, rendering, tools, fieldTools } = this.#wiring
    const { state } = conversation
    return {
      say: speak(chatWords, this.settings.language),
      language: this.settings.language,
      ...rendering[this.settings.language],
      state,
      cover: this.settings.cover,
      free: state.free,
      tools,
      fieldTools,
      seriesShown: new Set(state.exchanges.flatMap(({ products }) => products.map(({ id }) => id))).size,
      retry: (id) => conversation.retry(id),
      choose: (message) => this.#choose(message),
      rate: conversation.rate,
      explain: conversation.explain,
      opened: conversation.opened,
      inline: this.settings.inline,
      ownGreeting: this.settings.greeting,
      ownSuggestions: this.settings.suggestions,
      atEnd: this.atEnd,
      menuOpen: this.menuOpen,
      layout: presence.layout,
      layouts: this.settings.inline ? [] : presence.offered,
      isListed: history.isOpen,
      toggleMenu: () => (this.menuOpen = !this.menuOpen),
      chooseLayout: (layout) => {
        this.menuOpen = false
        presence.choose(layout)
        this.#find('[data-testid=chat-menu]')?.focus()
      },
      switchLanguage: () => {
        this.menuOpen = false
        this.host?.chooseLanguage(otherThan(this.settings.language))
      },
      askForPerson: () => {
        this.menuOpen = false
        history.close()
        tools.openPerson(this.settings.language)
      },
      on: {
        close: () => this.host?.close(),
        history: () => (history.isOpen ? this.#closeHistory() : history.open()),
        startNew: () => {
          conversation.startNew()
          history.close()
          void this.updateComplete.then(() => this.#focusConversation())
        },
        submit: (event) => {
          event.preventDefault()
          this.#submit()
        },
        stop: () => {
          conversation.stop()
          // The stop button disappears, and the keyboard focus must not disappear with it.
          this.#field()?.focus()
        },
        field: this.#composer.handle,
        input: (event) => this.#composer.grow(event.target as HTMLTextAreaElement),
        scroll: this.#scroll.scrolled,
        toLatest: () => this.#scroll.toEnd(),
      },
    }
  }

  protected override firstUpdated(): void {
    const draft = this.#wiring?.fieldTools.draft ?? ''
    if (draft !== '') this.#giveBack(draft)
  }

  protected override updated(changed: PropertyValues): void {
    const before = changed.get('settings') as PanelSettings | undefined
    const isToggled = changed.has('settings') && before?.open !== this.settings.open
    this.#wiring?.presence.apply(this.settings)
    if (isToggled) this.#takeFocus()
    const { exchanges = [] } = this.#wiring?.conversation.state ?? {}
    // Not before the first words, which must not wait for it. When an attempt failed, it is tried again with each new answer.
    if (exchanges.some(({ phase, text }) => text !== '' || phase.type === 'ended'))
      void this.#wiring?.tools.ended.load()
    const last = exchanges.at(-1)?.id
    const isNew = last !== undefined && last > (this.#lastShown ?? 0)
    this.#lastShown = last ?? this.#lastShown
    // A question goes to the top, and its answer grows below it: at the end the view shows the question and the first
    // line. The log never moves under a reader.
    if (isNew || isToggled) this.#scroll.showQuestion()
    else this.#keepPlace?.()
    this.#keepPlace = undefined
    this.#scroll.refresh()
  }

  #takeFocus(): void {
    const { open, inline, takesFocus } = this.settings
    if (!open || inline || !takesFocus) return
    // On a touch screen, focus in the field would open the keyboard unasked.
    const target = matchMedia('(pointer: fine)').matches ? this.#field() : this.#find('.panel')
    target?.focus({ preventScroll: true })
  }

  #focusConversation(): void {
    // On a touch screen, focus in the field would open the keyboard unasked.
    const target = matchMedia('(pointer: fine)').matches ? this.#field() : this.#find('.scroller')
    target?.focus({ preventScroll: true })
  }

  #submit(): void {
    const field = this.#field()
    const question = field?.value.trim() ?? ''
    if (field === null || question === '' || this.#wiring?.conversation.ask(question) !== true) return
    field.value = ''
    this.#composer.grow(field)
  }

  /** The chosen button disappears, and the keyboard focus must not disappear with it. */
  #choose(message: string): void {
    if (this.#wiring?.conversation.ask(message) === true) this.#focusConversation()
  }

  /** Does nothing, and returns false, when the shopper has begun to write something else. */
  #giveBack(question: string): boolean {
    const field = this.#field()
    if (field === null || field.value !== '') return false
    field.value = question
    this.#composer.grow(field)
    return true
  }

  #onKey = (event: KeyboardEvent): void => {
    // The first Escape cancels a composition in the input method and must not close the panel.
    if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229) return
    const isListed = this.#wiring?.history.isOpen === true
    if (this.settings.inline && !this.menuOpen && !isListed) return
    event.stopPropagation()
    if (this.menuOpen) {
      this.menuOpen = false
      this.#find('[data-testid=chat-menu]')?.focus()
    } else if (isListed) this.#closeHistory()
    else this.host?.close()
  }

  #onClick = (event: Event): void => {
    const path = event.composedPath()
    if (!path.some((target) => target instanceof Element && target.matches('.menu'))) this.menuOpen = false
    // A panel that covers the page that a link opens is closed.
    const link = path.find((target) => target instanceof HTMLAnchorElement && target.href !== '')
    const leavesInPlace = link instanceof HTMLAnchorElement && link.target === ''
    if (!leavesInPlace || this.settings.inline || this.#wiring?.presence.isModal !== true) return
    this.#wiring.presence.leaveByLink()
    this.host?.close()
  }

  #isShown(): boolean {
    return this.settings.inline || this.settings.open
  }

  #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea[data-testid=chat-input]')
  }

  #find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector(selector)
  }
}

export const contract: PanelModule['contract'] = panelContract

export const createPanel: PanelModule['createPanel'] = (host, settings) => {
  if (customElements.get('manga-assist-panel') === undefined) customElements.define('manga-assist-panel', ChatPanel)
  const panel = document.createElement('manga-assist-panel') as ChatPanel
  panel.host = host
  panel.settings = settings
  return panel
}
