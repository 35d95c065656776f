// Search, order and filters of the shelf: one form that works without a script. A genre is a link, because it is chosen most often;
// the others are fields, which a script submits as soon as they change.
import { PLAIN_SHELF, shelfPath } from '../addresses.ts'
import type { ShelfQuery } from '../addresses.ts'
import { genreName, readershipName, READERSHIPS_SHOWN } from '../names.ts'
import { attribute, html } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext } from '../store-page.ts'

export interface FiltersParts {
  readonly context: StoreContext
  readonly query: ShelfQuery
  readonly genres: readonly (readonly [genre: string, count: number])[]
}

type Option = readonly [value: string, text: string]

interface Choice {
  readonly name: keyof ShelfQuery
  readonly label: string
  /** The text of the first option, which chooses nothing. */
  readonly any: string
  readonly options: readonly Option[]
}

const GENRES_FIRST = 12
const STATUSES = ['running', 'completed', 'hiatus'] as const
const PRICES_YEN = [500, 600, 800]
const TOTALS_YEN = [3000, 5000, 10_000, 20_000]
const LENGTHS = [1, 5, 10, 20]
const AGES = [6, 8, 10, 12, 15]

export function filtersView(parts: FiltersParts, heading: Html): Html {
  const { context, query } = parts
  const { href, say } = context
  const narrowed = shelfPath({ ...query, q: '', genre: '', sort: '', page: 1 }) !== '/'
  return html`<form
    class="shelf-form"
    role="search"
    method="get"
    action="${href('/')}"
    data-testid="search"
    data-in-place
  >
    <div class="shelves-head">
      ${heading}
      <div class="search">
        <label class="unseen" for="q">${say('searchLabel')}</label>
        <input
          id="q"
          name="q"
          type="search"
          autocomplete="off"
          enterkeyhint="search"
          maxlength="200"
          placeholder="${say('searchPlaceholder')}"
          value="${query.q}"
        />
        <button class="button" type="submit">${say('search')}</button>
      </div>
    </div>
    ${genreChips(parts)} ${query.genre !== '' && html`<input type="hidden" name="genre" value="${query.genre}" />`}
    <div class="selects">
      ${select(query, sortChoice(query, context))}
      <details class="filters" data-testid="filters" ${attribute('open', narrowed)}>
        <summary class="chip">${say('filters')}</summary>
        <div class="selects">
          ${choices(context).map((choice) => select(query, choice))}
          <label class="check">
            <input
              id="f-inStock"
              type="checkbox"
              name="inStock"
              value="true"
              data-testid="filter-in-stock"
              ${attribute('checked', query.inStock)}
            />${say('inStockOnly')}
          </label>
          <button class="button apply" type="submit">${say('apply')}</button>
        </div>
      </details>
      ${shelfPath({ ...query, page: 1 }) !== '/' && html`<a class="clear" href="${href('/')}" data-testid="clear-filters">${say('clearFilters')}</a>`}
    </div>
  </form>`
}

function choices({ language, say }: StoreContext): readonly Choice[] {
  const any = say('any')
  const numbers = (values: readonly number[], word: 'upToYen' | 'upToVolumes' | 'ageFor'): readonly Option[] =>
    values.map((value) => [String(value), say(word, value)])
  return [
    { name: 'priceMax', label: say('pricePerOne'), any, options: numbers(PRICES_YEN, 'upToYen') },
    { name: 'totalMax', label: say('priceOfAll'), any, options: numbers(TOTALS_YEN, 'upToYen') },
    { name: 'volumesMax', label: say('length'), any, options: numbers(LENGTHS, 'upToVolumes') },
    { name: 'age', label: say('age'), any, options: numbers(AGES, 'ageFor') },
    { name: 'status', label: say('status'), any, options: STATUSES.map((status) => [status, say(status)]) },
    {
      name: 'demographic',
      label: say('readership'),
      any,
      options: READERSHIPS_SHOWN.map((key) => [key, readershipName(key, language)]),
    },
  ]
}

function sortChoice({ q }: ShelfQuery, { say }: StoreContext): Choice {
  const options: readonly Option[] = [
    ['popular', say('sortPopular')],
    ['new', say('sortNew')],
    ...(q === '' ? [] : [['title', say('sortTitle')] as const]),
    ['price', say('sortPrice')],
    ['length', say('sortLength')],
  ]
  return { name: 'sort', label: say('sort'), any: say(q === '' ? 'sortTitle' : 'sortBest'), options }
}

/** A value of the address that is not among the options has one too, so that the form shows what applies. */
function select(query: ShelfQuery, { any, label, name, options }: Choice): Html {
  const value = query[name] === PLAIN_SHELF[name] ? '' : String(query[name])
  const known = value === '' || options.some(([id]) => id === value)
  const shown: readonly Option[] = known ? options : [[value, value], ...options]
  return html`<label class="select" for="f-${name}">
    <span>${label}</span>
    <select id="f-${name}" name="${name}" data-testid="filter-${name}">
      <option value="">${any}</option>
      ${shown.map(([id, text]) => html`<option value="${id}" ${attribute('selected', id === value)}>${text}</option>`)}
    </select>
  </label>`
}

/** The chosen genre always has a chip, even when nothing else on the shelf has it. */
function genreChips({ context, genres, query }: FiltersParts): Html {
  const { href, language, say } = context
  const counts = new Map(genres)
  const first = genres.slice(0, GENRES_FIRST).map(([genre]) => genre)
  const shown = query.genre === '' || first.includes(query.genre) ? first : [query.genre, ...first]
  const rest = genres.map(([genre]) => genre).filter((genre) => !shown.includes(genre))
  const chip = (genre: string, name: string): Html => {
    const isChosen = genre === query.genre
    const path = shelfPath({ ...query, genre: isChosen ? '' : genre, page: 1 })
    return html`<a
      class="chip"
      href="${href(path)}"
      ${attribute('aria-current', isChosen && 'true')}
      data-genre="${genre}"
      >${name}${genre !== '' && html` <span class="chip-count">${counts.get(genre) ?? 0}</span>`}</a
    >`
  }
  const named = (genre: string) => chip(genre, genreName(genre, language))
  return html`<nav class="chips" aria-label="${say('genre')}">
    ${chip('', say('allGenres'))} ${shown.map(named)}
    ${
      rest.length > 0 &&
      html`<details class="more-genres">
        <summary class="chip">${say('moreGenres')}</summary>
        <div>${rest.map(named)}</div>
      </details>`
    }
  </nav>`
}
