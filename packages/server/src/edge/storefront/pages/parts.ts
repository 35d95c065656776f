// Templates that several pages share: a cover, a book on a shelf, stock and length in words.
import type { Language, ProductCard } from '@mangaassist/protocol'
import { fromIsoTime } from '#lib/time/from-iso-time.ts'
import { coverHref } from '../covers/cover-address.ts'
import { seriesPath } from '../addresses.ts'
import { attribute, html } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext } from '../store-page.ts'
import type { Say } from '../words.ts'

const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u
const FEW_LEFT_MAX = 5

/** For the `lang` attribute, which selects fonts and voices: a page in one language holds texts in the other. */
export function languageOfText(text: string): Language {
  return JAPANESE.test(text) ? 'ja' : 'en'
}

/** Whether the names differ in more than capital letters. */
export function isOtherName({ en, ja }: ProductCard['title']): boolean {
  return en.toLowerCase() !== ja.toLowerCase()
}

export const otherThan = (language: Language): Language => (language === 'ja' ? 'en' : 'ja')

/** Pictures of the first screen are loaded at once, the others when the reader comes near them. */
export function coverView(series: Pick<ProductCard, 'id' | 'title' | 'genres'>, when: 'at-once' | 'later'): Html {
  return html`<img
    class="cover"
    src="${coverHref(series)}"
    alt=""
    width="200"
    height="300"
    decoding="async"
    ${attribute('loading', when === 'later' && 'lazy')}
  />`
}

export function bookView(
  series: ProductCard,
  { href, language, say }: StoreContext,
  more: { readonly cover?: 'at-once' | 'later'; readonly note?: Html; readonly stock?: Html } = {},
): Html {
  const { author, id, title } = series
  const other = otherThan(language)
  return html`<li class="book" data-testid="book" data-product="${id}">
    <a class="book-link" href="${href(seriesPath(id))}">
      <span class="book-cover">${coverView(series, more.cover ?? 'later')}</span>
      <span class="book-title" lang="${language}">${title[language]}</span>
    </a>
    ${isOtherName(title) && html`<span class="book-other" lang="${other}">${title[other]}</span>`}
    ${author !== undefined && html`<span class="book-author" lang="${languageOfText(author)}">${author}</span>`}
    ${more.note ?? html`<span class="book-facts">${lengthAndStatusOf(series, say)}</span>`}
    <span class="book-buy">
      <strong>${say('pricePerVolume', series.pricePerVolumeYen)}</strong>${more.stock ?? stockView(series.stock, say)}
    </span>
  </li>`
}

export interface StockWords {
  readonly level: 'in' | 'few' | 'out'
  readonly text: string
}

export function stockOf(stock: number, say: Say): StockWords {
  if (stock === 0) return { level: 'out', text: say('outOfStock') }
  if (stock <= FEW_LEFT_MAX) return { level: 'few', text: say('fewLeft', stock) }
  return { level: 'in', text: say('inStock') }
}

export function stockView(stock: number, say: Say): Html {
  const { level, text } = stockOf(stock, say)
  return html`<span class="stock ${level}" data-stock="${level}">${text}</span>`
}

export function volumesOf({ status, volumes }: Pick<ProductCard, 'volumes' | 'status'>, say: Say): string {
  // 「全」 and "so far" say whether the series is finished, which the shop may not know.
  if (status === undefined) return say('volumesOnSale', volumes)
  return say(status === 'completed' ? 'volumes' : 'volumesSoFar', volumes)
}

/** Volumes, and whether the series is finished, if the shop knows. */
export function lengthAndStatusOf(series: Pick<ProductCard, 'volumes' | 'status'>, say: Say): string {
  const { status } = series
  return [volumesOf(series, say), ...(status === undefined ? [] : [say(status)])].join(' · ')
}

/** A date in words, 12月2日 or 2 December, with the year unless it is this year. */
export function dayInWords(date: string, language: Language, today: string): string {
  const format = new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  })
  return format.format(fromIsoTime(`${date}T00:00:00Z`))
}

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** The way to a page. The last crumb is the page itself. */
export function crumbsView(crumbs: readonly Crumb[], { href, say }: StoreContext): Html {
  const links = crumbs.map(({ name, path }, index) =>
    index === crumbs.length - 1
      ? html`<li><span aria-current="page" lang="${languageOfText(name)}">${name}</span></li>`
      : html`<li><a href="${href(path)}">${name}</a></li>`,
  )
  return html`<nav class="crumbs" aria-label="${say('breadcrumb')}">
    <ol>
      ${links}
    </ol>
  </nav>`
}
