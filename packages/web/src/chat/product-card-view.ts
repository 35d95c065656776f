// The card of a series that an answer mentions. The title in the reader's language is the large one; price and stock
// are those at the time of the answer. Everything is set as text: the catalogue is data, never markup.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import { productWords, speak } from '../i18n.ts'
import { languageOf, otherThan } from '../language.ts'
import { lengthAndStatusOf, stockOf } from '../stock.ts'
import type { Product } from './conversation/exchange.ts'
import { isExternal, linkRel, productLink } from './markdown/links.ts'
import type { LinkPolicy } from './markdown/links.ts'

export interface CardContext {
  readonly language: Language
  readonly links: LinkPolicy
  /** Draws a cover; absent on pages that do not want our covers. */
  readonly cover: ((product: Product) => TemplateResult) | undefined
}

export function productCardView(
  product: Product,
  { language, links, cover }: CardContext,
  opened: () => void,
): TemplateResult {
  const say = speak(productWords, language)
  const other = otherThan(language)
  const stock = stockOf(product, say)
  // Cards of an older server have the name in the language of the answer only.
  const author = product.authors?.[language] ?? product.author
  return html`<li class="card ${cover === undefined ? 'bare' : ''}" data-testid="chat-card" data-product=${product.id}>
    ${cover?.(product) ?? nothing}
    <div class="card-body">
      ${titleLink(product, { language, links, opened })}
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
  </li>`
}

function titleLink(
  { title, url }: Product,
  { language, links, opened }: Pick<CardContext, 'language' | 'links'> & { readonly opened: () => void },
): TemplateResult {
  const href = productLink(url, links)
  const text = title[language]
  if (href === undefined) return html`<span class="card-title" lang=${language}>${text}</span>`
  const target = isExternal(href, location.origin) ? '_blank' : nothing
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
