// The home page: the hero with the picks of the day, the front shelves, and the whole catalogue by pages. With a filter or another
// page the catalogue stands alone.
import type { ProductsPage } from '#services/products.ts'
import type { FrontShelves } from '#services/storefront/front.ts'
import { isFiltered, PLAIN_SHELF, seriesPath, shelfPath } from '../addresses.ts'
import type { ShelfQuery } from '../addresses.ts'
import { shareHref } from '../covers/cover-address.ts'
import { genreName } from '../names.ts'
import { attribute, html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { filtersView } from './filters.ts'
import { bookView, coverView, dayInWords } from './parts.ts'
import { webSite } from './structured.ts'

export const PER_PAGE = 24
const EXAMPLES = ['heroExample1', 'heroExample2', 'heroExample3'] as const
/** Covers of the first screen of a shelf that stands alone. */
const AT_ONCE = 4

export interface HomeData {
  readonly query: ShelfQuery
  readonly shelf: ProductsPage
  /** Absent where the catalogue stands alone. */
  readonly front: FrontShelves | undefined
  readonly today: string
}

export function homePage(data: HomeData, context: StoreContext): StorePage {
  const { front, query } = data
  const { say, shopName } = context
  const isPlain = shelfPath({ ...query, page: 1 }) === '/'
  const title = isPlain ? say('heroKicker') : shelfTitle(query, context)
  const pictured = front?.picks[0] ?? data.shelf.items[0]
  const pages = query.page > 1 ? ` (${say('pageNumber', query.page)})` : ''
  return {
    name: 'home',
    title: `${title}${pages}`,
    description: isPlain
      ? say('homeDescription', data.shelf.total).replace('{shop}', shopName)
      : say('shelfDescription', data.shelf.total).replace('{title}', title),
    path: shelfPath(query),
    // Search engines list neither results of a search nor sorted shelves, which repeat the same series.
    isListed: query.q === '' && query.sort === '',
    ...(pictured === undefined ? {} : { picture: shareHref(pictured) }),
    structured: isPlain ? [webSite(context)] : [],
    main: html`${front === undefined ? NOTHING : [heroView(front, context), frontView(front, data.today, context)]}
    ${shelvesView(data, context)}`,
  }
}

function shelfTitle({ genre, q }: ShelfQuery, { language, say }: StoreContext): string {
  if (q !== '') return language === 'ja' ? `「${q}」${say('resultsFor')}` : `“${q}”${say('resultsFor')}`
  return genre === '' ? say('catalogue') : say('genreTitle').replace('{genre}', genreName(genre, language))
}

function heroView({ picks }: FrontShelves, { href, language, say }: StoreContext): Html {
  const question = (word: (typeof EXAMPLES)[number]) =>
    html`<li>
      <button class="balloon" type="button" data-testid="hero-example" data-ask="send" data-question="${say(word)}">
        ${say(word)}
      </button>
    </li>`
  return html`<section class="hero" aria-labelledby="hero-title">
    <div class="hero-text">
      <p class="kicker">${say('heroKicker')}</p>
      <h1 id="hero-title"><span>${say('heroTitle1')}</span> <span>${say('heroTitle2')}</span></h1>
      <p class="lead">${say('heroText')}</p>
      <button class="button primary" type="button" data-testid="hero-ask" data-ask="open">${say('heroAsk')}</button>
      <div class="ask-examples">
        <p class="try">${say('heroTry')}</p>
        <ul class="examples">
          ${EXAMPLES.map(question)}
        </ul>
      </div>
    </div>
    ${
      picks.length > 0 &&
      html`<div class="hero-picks">
        <h2 class="hero-picks-title">${say('picks')}</h2>
        <ul class="hero-books" data-testid="picks">
          ${picks.map(
            (series) =>
              html`<li>
                <a href="${href(seriesPath(series.id))}"
                  >${coverView(series, 'at-once')}<span class="unseen" lang="${language}"
                    >${series.title[language]}</span
                  ></a
                >
              </li>`,
          )}
        </ul>
      </div>`
    }
  </section>`
}

function frontView({ coming, newest, popular }: FrontShelves, today: string, context: StoreContext): Html {
  const { language, say } = context
  const comingBooks = coming.map(({ release: { date, volume }, series }) =>
    bookView(series, context, {
      note: html`<span class="book-facts release"
        >${say('volumeNumber', volume)} · <time datetime="${date}">${dayInWords(date, language, today)}</time></span
      >`,
      // The stock is of the volumes that are out.
      stock: html`<span class="stock out">${say('notOut')}</span>`,
    }),
  )
  return html`${row({ id: 'popular', title: say('shelfPopular'), note: say('popularNote'), books: popular.map((series) => bookView(series, context)), more: { ...PLAIN_SHELF, sort: 'popular' } }, context)}
  ${row({ id: 'coming', title: say('shelfComing'), books: comingBooks }, context)}
  ${row({ id: 'newest', title: say('shelfNew'), note: say('newNote'), books: newest.map((series) => bookView(series, context)), more: { ...PLAIN_SHELF, sort: 'new' } }, context)}`
}

interface Row {
  readonly id: string
  readonly title: string
  readonly note?: string
  readonly books: readonly Html[]
  readonly more?: ShelfQuery
}

function row({ books, id, more, note, title }: Row, { href, say }: StoreContext): Html {
  if (books.length === 0) return NOTHING
  return html`<section class="row" aria-labelledby="${id}-title" data-testid="row-${id}">
    <div class="row-head">
      <h2 id="${id}-title">${title}</h2>
      ${more !== undefined && html`<a href="${href(shelfPath(more))}#shelves">${say('seeAll')}<span class="unseen">: ${title}</span></a>`}
    </div>
    ${note !== undefined && html`<p class="row-note">${note}</p>`}
    <ul class="grid row-books">
      ${books}
    </ul>
  </section>`
}

function shelvesView({ front, query, shelf }: HomeData, context: StoreContext): Html {
  const { say } = context
  const title = shelfTitle(query, context)
  const heading =
    front === undefined ? html`<h1 id="shelves-title">${title}</h1>` : html`<h2 id="shelves-title">${title}</h2>`
  return html`<section class="shelves" id="shelves" aria-labelledby="shelves-title">
    ${filtersView({ context, query, genres: shelf.genres }, heading)}
    <p class="count" role="status" data-testid="count">${say('found', shelf.total)}${sortNote(query, context)}</p>
    ${shelf.total === 0 ? emptyView(query, context) : booksView({ front, query, shelf }, context)}
  </section>`
}

function sortNote({ sort }: ShelfQuery, { say }: StoreContext): Html | false {
  if (sort !== 'popular' && sort !== 'new') return false
  return html`<span class="count-note">${say(sort === 'popular' ? 'popularNote' : 'newNote')}</span>`
}

function booksView({ front, query, shelf }: Pick<HomeData, 'front' | 'query' | 'shelf'>, context: StoreContext): Html {
  const books = shelf.items.map((series, index) =>
    bookView(series, context, { cover: front === undefined && index < AT_ONCE ? 'at-once' : 'later' }),
  )
  return html`<ul class="grid" data-testid="catalogue">
      ${books}
    </ul>
    ${pagesView(query, shelf.total, context)}`
}

/** Links to the page before and after, and to the first and the last. */
function pagesView(query: ShelfQuery, total: number, { href, say }: StoreContext): Html {
  const last = Math.ceil(total / PER_PAGE)
  if (last < 2) return NOTHING
  const link = (page: number, name: string, rel?: 'prev' | 'next'): Html =>
    html`<a
      class="button"
      href="${href(shelfPath({ ...query, page }))}#shelves"
      ${attribute('rel', rel)}${attribute('data-testid', rel && `page-${rel}`)}
      >${name}</a
    >`
  const { page } = query
  return html`<nav class="pages" aria-label="${say('pages')}">
    ${page > 2 && link(1, say('firstPage'))} ${page > 1 && link(Math.min(page - 1, last), say('previousPage'), 'prev')}
    <span aria-current="page">${say('pageOf', page).replace('{last}', String(last))}</span>
    ${page < last && link(page + 1, say('nextPage'), 'next')}
  </nav>`
}

function emptyView(query: ShelfQuery, { href, say }: StoreContext): Html {
  return html`<div class="state" data-testid="empty">
    <h2>${say('emptyTitle')}</h2>
    <p>${say('emptyText')}</p>
    <div class="state-actions">
      <button
        class="button primary"
        type="button"
        data-ask="${query.q === '' ? 'open' : 'prefill'}"
        data-question="${query.q}"
      >
        ${say('heroAsk')}
      </button>
      ${isFiltered(query) && html`<a class="button" href="${href('/')}">${say('clearFilters')}</a>`}
    </div>
  </div>`
}
