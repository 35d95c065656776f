// What the head of every page says of its reader: how much is in the cart, and who is signed in. A store that does not answer leaves the
// number out; no page waits for it.
import { demoMemberOf } from '#domain/identity/demo-members.ts'
import type { DemoMember } from '#domain/identity/demo-members.ts'
import type { HttpParts } from '../../http/route-parts.ts'
import type { Identity } from '../../identity/auth.ts'
import { attribute, html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { Reader, StoreContext } from '../store-page.ts'
import { speakCart } from './words.ts'

export async function readerOf(
  { app, config }: Pick<HttpParts, 'app' | 'config'>,
  { issueCookie, principal }: Pick<Identity, 'issueCookie' | 'principal'>,
): Promise<Reader> {
  const member = config.demo ? demoMemberOf(principal.id) : undefined
  // A guest who has come a moment ago has nothing in the cart.
  const cartCount = issueCookie === undefined ? await app.commerce.cartCount(principal).catch(() => undefined) : 0
  return {
    canSignIn: config.demo,
    ...(cartCount === undefined ? {} : { cartCount }),
    ...(member === undefined ? {} : { member }),
  }
}

/** The links to the cart and, in the demo, to the member. */
export function readerLinks(
  { canSignIn, cartCount = 0, member }: Reader,
  { href, language }: Pick<StoreContext, 'href' | 'language'>,
  pageName: string,
): Html {
  const say = speakCart(language)
  const label = cartCount === 0 ? say('cart') : say('cartWith', cartCount)
  const account = member === undefined ? say('signIn') : `${say('account')}: ${member.name[language]}`
  const current = (name: string) => attribute('aria-current', name === pageName && 'page')
  return html`${
      canSignIn
        ? html`<a
            class="head-icon account"
            href="${href('/sign-in')}"
            aria-label="${account}"
            data-testid="account"
            ${current('sign-in')}
            ><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <circle
                cx="12"
                cy="8"
                r="4"
                ${attribute('fill', member === undefined ? 'none' : 'currentColor')}
                stroke="currentColor"
                stroke-width="2"
              ></circle>
              <path d="M4 21c0-4.4 3.6-7 8-7s8 2.6 8 7" fill="none" stroke="currentColor" stroke-width="2"></path></svg
            >${member !== undefined && html`<span class="member-name">${member.name[language]}</span>`}</a
          >`
        : NOTHING
    }<a
      class="head-icon"
      href="${href('/cart')}"
      data-count="${cartCount}"
      data-testid="cart-link"
      data-label="${say('cart')}"
      data-label-with="${say('cartWith')}"
      ${current('cart')}
      ><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path
          d="M2 4h3l2.4 11h10.4L20.5 7H6"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linejoin="round"
        ></path>
        <circle cx="9" cy="19.5" r="1.6" fill="currentColor"></circle>
        <circle cx="16.5" cy="19.5" r="1.6" fill="currentColor"></circle></svg
      ><span class="unseen" data-cart-name>${label}</span
      >${cartCount > 0 && html`<span class="badge" aria-hidden="true">${cartCount}</span>`}</a
    >`
}

/** In the demo: the reader's orders, and who is signed in. A member is not offered to sign in. */
export function accountLinks(
  { canSignIn, member }: { readonly canSignIn: boolean; readonly member?: DemoMember | undefined },
  { href, language }: Pick<StoreContext, 'href' | 'language'>,
): Html {
  if (!canSignIn) return NOTHING
  const say = speakCart(language)
  const account = member === undefined ? say('signInDemo') : `${say('signedInAs')}: ${member.name[language]}`
  return html`<a href="${href('/orders')}">${say('orders')}</a> <a href="${href('/sign-in')}">${account}</a>`
}
