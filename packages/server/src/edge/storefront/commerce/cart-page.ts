// The cart and the demo checkout as pages. Prices and stock are those of this moment; what has changed stands at its line.
import type { CartItem, CartView } from '@mangaassist/protocol'
import type { DemoMember } from '#domain/identity/demo-members.ts'
import { attribute, html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { demoNote, errorNote, sumsView } from './parts.ts'
import { accountLinks } from './reader.ts'
import { speakCart } from './words.ts'
import type { SayCart } from './words.ts'

export interface CartPageData {
  readonly cart: CartView
  /** The error that the address names. */
  readonly error: string | null
  readonly isDemo: boolean
  /** Who is signed in; undefined for a guest. */
  readonly member: DemoMember | undefined
}

const QUANTITIES = Array.from({ length: 10 }, (_, index) => index + 1)

export function cartPage({ cart, error, isDemo, member }: CartPageData, context: StoreContext): StorePage {
  const { language } = context
  const say = speakCart(language)
  const main =
    cart.items.length === 0
      ? emptyView(say, context)
      : html`<div class="cart">
          <ul class="cart-lines" data-testid="cart-lines">
            ${cart.items.map((item) => itemView(item, say, context))}
          </ul>
          <section class="cart-sums" aria-label="${say('summary')}">
            ${sumsView(cart, say)} ${untilFree(cart, say)} ${onward(cart, { isDemo, say, context })}
          </section>
        </div>`
  return pageOf(
    'cart',
    say('cart'),
    html`<h1>${say('cart')}</h1>
      ${errorNote(error, language)} ${main}
      ${isDemo && html`<p class="own-links" data-testid="own-links">${accountLinks({ canSignIn: isDemo, member }, context)}</p>`}`,
  )
}

/** `key` places one order, however often the form is sent. */
export function checkoutPage(
  { cart, error, key }: Pick<CartPageData, 'cart' | 'error'> & { readonly key: string },
  context: StoreContext,
): StorePage {
  const { href, language } = context
  const say = speakCart(language)
  const lines = cart.items.map(
    ({ priceYen, quantity, title, volume }) =>
      html`<li>
        <span lang="${language}">${title[language]}</span> ${say('volume', volume)} · ${say('yen', priceYen)}
        ${say('copies', quantity)}
      </li>`,
  )
  return pageOf(
    'checkout',
    say('checkout'),
    html`<h1>${say('checkout')}</h1>
      ${demoNote(say)} ${errorNote(error, language)}
      <ul class="order-lines">
        ${lines}
      </ul>
      ${sumsView(cart, say)}
      <form class="checkout" action="/checkout" method="post">
        <input type="hidden" name="key" value="${key}" />
        <input type="hidden" name="version" value="${cart.version}" />
        <input type="hidden" name="totalYen" value="${cart.totalYen}" />
        <input type="hidden" name="next" value="${href('/orders')}" />
        <input type="hidden" name="back" value="${href('/cart')}" />
        <button class="button primary" type="submit" data-testid="place-order">${say('place')}</button>
        <a class="button" href="${href('/cart')}">${say('backToCart')}</a>
      </form>`,
  )
}

/** While the store of carts or orders does not answer: a reload is all that helps. */
export function unavailablePage({ language, say }: StoreContext): StorePage {
  const main = html`<div class="state" data-testid="unavailable">
    <h1>${say('errorTitle')}</h1>
    ${errorNote('MAINTENANCE', language)}
  </div>`
  return { ...pageOf('unavailable', say('errorTitle'), main), path: undefined, status: 503 }
}

/** A page that belongs to one reader: no search engine lists it. */
export function pageOf(name: string, title: string, main: Html): StorePage {
  return { name, title, description: title, path: `/${name}`, isListed: false, main }
}

function emptyView(say: SayCart, { href }: StoreContext): Html {
  return html`<div class="state" data-testid="cart-empty">
    <p>
      <strong>${say('cartEmpty')}</strong>
    </p>
    <p>${say('cartEmptyText')}</p>
    <a class="button" href="${href('/')}">${say('browse')}</a>
  </div>`
}

function itemView(item: CartItem, say: SayCart, { href, language }: StoreContext): Html {
  const { id, priceYen, quantity, seenYen, title, url, volume } = item
  const field = `quantity-${id.replace(':', '-')}`
  const label = `${title[language]} ${say('volume', volume)}`
  const next = html`<input type="hidden" name="next" value="${href('/cart')}" /><input
      type="hidden"
      name="itemId"
      value="${id}"
    />`
  return html`<li class="cart-line" data-testid="cart-line" data-item="${id}">
    <p class="cart-title">
      <a href="${href(url)}" lang="${language}">${title[language]}</a> <span>${say('volume', volume)}</span>
    </p>
    <p class="cart-price">${say('yen', priceYen)}</p>
    ${seenYen !== undefined && html`<p class="cart-note" data-testid="price-changed">${say('priceWas', seenYen)}</p>`}
    ${problemView(item, say)}
    <form class="cart-quantity" action="/cart/set" method="post" data-post>
      ${next}
      <label for="${field}"><span class="unseen">${label} </span>${say('quantity')}</label>
      <select id="${field}" name="quantity">
        ${QUANTITIES.map((n) => html`<option value="${n}" ${attribute('selected', n === quantity)}>${n}</option>`)}
      </select>
      <button class="button small apply" type="submit">${say('update')}</button>
    </form>
    <form action="/cart/set" method="post" data-post>
      ${next}<input type="hidden" name="quantity" value="0" />
      <button class="button small" type="submit" data-testid="remove">
        ${say('remove')}<span class="unseen"> ${label}</span>
      </button>
    </form>
  </li>`
}

function problemView({ problem, stock }: CartItem, say: SayCart): Html {
  if (problem === undefined) return NOTHING
  const words = { 'sold-out': say('soldOut'), 'too-few': say('tooFew', stock), 'not-sold': say('notSold') }
  return html`<p class="cart-note problem" data-testid="cart-problem">${words[problem]}</p>`
}

function untilFree({ freeShippingFromYen, itemsYen, shippingYen }: CartView, say: SayCart): Html {
  if (shippingYen === 0) return NOTHING
  return html`<p class="until-free">${say('untilFree', freeShippingFromYen - itemsYen)}</p>`
}

interface Onward {
  readonly isDemo: boolean
  readonly say: SayCart
  readonly context: StoreContext
}

function onward({ canOrder }: CartView, { context, isDemo, say }: Onward): Html {
  if (!isDemo) return html`<p>${say('noCheckout')}</p>`
  if (!canOrder) return demoNote(say)
  return html`${demoNote(say)}
    <a class="button primary" href="${context.href('/checkout')}" data-testid="to-checkout">${say('toCheckout')}</a>`
}
