// The sign-in page of the demo: its members, and the way out for one who is signed in. Nothing is typed here.
import type { DemoMember } from '#domain/identity/demo-members.ts'
import { html } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { pageOf } from './cart-page.ts'
import { speakCart } from './words.ts'
import type { CartWord, SayCart } from './words.ts'

export interface SignInPageData {
  readonly members: readonly DemoMember[]
  /** Who is signed in; undefined for a guest. */
  readonly current: DemoMember | undefined
}

const TIER_WORDS: Readonly<Record<string, CartWord>> = {
  free: 'tierFree',
  standard: 'tierStandard',
  premium: 'tierPremium',
}

function tierName(tier: string, say: SayCart): string {
  const word = TIER_WORDS[tier]
  return word === undefined ? tier : say(word)
}

export function signInPage({ current, members }: SignInPageData, context: StoreContext): StorePage {
  const { href, language } = context
  const say = speakCart(language)
  const choices = members.map(
    ({ id, name, tier }) =>
      html`<li class="member">
        <form action="/sign-in" method="post">
          <input type="hidden" name="member" value="${id}" />
          <input type="hidden" name="next" value="${href('/cart')}" />
          <p><strong>${name[language]}</strong></p>
          <p data-testid="tier">${say('tier')}: ${tierName(tier, say)}</p>
          <button class="button" type="submit" data-testid="sign-in-${id}">
            ${say('signInAs')}<span class="unseen"> ${name[language]}</span>
          </button>
        </form>
      </li>`,
  )
  return pageOf(
    'sign-in',
    say('signInDemo'),
    html`<h1>${say('signInDemo')}</h1>
      <p class="demo-note" data-testid="demo-note"><strong>${say('demoMark')}</strong> ${say('signInText')}</p>
      ${current !== undefined && currentView(current, context)}
      <ul class="members">
        ${choices}
      </ul>`,
  )
}

function currentView({ name }: DemoMember, { href, language }: StoreContext): Html {
  const say = speakCart(language)
  return html`<div class="current" data-testid="signed-in">
    <p>${say('signedInAs')}: <strong>${name[language]}</strong></p>
    <a class="button" href="${href('/orders')}">${say('orders')}</a>
    <form action="/sign-out" method="post">
      <input type="hidden" name="next" value="${href('/sign-in')}" />
      <button class="button" type="submit" data-testid="sign-out">${say('signOut')}</button>
    </form>
  </div>`
}
