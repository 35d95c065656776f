// The card of a series that an answer mentions, with its buttons: compare, and add to the cart where the page has one. The title
// in the reader's language is the large one; price and stock are those at the time of the answer. Everything is set as text:
// the catalogue is data, never markup.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { productLabels } from '@mangaassist/protocol'
import type { Language } from '@mangaassist/protocol'
import { speak } from '../../i18n.ts'
import type { Say } from '../../i18n.ts'
import { languageOf, otherThan } from '../../language.ts'
import { lengthAndStatusOf, stockOf } from '../../stock.ts'
import type { Product } from '../conversation/exchange.ts'
import { answerLink, isExternal, linkRel, productLink } from '../markdown/links.ts'
import type { LinkPolicy } from '../markdown/links.ts'
import type { Cart, CartState } from './cart.ts'
import type { EndedTools } from './ended-tools.ts'
import type { endedWords } from './ended-words.ts'
import { pageOrigin } from '../../page-origin.ts'

export interface CardContext {
  readonly language: Language
  readonly links: LinkPolicy
  /** Draws a cover; absent on pages that do not want our covers. */
  readonly cover: ((product: Product) => TemplateResult) | undefined
  /** How many different series the conversation shows: one alone cannot be compared. */
  readonly seriesShown: number
}

/** A card below an ended answer, with its buttons. */
export interface CardButtonsContext extends CardContext {
  readonly say: Say<typeof endedWords>
  readonly endedTools: Pick<EndedTools, 'cart' | 'comparison'>
}

export interface CardOf {
  readonly exchangeId: number
  /** The card was opened. */
  readonly opened: () => void
}

export function productCardView(
  product: Product,
  context: CardButtonsContext,
  { exchangeId, opened }: CardOf,
): TemplateResult {
  const { language, cover } = context
  const say = speak(productLabels, language)
  const other = otherThan(language)
  const stock = stockOf(product, say)
  // Cards of an older server have the name in the language of the answer only.
  const author = product.authors?.[language] ?? product.author
  return html`<li
    class="card ${cover === undefined ? 'bare' : ''}"
    part="card"
    data-testid="chat-card"
    data-product=${product.id}
  >
    ${cover?.(product) ?? nothing}
    <div class="card-body">
      ${titleLink(product, context, opened)}
      ${
        product.title[other] === product.title[language]
          ? nothing
          : html`<span class="card-other" lang=${other}>${product.title[other]}</span>`
      }
      <span class="card-facts">
        ${
          author === undefined ? nothing : html`<span lang=${languageOf(author)}>${author}</span> · `
        }${lengthAndStatusOf(product, say)}
      </span>
      <span class="card-buy">
        <span
          ><strong>${say('pricePerVolume', product.pricePerVolumeYen)}</strong><small>${say('perVolume')}</small></span
        >
        <span class="stock ${stock.level}" data-stock=${stock.level}>${stock.text}</span>
      </span>
      ${product.why === undefined ? nothing : html`<p class="why" lang=${languageOf(product.why)}>${product.why}</p>`}
    </div>
    ${buttonsView(product, context, exchangeId)}
  </li>`
}

function titleLink(
  { title, url }: Product,
  { language, links }: Pick<CardContext, 'language' | 'links'>,
  opened: () => void,
): TemplateResult {
  const href = productLink(url, links)
  const text = title[language]
  if (href === undefined) return html`<span class="card-title" lang=${language}>${text}</span>`
  const target = isExternal(href, pageOrigin()) ? '_blank' : nothing
  // The middle button opens it in another tab.
  const onAux = (event: MouseEvent): void => void (event.button === 1 && opened())
  return html`<a
    class="card-title"
    lang=${language}
    href=${href}
    rel=${linkRel}
    target=${target}
    @click=${opened}
    @auxclick=${onAux}
    >${text}</a
  >`
}

function buttonsView(product: Product, context: CardButtonsContext, exchangeId: number) {
  const { endedTools, seriesShown } = context
  const canCompare = seriesShown > 1
  // The shop has nothing to put into the cart.
  const cart = product.stock > 0 && product.volumes > 0 ? endedTools.cart : undefined
  if (!canCompare && cart === undefined) return nothing
  return html`<div class="card-buttons">
    ${canCompare ? compareToggle(product, context, exchangeId) : nothing}
    ${cart === undefined ? nothing : cartView(product, context, { cart, key: `${exchangeId} ${product.id}` })}
  </div>`
}

function compareToggle(
  product: Product,
  { say, language, endedTools }: CardButtonsContext,
  exchangeId: number,
): TemplateResult {
  const isChosen = endedTools.comparison.chosen.some(({ id }) => id === product.id)
  return html`<button
    class="small-button compare-toggle"
    type="button"
    aria-pressed=${isChosen ? 'true' : 'false'}
    aria-label=${`${say('compare')}: ${product.title[language]}`}
    data-testid="chat-compare-toggle"
    @click=${() => endedTools.comparison.toggle(exchangeId, product)}
  >
    ${say('compare')}
  </button>`
}

function cartView(
  product: Product,
  { say, language, links }: CardButtonsContext,
  { cart, key }: { cart: Cart; key: string },
) {
  const state = cart.stateOf(key)
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const volume = Number((event.currentTarget as HTMLFormElement).querySelector('select')?.value ?? 1)
    cart.add(key, { productId: product.id, volume })
  }
  const volumes = Array.from({ length: product.volumes }, (_, index) => index + 1)
  const title = product.title[language]
  // Not `disabled`: a disabled button loses the focus of the keyboard. A second press meanwhile does nothing.
  return html`<form class="cart" @submit=${onSubmit}>
      <select aria-label=${`${say('volume')}: ${title}`} data-testid="chat-volume">
        ${volumes.map((volume) => html`<option value=${volume}>${say('volumeNumber', volume)}</option>`)}
      </select>
      <button
        class="small-button primary"
        type="submit"
        aria-label=${`${say('addToCart')}: ${title}`}
        aria-disabled=${state?.type === 'adding' ? 'true' : 'false'}
        data-testid="chat-add-to-cart"
      >
        ${say('addToCart')}
      </button>
    </form>
    <span class="cart-note ${state?.type ?? ''}" role="status" data-testid="chat-cart-note"
      >${cartWords(state, say)}${state?.type === 'added' ? cartLink(state.href, { say, links }) : nothing}</span
    >`
}

/** The page names the address, and a script of others may run on it: only hosts that answers may link to. */
function cartLink(named: string | undefined, { say, links }: Pick<CardButtonsContext, 'say' | 'links'>) {
  const href = named === undefined ? undefined : answerLink(named, links)
  if (href === undefined) return nothing
  const target = isExternal(href, pageOrigin()) ? '_blank' : nothing
  return html` <a href=${href} rel=${linkRel} target=${target} data-testid="chat-cart-link">${say('cartView')}</a>`
}

function cartWords(state: CartState | undefined, say: CardButtonsContext['say']): string {
  if (state === undefined) return ''
  if (state.type === 'adding') return say('cartAdding')
  return state.message ?? say(state.type === 'added' ? 'cartAdded' : 'cartFailed', state.volume)
}
