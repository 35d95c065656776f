// Search and filters. Their state is in the page's address: each choice is a link or opens a new address, so that back,
// reload and sharing work.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { genreNames, nameOf, readershipNames } from '../i18n.ts'
import { homeHref, isFiltered } from './routes.ts'
import type { Filters } from './routes.ts'
import type { SayStore } from './store-element.ts'

export interface FiltersContext {
  readonly say: SayStore
  readonly language: Language
  readonly filters: Filters
  readonly go: (filters: Filters) => void
}

const genres = Object.keys(genreNames)
const genresFirst = 12
const statuses = ['running', 'completed', 'hiatus'] as const

export function searchView({ say, filters, go }: FiltersContext): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const q = new FormData(event.target as HTMLFormElement).get('q')
    go({ ...filters, q: typeof q === 'string' ? q.trim() : '' })
  }
  return html`<form class="search" role="search" action="/" data-testid="search" @submit=${submit}>
    <label class="unseen" for="q">${say('searchLabel')}</label>
    <input
      id="q"
      name="q"
      type="search"
      autocomplete="off"
      enterkeyhint="search"
      maxlength="200"
      placeholder=${say('searchPlaceholder')}
      .value=${filters.q}
    />
    <button class="button" type="submit">${say('search')}</button>
  </form>`
}

export function filtersView(context: FiltersContext): TemplateResult {
  const { say, language, filters, go } = context
  return html`<div class="filters" role="group" aria-label=${say('filters')} data-testid="filters">
    ${genreChips(context)}
    <div class="selects">
      ${choice(context, {
        label: say('readership'),
        name: 'demographic',
        options: Object.keys(readershipNames).map((id) => [id, nameOf(readershipNames, id, language)]),
      })}
      ${choice(context, {
        label: say('status'),
        name: 'status',
        options: statuses.map((status) => [status, say(status)]),
      })}
      <label class="check">
        <input
          type="checkbox"
          data-testid="filter-in-stock"
          .checked=${filters.inStock}
          @change=${(event: Event) => go({ ...filters, inStock: (event.target as HTMLInputElement).checked })}
        />${say('inStockOnly')}
      </label>
      ${
        isFiltered(filters)
          ? html`<a class="clear" href="/" data-testid="clear-filters">${say('clearFilters')}</a>`
          : ''
      }
    </div>
  </div>`
}

/** The chosen genre always has a chip, even when only this shop has that genre. */
function genreChips({ say, language, filters }: FiltersContext): TemplateResult {
  const first = genres.slice(0, genresFirst)
  const shown = filters.genre === '' || first.includes(filters.genre) ? first : [filters.genre, ...first]
  const rest = genres.filter((genre) => !shown.includes(genre))
  const chip = (genre: string, name: string): TemplateResult =>
    html`<a
      class="chip"
      href=${homeHref({ ...filters, genre: genre === filters.genre ? '' : genre })}
      aria-current=${genre === filters.genre ? 'true' : 'false'}
      data-genre=${genre}
      >${name}</a
    >`
  return html`<nav class="chips" aria-label=${say('genre')}>
    ${chip('', say('allGenres'))} ${shown.map((genre) => chip(genre, nameOf(genreNames, genre, language)))}
    <details class="more-genres">
      <summary class="chip">${say('moreGenres')}</summary>
      <div>${rest.map((genre) => chip(genre, nameOf(genreNames, genre, language)))}</div>
    </details>
  </nav>`
}

interface Choice {
  readonly label: string
  readonly name: 'demographic' | 'status'
  readonly options: readonly (readonly [string, string])[]
}

function choice({ say, filters, go }: FiltersContext, { label, name, options }: Choice): TemplateResult {
  const change = (event: Event): void => go({ ...filters, [name]: (event.target as HTMLSelectElement).value })
  return html`<label class="select">
    <span>${label}</span>
    <select data-testid=${`filter-${name}`} .value=${filters[name]} @change=${change}>
      <option value="" ?selected=${filters[name] === ''}>${say('any')}</option>
      ${options.map(([id, text]) => html`<option value=${id} ?selected=${filters[name] === id}>${text}</option>`)}
    </select>
  </label>`
}
