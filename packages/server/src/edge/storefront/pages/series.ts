// The page of one series: description, prices and stock by volume, coming volumes, and buttons that ask the assistant about it.
import type { ProductDetail, VolumeOffer } from '@mangaassist/protocol'
import { PLAIN_SHELF, seriesPath, shelfPath } from '../addresses.ts'
import { shareHref } from '../covers/cover-address.ts'
import { capitalised, genreName, readershipName } from '../names.ts'
import { html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import {
  bookView,
  coverView,
  crumbsView,
  dayInWords,
  isOtherName,
  languageOfText,
  otherThan,
  stockOf,
  stockView,
  volumesOf,
} from './parts.ts'
import type { Crumb } from './parts.ts'
import { buyForm } from '../commerce/buy-form.ts'
import { breadcrumbs, product } from './structured.ts'

const QUESTIONS = [
  ['askWho', 'questionWho'],
  ['askOrder', 'questionOrder'],
  ['askSimilar', 'questionSimilar'],
] as const
const DESCRIPTION_LENGTH_MAX = 160

/** `today`: in the shop's time zone. */
export function seriesPage(series: ProductDetail, today: string, context: StoreContext): StorePage {
  const { language, say } = context
  const title = series.title[language]
  const crumbs = crumbsTo(series, context)
  const facts = [
    series.author,
    volumesOf(series, say),
    `${say('pricePerVolume', series.pricePerVolumeYen)}${say('perVolume')}`,
  ]
  const description = [facts.filter((fact) => fact !== undefined).join(' · '), series.synopsis ?? ''].join(' — ')
  return {
    name: 'series',
    title: [title, ...(series.author === undefined ? [] : [series.author])].join(' – '),
    description: description.slice(0, DESCRIPTION_LENGTH_MAX),
    path: seriesPath(series.id),
    productId: series.id,
    picture: shareHref(series),
    structured: [product(series, context), breadcrumbs(crumbs, context)],
    main: html`${crumbsView(crumbs, context)}
      <article class="series" data-testid="series">
        <div class="series-cover">${coverView(series, 'at-once')}</div>
        <div class="series-body">
          ${titleView(series, context)} ${textView('series-author', series.author)}
          ${textView('synopsis', series.synopsis)} ${purchaseView(series, context)}
          ${volumesView(series, today, context)} ${factsView(series, context)} ${labelsView(series, context)}
        </div>
      </article>
      ${similarView(series, context)}`,
  }
}

/** By the first genre, which is the most important. */
function crumbsTo({ genres, id, title }: ProductDetail, { language, say }: StoreContext): readonly Crumb[] {
  const [genre] = genres
  return [
    { name: say('navCatalogue'), path: '/' },
    ...(genre === undefined ? [] : [{ name: genreName(genre, language), path: shelfPath({ ...PLAIN_SHELF, genre }) }]),
    { name: title[language], path: seriesPath(id) },
  ]
}

function titleView({ romaji, title }: ProductDetail, { language }: StoreContext): Html {
  const other = otherThan(language)
  return html`<h1 lang="${language}">${title[language]}</h1>
    <p class="series-other">
      ${isOtherName(title) && html`<span lang="${other}">${title[other]}</span>`}
      ${romaji !== title.en && html`<span class="romaji" lang="ja-Latn">${romaji}</span>`}
    </p>`
}

function purchaseView(series: ProductDetail, context: StoreContext): Html {
  const { language, say } = context
  const about = (word: (typeof QUESTIONS)[number][1]) => say(word).replace('{title}', series.title[language])
  const { totalYen, volumes } = series
  return html`<div class="purchase" data-testid="purchase">
    <p class="price">
      <strong data-testid="price">${say('pricePerVolume', series.pricePerVolumeYen)}</strong
      ><span>${say('perVolume')}</span>${stockView(series.stock, say)}
      ${
        totalYen !== undefined &&
        volumes > 1 &&
        html`<span class="price-all" data-testid="price-all"
          >${say('allVolumes', volumes)} ${say('pricePerVolume', totalYen)}</span
        >`
      }
    </p>
    ${buyForm(series, context)}
    <button class="button ask-series" type="button" data-testid="ask-about-this" data-ask="open">
      ${say('askAboutThis')}
    </button>
    <ul class="chips questions" aria-label="${say('askAbout')}">
      ${QUESTIONS.map(
        ([label, question]) =>
          html`<li>
            <button
              class="chip"
              type="button"
              data-testid="ask-question"
              data-ask="send"
              data-question="${about(question)}"
            >
              ${say(label)}
            </button>
          </li>`,
      )}
    </ul>
  </div>`
}

/** Volumes of the same price and stock share a line: the catalogue states a volume by itself only where it differs. */
function volumesView(series: ProductDetail, today: string, { language, say }: StoreContext): Html {
  const coming = (series.releases ?? []).filter(({ date }) => date >= today)
  return html`<section class="volumes" aria-labelledby="volumes-title" data-testid="volumes">
    <h2 id="volumes-title">${say('volumesTitle')}</h2>
    <ul>
      ${volumeGroups(series).map(
        ({ from, priceYen, stock, to }) =>
          html`<li>
            <span
              >${from === to ? say('volumeNumber', from) : say('volumeRange', from).replace('{to}', String(to))}</span
            >
            <span>${say('pricePerVolume', priceYen)}${from !== to && say('each')}</span>
            ${stockView(stock, say)}
          </li>`,
      )}
      ${coming.map(
        ({ date, volume }) =>
          html`<li class="coming" data-testid="coming">
            <span>${say('volumeNumber', volume)}</span>
            <span>${say('comesOut')} <time datetime="${date}">${dayInWords(date, language, today)}</time></span>
          </li>`,
      )}
    </ul>
    ${series.volumeOffers === undefined && series.volumes > 1 && html`<p class="volumes-note">${say('stockNote')}</p>`}
  </section>`
}

interface VolumeGroup {
  readonly from: number
  readonly to: number
  readonly priceYen: number
  readonly stock: number
}

function volumeGroups({ pricePerVolumeYen, stock, volumeOffers = [], volumes }: ProductDetail): readonly VolumeGroup[] {
  const own = new Map<number, VolumeOffer>(volumeOffers.map((offer) => [offer.volume, offer]))
  const groups: VolumeGroup[] = []
  for (let volume = 1; volume <= volumes; volume += 1) {
    const offer = own.get(volume)
    const next = {
      from: volume,
      to: volume,
      priceYen: offer?.priceYen ?? pricePerVolumeYen,
      stock: offer?.stock ?? stock,
    }
    const last = groups.at(-1)
    if (last !== undefined && last.priceYen === next.priceYen && isSameStock(last.stock, next.stock))
      groups[groups.length - 1] = { ...last, to: volume }
    else groups.push(next)
  }
  return groups
}

/** Whether both stocks are shown in the same words. */
function isSameStock(one: number, other: number): boolean {
  const words = (stock: number) => stockOf(stock, (word, n) => `${word} ${n ?? ''}`).text
  return words(one) === words(other)
}

function factsView(series: ProductDetail, { language, say }: StoreContext): Html {
  const { age, demographic, firstYear, magazine, publisher, status } = series
  const facts: readonly (readonly [string, string | undefined])[] = [
    [say('volumesLabel'), volumesOf(series, say)],
    [say('status'), status === undefined ? undefined : say(status)],
    [say('readership'), demographic === undefined ? undefined : readershipName(demographic, language)],
    [say('age'), age === undefined ? undefined : age === 0 ? say('allAges') : say('ageFrom', age)],
    [say('magazine'), magazine],
    [say('publisher'), publisher],
    [say('firstYear'), firstYear === undefined ? undefined : `${firstYear}${say('year')}`],
  ]
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        value !== undefined &&
        html`<div>
          <dt>${name}</dt>
          <dd lang="${languageOfText(value)}">${value}</dd>
        </div>`,
    )}
  </dl>`
}

function labelsView({ genres, labels, lovedBy, moods, readingOrder }: ProductDetail, context: StoreContext): Html {
  const { href, language, say } = context
  const ofGenres = genres.map(
    (genre) =>
      html`<a class="chip" href="${href(shelfPath({ ...PLAIN_SHELF, genre }))}">${genreName(genre, language)}</a>`,
  )
  const ofMoods = moods.map(
    (mood, index) => html`<span class="chip plain">${capitalised(labels.moods[index] ?? mood)}</span>`,
  )
  const rows: readonly (readonly [string, Html | readonly Html[]])[] = [
    [say('genre'), ofGenres],
    [say('moods'), ofMoods],
    ...(lovedBy === undefined ? [] : [[say('lovedBy'), html`${lovedBy}`] as const]),
    ...(readingOrder === undefined ? [] : [[say('readingOrder'), html`${readingOrder}`] as const]),
  ]
  return html`<dl class="labels">
    ${rows.map(
      ([name, value]) =>
        !(Array.isArray(value) && value.length === 0) &&
        html`<div>
          <dt>${name}</dt>
          <dd${Array.isArray(value) && html` class="chips"`}>${value}</dd>
        </div>`,
    )}
  </dl>`
}

function similarView({ similar }: ProductDetail, context: StoreContext): Html {
  if (similar.length === 0) return NOTHING
  const books = similar.map((series) => {
    const { why } = series
    const note =
      why === undefined ? {} : { note: html`<span class="book-why" lang="${languageOfText(why)}">${why}</span>` }
    return bookView(series, context, note)
  })
  return html`<section class="similar" aria-labelledby="similar-title">
    <h2 id="similar-title">${context.say('similar')}</h2>
    <ul class="grid" data-testid="similar">
      ${books}
    </ul>
  </section>`
}

function textView(name: string, text: string | undefined): Html {
  return text === undefined ? NOTHING : html`<p class="${name}" lang="${languageOfText(text)}">${text}</p>`
}
