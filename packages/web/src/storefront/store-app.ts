// The store around its pages: head, foot, current page, language, and the chat, which is loaded after the page. A new
// page sets focus and scroll position as a page load would.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, TemplateResult } from 'lit'
import type { LanguageChosen, MangaAssist } from '../chat/manga-assist.ts'
import { cover } from '../covers/cover.ts'
import { firstSpoken, otherThan } from '../language.ts'
import { createMemory } from '../memory.ts'
import { missingView } from './parts.ts'
import { createRouter } from './router.ts'
import type { Router } from './router.ts'
import type { Route } from './routes.ts'
import { createShelf } from './shelf.ts'
import { listSeries } from './store-api.ts'
import { StoreElement } from './store-element.ts'
import type { AskAssistant } from './store-element.ts'
import './home-page.ts'
import './series-page.ts'
import './support-page.ts'

class StoreApp extends StoreElement {
  static override properties: PropertyDeclarations = { route: { state: true }, chatReady: { state: true } }
  declare private route: Route
  declare private chatReady: boolean

  #memory = createMemory(location.origin, location.origin)
  #router: Router = createRouter((route, restoredY) => void this.#arrive(route, restoredY))
  #shelf = createShelf(listSeries, () => this.querySelector<StoreElement>('home-page')?.requestUpdate())
  #chat: Promise<void> | undefined

  constructor() {
    super()
    this.route = this.#router.route
    this.chatReady = false
    this.language = firstSpoken(this.#memory.recall().language, ...navigator.languages)
  }

  protected override firstUpdated(): void {
    this.#title()
    void this.#loadChat()
  }

  /** Loads the chat after the first paint, because the shelves come first. */
  #loadChat(): Promise<void> {
    this.#chat ??= import('../chat/manga-assist.ts').then(async ({ defineMangaAssist, MangaAssist }) => {
      MangaAssist.cover = cover
      defineMangaAssist()
      this.chatReady = true
      await this.updateComplete
    })
    return this.#chat
  }

  async #arrive(route: Route, restoredY: number | undefined): Promise<void> {
    const samePage = route.page === this.route.page && route.page === 'home'
    this.route = route
    this.#title()
    await this.updateComplete
    await this.querySelector<StoreElement>('#content > *')?.updateComplete
    if (restoredY !== undefined) return window.scrollTo({ top: restoredY, behavior: 'instant' })
    // A filter changes the same page, so focus and scroll position stay.
    if (samePage) return
    window.scrollTo({ top: 0, behavior: 'instant' })
    this.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true })
  }

  #title(of?: string): void {
    const { say, route } = this
    const page =
      of ??
      { home: say('heroKicker'), series: '', support: say('supportTitle'), 'not-found': say('notFoundTitle') }[
        route.page
      ]
    document.title = [page, say('storeName')].filter((part) => part !== '').join(' | ')
    document.documentElement.lang = this.language
  }

  #speak(language: typeof this.language): void {
    this.#memory.remember({ language })
    this.language = language
    this.#title()
  }

  async #ask(request: AskAssistant): Promise<void> {
    await this.#loadChat()
    const chat = this.querySelector<MangaAssist>('manga-assist')
    if (chat === null) return
    if (request.how === 'open') chat.open = true
    else if (request.how === 'send') chat.ask(request.question)
    else chat.prefill(request.question)
  }

  protected override render(): TemplateResult {
    const { language, route } = this
    return html`<div
      class="store"
      @ask-assistant=${(event: CustomEvent<AskAssistant>) => void this.#ask(event.detail)}
      @go=${(event: CustomEvent<string>) => this.#router.go(event.detail)}
      @titled=${(event: CustomEvent<string | undefined>) => this.#title(event.detail)}
      @manga-assist-language=${(event: CustomEvent<LanguageChosen>) => this.#speak(event.detail.language)}
    >
      ${this.#head()}
      <main id="content" tabindex="-1">${this.#page()}</main>
      <footer class="foot"><p>${this.say('footer')}</p></footer>
      ${
        this.chatReady
          ? html`<manga-assist
              language=${language}
              .product=${route.page === 'series' ? route.id : null}
            ></manga-assist>`
          : nothing
      }
    </div>`
  }

  #head(): TemplateResult {
    const { say, route } = this
    const link = (page: Route['page'], href: string, words: string): TemplateResult =>
      html`<a href=${href} aria-current=${route.page === page ? 'page' : nothing}>${words}</a>`
    return html`<a class="skip" href="#content">${say('skip')}</a>
      <header class="head">
        <a class="brand" href="/" data-testid="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <path d="M4 3h24v19H16l-7 7v-7H4z" fill="currentColor"></path>
            <path d="M9 17V8l7 6 7-6v9" fill="none" stroke="#fff" stroke-width="2.6"></path></svg
          ><span>${say('storeName')}</span>
        </a>
        <nav aria-label=${say('navLabel')}>
          ${link('home', '/', say('navCatalogue'))} ${link('support', '/support', say('navSupport'))}
        </nav>
        <button
          class="language"
          type="button"
          data-testid="language"
          lang=${otherThan(this.language)}
          aria-label=${say('otherLanguageLabel')}
          @click=${() => this.#speak(otherThan(this.language))}
        >
          ${say('otherLanguage')}
        </button>
      </header>`
  }

  #page(): TemplateResult {
    const { route, language } = this
    switch (route.page) {
      case 'home':
        return html`<home-page .language=${language} .filters=${route.filters} .shelf=${this.#shelf}></home-page>`
      case 'series':
        return html`<series-page .language=${language} .seriesId=${route.id}></series-page>`
      case 'support':
        return html`<support-page .language=${language}></support-page>`
      case 'not-found':
        return missingView(this.say)
    }
  }
}

customElements.define('store-app', StoreApp)
