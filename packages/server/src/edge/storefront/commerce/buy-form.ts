// "Add to cart" on the page of a series: one volume or all that are in stock. It works without a script; with one the page stays.
import type { ProductDetail } from '@mangaassist/protocol'
import { attribute, html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext } from '../store-page.ts'
import { speakCart } from './words.ts'

export function buyForm(series: ProductDetail, { href, language }: StoreContext): Html {
  const say = speakCart(language)
  const stock = stockByVolume(series)
  const first = stock.findIndex((copies) => copies > 0) + 1
  if (first === 0) return NOTHING
  const options = stock.map(
    (copies, index) =>
      html`<option
        value="${index + 1}"
        ${attribute('disabled', copies === 0)}
        ${attribute('selected', index + 1 === first)}
      >
        ${say('volume', index + 1)}${copies === 0 && say('volumeSoldOut')}
      </option>`,
  )
  return html`<form
    class="buy"
    action="/cart"
    method="post"
    data-cart
    data-testid="buy"
    data-added="${say('added')}"
    data-nothing="${say('addedNothing')}"
    data-failed="${say('addFailed')}"
    data-view="${say('viewCart')}"
    aria-label="${say('addTitle')}"
  >
    <input type="hidden" name="productId" value="${series.id}" />
    <input type="hidden" name="next" value="${href('/cart')}" />
    <label for="buy-volume">${say('whichVolume')}</label>
    <select id="buy-volume" name="volume">
      ${options} ${series.volumes > 1 && html`<option value="all">${say('allVolumes')}</option>`}
    </select>
    <button class="button primary" type="submit" data-testid="add-to-cart">${say('add')}</button>
  </form>`
}

function stockByVolume({ stock, volumeOffers = [], volumes }: ProductDetail): readonly number[] {
  const own = new Map(volumeOffers.map((offer) => [offer.volume, offer.stock]))
  return Array.from({ length: volumes }, (_, index) => own.get(index + 1) ?? stock)
}
