// Shows one question and its answer. Cards appear when the text is complete: earlier, they would push the words that
// the shopper is reading out of sight on a phone.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { languageOf } from '../language.ts'
import { waitingWords } from './conversation/exchange.ts'
import type { End, Exchange } from './conversation/exchange.ts'
import { markdown } from './markdown/markdown-directive.ts'
import type { MarkdownRenderer } from './markdown/markdown.ts'
import type { TitleLink } from './markdown/title-links.ts'
import { isExternal, linkRel, productLink } from './markdown/links.ts'
import { ratingView } from './rating-view.ts'
import type { RatingContext } from './rating-view.ts'
import { productCardView } from './product-card-view.ts'
import type { CardContext } from './product-card-view.ts'

export interface ExchangeContext extends CardContext, RatingContext {
  readonly renderer: MarkdownRenderer
  /** A question may be sent: no answer is in flight, and there is no pause. */
  readonly free: boolean
  readonly retry: (id: number) => void
  readonly choose: (message: string) => void
  readonly opened: (id: number, productId: string) => void
}

/** `isLast`: only the last answer offers follow-ups. */
export function exchangeView(exchange: Exchange, context: ExchangeContext, isLast: boolean): TemplateResult {
  const { id, question, phase, suggestions } = exchange
  const offers = isLast && phase.type === 'ended' && suggestions.length > 0
  return html`<article class="exchange" data-testid="chat-exchange" data-exchange=${id} data-phase=${phase.type}>
    ${question === undefined ? nothing : questionView(question, context)} ${answerView(exchange, context)}
    ${offers ? followUpsView(exchange, context) : nothing}
  </article>`
}

function followUpsView({ suggestions }: Exchange, { say, free, choose }: ExchangeContext): TemplateResult {
  return html`<ul class="follow-ups" aria-label=${say('followUps')} data-testid="chat-follow-ups">
    ${suggestions.map(
      ({ label, message }) =>
        html`<li>
          <button
            class="follow-up"
            type="button"
            data-testid="chat-follow-up"
            lang=${languageOf(label)}
            ?disabled=${!free}
            @click=${() => choose(message)}
          >
            ${label}
          </button>
        </li>`,
    )}
  </ul>`
}

function questionView(question: string, { say }: ExchangeContext): TemplateResult {
  return html`<div class="question">
    <span class="unseen">${say('you')}: </span>
    <p data-testid="chat-question" lang=${languageOf(question)}>${question}</p>
  </div>`
}

function answerView(exchange: Exchange, context: ExchangeContext): TemplateResult {
  const { id, text, phase, products, origin, remarks } = exchange
  const { say, renderer, opened } = context
  const over = phase.type === 'ended'
  return html`<div class="answer" aria-busy=${over ? 'false' : 'true'}>
    <span class="unseen">${say('assistant')}: </span>
    ${
      text === ''
        ? nothing
        : html`<div data-testid="chat-answer" lang=${languageOf(text)}>
            ${markdown(renderer, text, over ? titleLinks(exchange, context) : undefined)}
          </div>`
    }
    ${over ? endView(exchange.id, phase.end, context) : waitingView(exchange, context)}
    ${remarks.map(
      (remark) =>
        html`<p class="remark" role="note" data-testid="chat-remark" lang=${languageOf(remark)}>${remark}</p>`,
    )}
    ${
      over && products.length > 0
        ? html`<ul class="cards" aria-label=${say('products')} data-testid="chat-cards">
            ${products.map((product) => productCardView(product, context, () => opened(id, product.id)))}
          </ul>`
        : nothing
    }
    ${
      over && origin.length > 0
        ? html`<p class="origin" data-testid="chat-origin">${origin.map((word) => say(word)).join(' · ')}</p>`
        : nothing
    }
    ${over ? sourcesView(exchange, context) : nothing} ${over ? ratingView(exchange, context) : nothing}
  </div>`
}

function titleLinks({ products }: Exchange, { links }: ExchangeContext): readonly TitleLink[] {
  return products.flatMap(({ title, url }) => {
    const href = productLink(url, links)
    return href === undefined
      ? []
      : [{ names: [title.ja, title.en], href, isExternal: isExternal(href, location.origin) }]
  })
}

/** Where the facts of the answer came from, as one quiet line. */
function sourcesView({ sources, products }: Exchange, { say, links }: ExchangeContext) {
  const ids = sources.filter(({ kind }) => kind === 'product').map(({ id }) => id)
  const only = ids.length === 1 ? products.find(({ id }) => id === ids[0])?.url : undefined
  const named = [
    ...(ids.length === 0 ? [] : [sourceLink(say('sourceCatalogue'), only ?? '/', links)]),
    ...(sources.some(({ kind }) => kind === 'faq') ? [sourceLink(say('sourceFaq'), '/support', links)] : []),
  ]
  if (named.length === 0) return nothing
  return html`<p class="origin" data-testid="chat-sources">
    ${say('sources')}${named.map((link, index) => html`${index === 0 ? nothing : ' · '}${link}`)}
  </p>`
}

function sourceLink(words: string, url: string, links: CardContext['links']) {
  const href = productLink(url, links)
  if (href === undefined) return words
  const target = isExternal(href, location.origin) ? '_blank' : nothing
  return html`<a href=${href} rel=${linkRel} target=${target}>${words}</a>`
}

function waitingView(exchange: Exchange, { say }: ExchangeContext) {
  // Text that grows shows by itself that the answer continues.
  if (exchange.text !== '' && !exchange.silent) return nothing
  return html`<p class="waiting" data-testid="chat-waiting">
    <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>${waitingWords(exchange, say)}
  </p>`
}

function endView(id: number, { word, n, text, remedy, retryAfterMs }: End, { say, free, retry }: ExchangeContext) {
  const words = text ?? (word === undefined ? undefined : say(word, n))
  if (words === undefined && remedy === undefined) return nothing
  return html`<p class="end" data-testid="chat-end">
    ${words === undefined ? nothing : html`<span lang=${languageOf(words)}>${words}</span>`}
    ${
      remedy === undefined
        ? nothing
        : html`<button
            class="retry"
            type="button"
            data-testid="chat-retry"
            ?disabled=${!free || retryAfterMs !== undefined}
            @click=${() => retry(id)}
          >
            ${say(remedy === 'ask-elsewhere' ? 'askElsewhere' : 'retry')}
          </button>`
    }
  </p>`
}
