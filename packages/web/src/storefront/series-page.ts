// The page of one series: description, price, stock, and buttons that ask the assistant about it.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import { cover } from '../covers/cover.ts'
import { genreNames, nameOf, readershipNames } from '../i18n.ts'
import { languageOf, otherThan } from '../language.ts'
import { volumesOf } from '../stock.ts'
import { bookView, failedView, missingView, stockView } from './parts.ts'
import { homeHref, noFilters } from './routes.ts'
import { NotFound, readSeries } from './store-api.ts'
import type { Remote, SeriesDetail } from './store-api.ts'
import { StoreElement } from './store-element.ts'

const questions = [
  ['askWho', 'questionWho'],
  ['askOrder', 'questionOrder'],
  ['askSimilar', 'questionSimilar'],
] as const

class SeriesPage extends StoreElement {
  static override properties: PropertyDeclarations = {
    seriesId: { attribute: false },
    found: { state: true },
  }
  declare seriesId: string
  declare private found: Remote<SeriesDetail>

  constructor() {
    super()
    this.seriesId = ''
    this.found = { type: 'loading' }
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('seriesId')) this.found = { type: 'loading' }
    // When the language changes, the page stays while its texts are loaded.
    if (changed.has('seriesId') || changed.has('language')) void this.#load()
  }

  async #load(): Promise<void> {
    const { seriesId, language } = this
    const found = await readSeries(seriesId, language).then(
      (data): Remote<SeriesDetail> => ({ type: 'ready', data }),
      (error: unknown): Remote<SeriesDetail> => ({ type: error instanceof NotFound ? 'missing' : 'failed' }),
    )
    if (seriesId !== this.seriesId || language !== this.language) return
    this.found = found
    const title = found.type === 'ready' ? found.data.title[language] : undefined
    this.dispatchEvent(new CustomEvent('titled', { detail: title, bubbles: true }))
  }

  protected override render(): TemplateResult {
    const { found, say } = this
    switch (found.type) {
      case 'ready':
        return this.#series(found.data)
      case 'missing':
        return missingView(say)
      case 'failed':
        return failedView(say, () => {
          this.found = { type: 'loading' }
          void this.#load()
        })
      case 'loading':
        return html`<div class="series skeleton" aria-busy="true">
          <span class="series-cover"></span>
          <div class="series-body">
            <span class="bone title"></span><span class="bone"></span><span class="bone"></span
            ><span class="bone short"></span>
          </div>
        </div>`
    }
  }

  #series(series: SeriesDetail): TemplateResult {
    const { say, language } = this
    const other = otherThan(language)
    return html`<nav class="crumbs" aria-label=${say('breadcrumb')}>
        <a href="/">${say('navCatalogue')}</a><span aria-hidden="true">›</span>
        <span aria-current="page" lang=${language}>${series.title[language]}</span>
      </nav>
      <article class="series" data-testid="series">
        <div class="series-cover">${cover(series)}</div>
        <div class="series-body">
          <h1 tabindex="-1" lang=${language}>${series.title[language]}</h1>
          <p class="series-other">
            <span lang=${other}>${series.title[other]}</span>
            ${series.romaji === series.title.en ? nothing : html`<span class="romaji" lang="ja-Latn">${series.romaji}</span>`}
          </p>
          ${textView('series-author', series.author)} ${textView('synopsis', series.synopsis)} ${this.#purchase(series)}
          ${this.#facts(series)} ${this.#chips(series)}
        </div>
      </article>
      ${this.#similar(series)}`
  }

  #purchase(series: SeriesDetail): TemplateResult {
    const { say, language } = this
    const about = (word: (typeof questions)[number][1]) => say(word).replace('{title}', series.title[language])
    return html`<div class="purchase">
      <p class="price">
        <strong data-testid="price">${say('pricePerVolume', series.pricePerVolumeYen)}</strong
        ><span>${say('perVolume')}</span>${stockView(series, say)}
      </p>
      <button class="button primary" type="button" data-testid="ask-about-this" @click=${() => this.openAssistant()}>
        ${say('askAboutThis')}
      </button>
      <ul class="chips questions" aria-label=${say('askAbout')}>
        ${questions.map(
          ([label, question]) =>
            html`<li>
              <button
                class="chip"
                type="button"
                data-testid="ask-question"
                @click=${() => this.askAssistant(about(question), 'send')}
              >
                ${say(label)}
              </button>
            </li>`,
        )}
      </ul>
    </div>`
  }

  #facts(series: SeriesDetail): TemplateResult {
    const { say, language } = this
    const { demographic, firstYear, labels, magazine, status } = series
    const readership =
      labels?.demographic ?? (demographic === undefined ? undefined : nameOf(readershipNames, demographic, language))
    const facts: [string, string | undefined][] = [
      [say('volumesLabel'), volumesOf(series, say)],
      [say('status'), status === undefined ? undefined : say(status)],
      [say('readership'), readership],
      [say('magazine'), magazine],
      [say('firstYear'), firstYear === undefined ? undefined : `${firstYear}${say('year')}`],
    ]
    return html`<dl class="facts">
      ${facts.map(([name, value]) =>
        value === undefined
          ? nothing
          : html`<div>
              <dt>${name}</dt>
              <dd lang=${languageOf(value)}>${value}</dd>
            </div>`,
      )}
    </dl>`
  }

  #chips({ genres, moods, labels }: SeriesDetail): TemplateResult {
    const { say, language } = this
    const ofGenres = genres.map(
      (genre, index) =>
        html`<a class="chip" href=${homeHref({ ...noFilters, genre })}
          >${labels?.genres[index] ?? nameOf(genreNames, genre, language)}</a
        >`,
    )
    const ofMoods = moods.map((mood, index) => html`<span class="chip plain">${labels?.moods[index] ?? mood}</span>`)
    return html`<dl class="labels">${chipsView(say('genre'), ofGenres)} ${chipsView(say('moods'), ofMoods)}</dl>`
  }

  #similar({ similar }: SeriesDetail) {
    if (similar.length === 0) return nothing
    return html`<section class="similar" aria-labelledby="similar-title">
      <h2 id="similar-title">${this.say('similar')}</h2>
      <ul class="grid" data-testid="similar">
        ${similar.map((series) => bookView(series, this.language, this.say))}
      </ul>
    </section>`
  }
}

function chipsView(name: string, chips: readonly TemplateResult[]) {
  if (chips.length === 0) return nothing
  return html`<div>
    <dt>${name}</dt>
    <dd class="chips">${chips}</dd>
  </div>`
}

function textView(name: string, text: string | undefined) {
  return text === undefined ? nothing : html`<p class=${name} lang=${languageOf(text)}>${text}</p>`
}

customElements.define('series-page', SeriesPage)

declare global {
  interface HTMLElementEventMap {
    titled: CustomEvent<string | undefined>
  }
}
