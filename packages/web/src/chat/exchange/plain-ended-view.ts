// What stands below an ended answer while its module (ended.ts) cannot be loaded: the series as plain links, how to reach a person,
// and a note that more belongs here.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { languageOf } from '../../language.ts'
import { pageOrigin } from '../../page-origin.ts'
import type { Exchange, Product } from '../conversation/exchange.ts'
import { isExternal, linkRel, productLink } from '../markdown/links.ts'
import type { ExchangeContext } from './exchange-view.ts'

export function plainEndedView({ products, contact }: Exchange, context: ExchangeContext): TemplateResult {
  const { say } = context
  return html`${
    products.length === 0
      ? nothing
      : html`<div class="markdown">
          <ul data-testid="chat-plain-cards">
            ${products.map((product) => plainCard(product, context))}
          </ul>
        </div>`
  }
  ${contact === undefined ? nothing : html`<p lang=${languageOf(contact)}>${say('personContact')}${contact}</p>`}`
}

function plainCard(
  { title, url, pricePerVolumeYen }: Product,
  { say, language, links }: ExchangeContext,
): TemplateResult {
  const href = productLink(url, links)
  const name =
    href === undefined
      ? title[language]
      : html`<a href=${href} rel=${linkRel} target=${isExternal(href, pageOrigin()) ? '_blank' : nothing}
          >${title[language]}</a
        >`
  return html`<li>${name} · ${say('plainPrice', pricePerVolumeYen)}</li>`
}

export function missingNote({ say, tools }: Pick<ExchangeContext, 'say' | 'tools'>): TemplateResult {
  return html`<p class="end" role="status" data-testid="chat-part-missing">
    ${say('partMissing')}
    <button class="retry" type="button" data-testid="chat-part-retry" @click=${() => tools.ended.reload()}>
      ${say('retry')}
    </button>
  </p>`
}
