// Templates that several pages share: a book on the shelf, its skeleton while it loads, and the notes about a failed
// request and a missing page.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { cover } from '../covers/cover.ts'
import { languageOf, otherThan } from '../language.ts'
import { lengthAndStatusOf, stockOf } from '../stock.ts'
import { seriesHref } from './routes.ts'
import type { Series } from './store-api.ts'
import type { SayStore } from './store-element.ts'

export function bookView(series: Series, language: Language, say: SayStore): TemplateResult {
  const { id, title, author } = series
  const other = otherThan(language)
  return html`<li class="book" data-testid="book" data-product=${id}>
    <a class="book-link" href=${seriesHref(id)}>
      <span class="book-cover">${cover(series)}</span>
      <span class="book-title" lang=${language}>${title[language]}</span>
    </a>
    ${title[other] === title[language] ? nothing : html`<span class="book-other" lang=${other}>${title[other]}</span>`}
    ${author === undefined ? nothing : html`<span class="book-author" lang=${languageOf(author)}>${author}</span>`}
    <span class="book-facts">${lengthAndStatusOf(series, say)}</span>
    <span class="book-buy">
      <strong>${say('pricePerVolume', series.pricePerVolumeYen)}</strong>${stockView(series, say)}
    </span>
  </li>`
}

export function stockView(series: Pick<Series, 'stock'>, say: SayStore): TemplateResult {
  const { level, text } = stockOf(series, say)
  return html`<span class="stock ${level}" data-stock=${level}>${text}</span>`
}

export function skeletons(count: number): TemplateResult[] {
  return Array.from(
    { length: count },
    () =>
      html`<li class="book skeleton" aria-hidden="true">
        <span class="book-cover"></span><span class="bone"></span><span class="bone short"></span>
      </li>`,
  )
}

export function failedView(say: SayStore, retry: () => void): TemplateResult {
  return html`<div class="state" role="alert" data-testid="error">
    <h2>${say('errorTitle')}</h2>
    <p>${say('errorText')}</p>
    <button class="button" type="button" data-testid="retry" @click=${retry}>${say('retry')}</button>
  </div>`
}

export function missingView(say: SayStore): TemplateResult {
  return html`<div class="state missing" data-testid="not-found">
    <p class="missing-mark" aria-hidden="true">404</p>
    <h1 tabindex="-1">${say('notFoundTitle')}</h1>
    <p>${say('notFoundText')}</p>
    <a class="button" href="/">${say('backHome')}</a>
  </div>`
}
