// The home page: the hero, search and filters, and the shelves. With filters set, the results come first.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { filtersView, searchView } from './filters.ts'
import type { FiltersContext } from './filters.ts'
import { heroView } from './hero.ts'
import { bookView, failedView, skeletons } from './parts.ts'
import { homeHref, isFiltered, noFilters } from './routes.ts'
import type { Filters } from './routes.ts'
import type { Shelf } from './shelf.ts'
import { StoreElement } from './store-element.ts'

const skeletonsShown = 12

class HomePage extends StoreElement {
  static override properties: PropertyDeclarations = { filters: { attribute: false }, shelf: { attribute: false } }
  declare filters: Filters
  /** The app owns the shelf, so that it survives a change of page. */
  declare shelf: Shelf

  constructor() {
    super()
    this.filters = noFilters
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('filters') || changed.has('language')) this.shelf.show(this.filters, this.language)
  }

  protected override render(): TemplateResult {
    const { say, language, filters } = this
    const context: FiltersContext = { say, language, filters, go: (next) => this.#go(next) }
    const filtered = isFiltered(filters)
    return html`${
        filtered
          ? nothing
          : heroView({
              say,
              books: this.shelf.state.items,
              open: () => this.openAssistant(),
              ask: (question) => this.askAssistant(question, 'send'),
            })
      }
      <section class="shelves" aria-labelledby="shelves-title">
        <div class="shelves-head">
          ${filtered ? html`<h1 id="shelves-title" tabindex="-1">${this.#title()}</h1>` : html`<h2 id="shelves-title">${say('catalogue')}</h2>`}
          ${searchView(context)}
        </div>
        ${filtersView(context)} ${this.#results()}
      </section>`
  }

  #title(): string {
    const { q } = this.filters
    if (q === '') return this.say('catalogue')
    return this.language === 'ja' ? `「${q}」${this.say('resultsFor')}` : `“${q}”${this.say('resultsFor')}`
  }

  #results() {
    const { say, language, shelf } = this
    const { items, next, phase } = shelf.state
    if (items.length === 0 && phase === 'failed') return failedView(say, () => shelf.more())
    if (items.length === 0 && phase === 'ready') return this.#empty()
    return html`<p class="count" role="status">${phase === 'loading' ? say('loading') : say('shown', items.length)}</p>
      <ul class="grid" data-testid="catalogue" aria-busy=${phase === 'loading'}>
        ${repeat(
          items,
          ({ id }) => id,
          (series) => bookView(series, language, say),
        )}
        ${phase === 'loading' ? skeletons(skeletonsShown) : nothing}
      </ul>
      ${phase === 'failed' ? failedView(say, () => shelf.more()) : nothing}
      ${
        phase === 'ready' && next !== undefined
          ? html`<button class="button more" type="button" data-testid="load-more" @click=${() => shelf.more()}>
              ${say('loadMore')}
            </button>`
          : nothing
      }`
  }

  #empty(): TemplateResult {
    const { say, filters } = this
    return html`<div class="state" data-testid="empty">
      <h2>${say('emptyTitle')}</h2>
      <p>${say('emptyText')}</p>
      <div class="state-actions">
        <button
          class="button primary"
          type="button"
          @click=${() => (filters.q === '' ? this.openAssistant() : this.askAssistant(filters.q, 'prefill'))}
        >
          ${say('heroAsk')}
        </button>
        <a class="button" href="/">${say('clearFilters')}</a>
      </div>
    </div>`
  }

  #go(filters: Filters): void {
    this.dispatchEvent(new CustomEvent('go', { detail: homeHref(filters), bubbles: true }))
  }
}

customElements.define('home-page', HomePage)

declare global {
  interface HTMLElementEventMap {
    go: CustomEvent<string>
  }
}
