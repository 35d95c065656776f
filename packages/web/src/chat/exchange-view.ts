// Shows one question and its answer. Cards appear when the text is complete: earlier, they would push the words that
// the shopper is reading out of sight on a phone.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { chatWords, Say } from '../i18n.ts'
import { languageOf } from '../language.ts'
import { waitingWords } from './conversation/exchange.ts'
import type { End, Exchange } from './conversation/exchange.ts'
import { markdown } from './markdown/markdown-directive.ts'
import type { MarkdownRenderer } from './markdown/markdown.ts'
import { productCardView } from './product-card-view.ts'
import type { CardContext } from './product-card-view.ts'

export interface ExchangeContext extends CardContext {
  readonly say: Say<typeof chatWords>
  readonly renderer: MarkdownRenderer
  /** A question may be sent: no answer is in flight, and there is no pause. */
  readonly free: boolean
  readonly retry: (id: number) => void
}

export function exchangeView(exchange: Exchange, context: ExchangeContext): TemplateResult {
  const { id, question, phase } = exchange
  return html`<article class="exchange" data-testid="chat-exchange" data-exchange=${id} data-phase=${phase.type}>
    ${question === undefined ? nothing : questionView(question, context)} ${answerView(exchange, context)}
  </article>`
}

function questionView(question: string, { say }: ExchangeContext): TemplateResult {
  return html`<div class="question">
    <span class="unseen">${say('you')}: </span>
    <p data-testid="chat-question" lang=${languageOf(question)}>${question}</p>
  </div>`
}

function answerView(exchange: Exchange, context: ExchangeContext): TemplateResult {
  const { text, phase, products, origin, remarks } = exchange
  const { say, renderer } = context
  const over = phase.type === 'ended'
  return html`<div class="answer" aria-busy=${over ? 'false' : 'true'}>
    <span class="unseen">${say('assistant')}: </span>
    ${
      text === ''
        ? nothing
        : html`<div data-testid="chat-answer" lang=${languageOf(text)}>${markdown(renderer, text, !over)}</div>`
    }
    ${over ? endView(exchange.id, phase.end, context) : waitingView(exchange, context)}
    ${remarks.map(
      (remark) =>
        html`<p class="remark" role="note" data-testid="chat-remark" lang=${languageOf(remark)}>${remark}</p>`,
    )}
    ${
      over && products.length > 0
        ? html`<ul class="cards" aria-label=${say('products')} data-testid="chat-cards">
            ${products.map((product) => productCardView(product, context))}
          </ul>`
        : nothing
    }
    ${
      over && origin.length > 0
        ? html`<p class="origin" data-testid="chat-origin">${origin.map((word) => say(word)).join(' · ')}</p>`
        : nothing
    }
  </div>`
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
