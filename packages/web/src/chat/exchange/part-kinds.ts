// The typed parts of an answer below its text, in the order in which they are shown. A further kind is a row here and a view.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Exchange } from '../conversation/exchange.ts'
import { languageOf } from '../../language.ts'
import { compareView } from './compare-view.ts'
import type { EndedContext } from './ended.ts'
import { personOfferView } from './person-view.ts'
import { productCardView } from './product-card-view.ts'

export interface PartKind {
  readonly name: string
  /** `nothing` where the answer has no such part. Called only for an answer that has ended. */
  readonly view: (exchange: Exchange, context: EndedContext) => TemplateResult | typeof nothing
}

export const partKinds: readonly PartKind[] = [
  { name: 'remarks', view: remarksView },
  { name: 'cards', view: cardsView },
  { name: 'compare', view: compareView },
  { name: 'person', view: personOfferView },
]

/** Calm: a limit that is near stops nothing. */
function remarksView({ remarks }: Exchange, { say }: EndedContext) {
  if (remarks.length === 0) return nothing
  return html`<ul class="remarks" aria-label=${say('remarks')}>
    ${remarks.map((text) => html`<li class="remark" data-testid="chat-remark" lang=${languageOf(text)}>${text}</li>`)}
  </ul>`
}

function cardsView({ id, products }: Exchange, context: EndedContext) {
  if (products.length === 0) return nothing
  const { say, opened } = context
  return html`<ul class="cards" aria-label=${say('products')} data-testid="chat-cards">
    ${products.map((product) =>
      productCardView(product, context, { exchangeId: id, opened: () => opened(id, product.id) }),
    )}
  </ul>`
}
