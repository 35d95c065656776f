// `<manga-assist>`: the chat as an element, floating with a launcher or `inline` in the page. It connects the
// conversation to its views and manages focus, scrolling and announcements. Its shadow root separates the page's styles
// from ours.
import { createClient } from '@mangaassist/client'
import type { Language } from '@mangaassist/protocol'
import { html, LitElement, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import { chatWords, speak } from '../i18n.ts'
import { firstSpoken, otherThan } from '../language.ts'
import { createMemory } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { accentOf } from './accent.ts'
import { announce, nothingAnnounced } from './announce.ts'
import { createComposer } from './composer.ts'
import { createConversation } from './conversation/conversation.ts'
import type { Conversation } from './conversation/conversation.ts'
import { createServerAccess } from './conversation/server-access.ts'
import type { LinkPolicy } from './markdown/links.ts'
import { createMarkdownRenderer } from './markdown/markdown.ts'
import type { MarkdownRenderer } from './markdown/markdown.ts'
import { pageContext } from './page-context.ts'
import { footView, headView, launcherView, logView } from './panel-view.ts'
import type { PanelContext } from './panel-view.ts'
import type { CardContext } from './product-card-view.ts'
import { sessionLoader } from './conversation/sessions.ts'
import { chatStyles } from './styles.ts'
import { followViewport } from './viewport.ts'

/** Fired when the reader chooses a language in the chat, so that the page can follow. */
export interface LanguageChosen {
  readonly language: Language
}

interface Wiring {
  readonly memory: Memory
  readonly conversation: Conversation
  readonly links: LinkPolicy
  readonly renderer: MarkdownRenderer
  readonly release: () => void
}

const nearEndPx = 60
const aboveQuestionPx = 12
const phone = '(max-width: 560px)'

export class MangaAssist extends LitElement {
  static override properties: PropertyDeclarations = {
    language: { type: String },
    position: { type: String },
    accent: { type: String },
    product: { type: String },
    server: { type: String },
    linkHosts: { type: String, attribute: 'link-hosts' },
    inline: { type: Boolean, reflect: true },
    open: { type: Boolean, reflect: true },
    spoken: { state: true },
    unread: { state: true },
    atEnd: { state: true },
  }
  static override styles = chatStyles
  /** A page that draws covers sets this before it creates the element. */
  static cover: CardContext['cover']

  /** `ja` or `en`. Default: the document's language, else the browser's. */
  declare language: string | null
  /** `left` or `right`. Default: `right`. */
  declare position: string | null
  /** `#rgb` or `#rrggbb`. */
  declare accent: string | null
  /** The id of the series that the page is about: "this one" in a question. */
  declare product: string | null
  /** The server's origin. Default: the page's own. */
  declare server: string | null
  /** Hosts that answers may link to, besides the server's and the page's. */
  declare linkHosts: string | null
  declare inline: boolean
  declare open: boolean
  declare private spoken: Language
  declare private unread: boolean
  declare private atEnd: boolean

  #wiring: Wiring | undefined
  #announced = nothingAnnounced
  #wasAnswering = false
  #exchangesShown = 0
  #composer = createComposer(() => this.#submit())

  constructor() {
    super()
    this.product = null
    this.inline = false
    this.open = false
    this.spoken = 'ja'
    this.unread = false
    this.atEnd = true
  }

  /** Opens the panel and asks at once; while an answer is in flight, the question is put into the field instead. */
  ask(question: string): void {
    this.open = true
    if (this.#wiring?.conversation.ask(question) !== true) this.prefill(question)
  }

  /** Opens the panel and puts a question into the field, where the shopper can still change it. */
  prefill(question: string): void {
    this.open = true
    void this.updateComplete.then(() => {
      const field = this.#field()
      if (field === null) return
      field.value = question
      this.#composer.grow(field)
      field.focus()
      field.setSelectionRange(question.length, question.length)
    })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#wiring = this.#connect()
    this.spoken = firstSpoken(
      this.#wiring.memory.recall().language,
      this.language,
      document.documentElement.lang,
      ...navigator.languages,
    )
    void this.#wiring.conversation.restore()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#wiring?.release()
    this.#wiring = undefined
  }

  #connect(): Wiring {
    const page = location.origin
    const server = new URL(this.server ?? page, page).origin
    const memory = createMemory(server, page)
    const access = createServerAccess({ server, page, memory })
    const hosts = [new URL(server).host, location.host, ...(this.linkHosts?.split(/[\s,]+/) ?? [])]
    const links: LinkPolicy = { base: server, hosts: hosts.filter((host) => host !== '') }
    const conversation = createConversation({
      connect: (events) => createClient({ url: access.socketUrl, ...events }),
      load: sessionLoader(access),
      memory,
      changed: () => this.requestUpdate(),
      where: () => ({ interfaceLanguage: this.spoken, page: pageContext(this.product, location.pathname) }),
      giveBack: (question) => this.#giveBack(question),
    })
    const unfollow = followViewport(this)
    const release = (): void => {
      unfollow()
      conversation.close()
    }
    return { memory, conversation, links, renderer: createMarkdownRenderer(links), release }
  }

  protected override willUpdate(changed: PropertyValues): void {
    // The page changed the language after the start: that overrides what the reader chose earlier.
    if (this.hasUpdated && changed.has('language')) {
      this.spoken = firstSpoken(this.language, document.documentElement.lang, ...navigator.languages)
    }
    if (changed.has('accent')) this.#paint()
    if (this.#isShown()) this.unread = false
    this.#wiring?.conversation.setVisible(this.#isShown())
    this.#announce()
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

  /** Announces answers as they arrive, but not those that a reload restored. */
  #announce(): void {
    const { exchanges = [], answering = false } = this.#wiring?.conversation.state ?? {}
    if (answering || this.#wasAnswering) {
      const say = speak(chatWords, this.spoken)
      this.#announced = announce(this.#announced, exchanges.at(-1), { say, nowMs: Date.now() })
    }
    if (this.#wasAnswering && !answering && !this.#isShown()) this.unread = true
    this.#wasAnswering = answering
  }

  protected override render(): TemplateResult | typeof nothing {
    const context = this.#context()
    if (context === undefined) return nothing
    const { say } = context
    const side = this.position === 'left' ? 'left' : 'right'
    return html`<div class="root ${this.inline ? 'inline' : 'floating'} ${side}" lang=${this.spoken}>
      ${this.#isShown() ? nothing : launcherView(say, this.unread, () => (this.open = true))}
      <section
        class="panel"
        role=${this.inline ? 'region' : 'dialog'}
        aria-labelledby="title"
        tabindex="-1"
        data-testid="chat-panel"
        ?hidden=${!this.#isShown()}
        @keydown=${this.#onKey}
        @click=${this.#onClick}
      >
        ${headView(context)} ${logView(context)} ${footView(context)}
        <p class="unseen" aria-live="polite" data-testid="chat-announcer">${this.#announced.text}</p>
      </section>
    </div>`
  }

  #context(): PanelContext | undefined {
    if (this.#wiring === undefined) return undefined
    const { conversation, links, renderer } = this.#wiring
    const { state } = conversation
    return {
      say: speak(chatWords, this.spoken),
      language: this.spoken,
      links,
      renderer,
      state,
      cover: MangaAssist.cover,
      free: !state.answering && state.busy?.paused !== true,
      retry: (id) => conversation.retry(id),
      choose: (message) => this.#choose(message),
      rate: conversation.rate,
      explain: conversation.explain,
      opened: conversation.opened,
      inline: this.inline,
      atEnd: this.atEnd,
      on: {
        close: () => (this.open = false),
        startNew: () => {
          conversation.startNew()
          this.#field()?.focus()
        },
        switchLanguage: () => this.#chooseLanguage(),
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
        scroll: (event) => this.#onScroll(event.target as HTMLElement),
        toLatest: () => this.#toEnd('smooth'),
      },
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('open') && !this.inline) this.#moveFocus(changed.get('open') as boolean | undefined)
    const { exchanges = [] } = this.#wiring?.conversation.state ?? {}
    const isNew = exchanges.length > this.#exchangesShown
    this.#exchangesShown = exchanges.length
    // A question goes to the top, and its answer grows below it: at the end the view shows the question and the first
    // line. The log never moves under a reader.
    if (isNew || changed.has('open')) this.#showLatest()
    const scroller = this.#find('.scroller')
    if (scroller !== null) this.#onScroll(scroller)
  }

  #showLatest(): void {
    const scroller = this.#find('.scroller')
    const latest = scroller?.querySelector('.exchange:last-of-type')
    if (scroller === null || latest === null || latest === undefined) return
    const above = latest.getBoundingClientRect().top - scroller.getBoundingClientRect().top
    scroller.scrollTo({ top: scroller.scrollTop + above - aboveQuestionPx, behavior: 'instant' })
  }

  #moveFocus(wasOpen: boolean | undefined): void {
    if (this.open) {
      // On a touch screen, focus in the field would open the keyboard unasked.
      const target = matchMedia('(pointer: fine)').matches ? this.#field() : this.#find('.panel')
      target?.focus({ preventScroll: true })
    } else if (wasOpen === true) {
      this.#find('.launcher')?.focus({ preventScroll: true })
    }
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
    if (this.#wiring?.conversation.ask(message) !== true) return
    // On a touch screen, focus in the field would open the keyboard unasked.
    const target = matchMedia('(pointer: fine)').matches ? this.#field() : this.#find('.scroller')
    target?.focus({ preventScroll: true })
  }

  /** Does nothing when the shopper has begun to write something else. */
  #giveBack(question: string): void {
    const field = this.#field()
    if (field === null || field.value !== '') return
    field.value = question
    this.#composer.grow(field)
  }

  #chooseLanguage(): void {
    this.spoken = otherThan(this.spoken)
    this.#wiring?.memory.remember({ language: this.spoken })
    const detail: LanguageChosen = { language: this.spoken }
    this.dispatchEvent(new CustomEvent('manga-assist-language', { detail, bubbles: true, composed: true }))
  }

  #onKey = (event: KeyboardEvent): void => {
    // The first Escape cancels a composition in the input method and must not close the panel.
    if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229 || this.inline) return
    event.stopPropagation()
    this.open = false
  }

  /** On a phone the panel covers the page that a link opens, so it is closed. */
  #onClick = (event: Event): void => {
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement && target.href !== '')
    const leavesInPlace = link instanceof HTMLAnchorElement && link.target === ''
    if (leavesInPlace && !this.inline && matchMedia(phone).matches) this.open = false
  }

  #onScroll({ scrollHeight, scrollTop, clientHeight }: HTMLElement): void {
    this.atEnd = scrollHeight - scrollTop - clientHeight < nearEndPx
  }

  #toEnd(behavior: ScrollBehavior): void {
    const scroller = this.#find('.scroller')
    if (scroller === null) return
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: calm ? 'instant' : behavior })
  }

  #isShown(): boolean {
    return this.inline || this.open
  }

  #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea')
  }

  #find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector(selector)
  }
}

/** Defines the element once: a page may contain the script's tag twice. */
export function defineMangaAssist(): void {
  if (customElements.get('manga-assist') === undefined) customElements.define('manga-assist', MangaAssist)
}

declare global {
  interface HTMLElementTagNameMap {
    'manga-assist': MangaAssist
  }
}
