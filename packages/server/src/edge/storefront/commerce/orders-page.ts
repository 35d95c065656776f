// A reader's orders as pages: the list, and one order with its progress.
import type { OrderView } from '@mangaassist/protocol'
import { html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { pageOf } from './cart-page.ts'
import { dayView, demoNote, errorNote, sumsView } from './parts.ts'
import { speakCart, stateWord } from './words.ts'

const SHOWN_TITLES_MAX = 3

export interface OrdersPageData {
  readonly orders: readonly OrderView[]
  readonly error: string | null
  readonly timeZone: string
}

export function ordersPage({ error, orders, timeZone }: OrdersPageData, context: StoreContext): StorePage {
  const { href, language } = context
  const say = speakCart(language)
  const rows = orders.map(
    (order) =>
      html`<li class="order" data-testid="order">
        <p class="order-state">${say(stateWord(order.state))}</p>
        <p>${say('orderedOn')} ${dayView(order.placedAt, language, timeZone)}</p>
        <p lang="${language}">${titlesOf(order, language)}</p>
        <p>${say('copies', order.count)} · ${say('yen', order.totalYen)}</p>
        <a class="button small" href="${href(`/orders/${order.id}`)}"
          >${say('orderDetails')}<span class="unseen"> ${order.id}</span></a
        >
      </li>`,
  )
  const list =
    rows.length === 0
      ? html`<p class="state" data-testid="no-orders">${say('noOrders')}</p>`
      : html`<ul class="orders">
          ${rows}
        </ul>`
  return pageOf(
    'orders',
    say('orders'),
    html`<h1>${say('orders')}</h1>
      ${demoNote(say)} ${errorNote(error, language)} ${list}`,
  )
}

export interface OrderPageData {
  readonly order: OrderView
  /** Whether it was placed a moment ago. */
  readonly isNew: boolean
  readonly timeZone: string
}

export function orderPage({ isNew, order, timeZone }: OrderPageData, context: StoreContext): StorePage {
  const { href, language } = context
  const say = speakCart(language)
  const lines = order.lines.map(
    ({ priceYen, quantity, title, url, volume }) =>
      html`<li>
        <a href="${href(url)}" lang="${language}">${title[language]}</a> ${say('volume', volume)} ·
        ${say('yen', priceYen)} ${say('copies', quantity)}
      </li>`,
  )
  const events = order.events.map(
    ({ at, state }) => html`<li>${say(stateWord(state))} ${dayView(at, language, timeZone)}</li>`,
  )
  const page = pageOf(
    'order',
    say('order'),
    html`<h1>${say('order')}</h1>
      ${isNew && html`<p class="done-note" role="status" data-testid="order-placed">${say('orderThanks')}</p>`}
      ${demoNote(say)}
      <p class="order-number">${say('orderNumber')}: <code>${order.id}</code></p>
      <section class="progress" aria-labelledby="progress-title">
        <h2 id="progress-title">${say('progress')}</h2>
        <ol data-testid="progress">
          ${events} ${expectedView(order, context, timeZone)}
        </ol>
      </section>
      <ul class="order-lines" data-testid="order-lines">
        ${lines}
      </ul>
      ${sumsView(order, say)}
      <a class="button" href="${href('/orders')}">${say('allOrders')}</a>`,
  )
  return { ...page, path: `/orders/${order.id}` }
}

function expectedView({ expectedAt }: OrderView, { language }: StoreContext, timeZone: string): Html {
  if (expectedAt === undefined) return NOTHING
  const say = speakCart(language)
  return html`<li class="expected">${say('expected')} ${dayView(expectedAt, language, timeZone)}</li>`
}

/** The first titles, each once. */
function titlesOf({ lines }: OrderView, language: StoreContext['language']): string {
  const titles = [...new Set(lines.map(({ title }) => title[language]))]
  return (
    titles.slice(0, SHOWN_TITLES_MAX).join(language === 'ja' ? '、' : ', ') +
    (titles.length > SHOWN_TITLES_MAX ? ' …' : '')
  )
}
