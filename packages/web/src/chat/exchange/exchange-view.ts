// Shows one question and its answer. Cards and the other parts appear when the text is complete: earlier, they would push the
// words that the shopper is reading out of sight on a phone.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { chatWords, Say } from '../../i18n.ts'
import { languageOf } from '../../language.ts'
import { waitingWords } from '../conversation/exchange.ts'
import type { End, Exchange } from '../conversation/exchange.ts'
import { markdown } from '../markdown/markdown-directive.ts'
import type { MarkdownRenderer } from '../markdown/markdown.ts'
import type { TitleLink } from '../markdown/title-links.ts'
import { isExternal, productLink } from '../markdown/links.ts'
import type { ExchangeTools } from './exchange-tools.ts'
import { missingNote, plainEndedView } from './plain-ended-view.ts'
import type { CardContext } from './product-card-view.ts'
import { questionView } from './question-view.ts'
import type { RatingContext } from './rating-view.ts'
import { pageOrigin } from '../../page-origin.ts'

export interface ExchangeContext extends CardContext, RatingContext {
  readonly say: Say<typeof chatWords>
  readonly renderer: MarkdownRenderer
  /** A question may be sent: no answer is in flight, and there is no pause. */
  readonly free: boolean
  readonly retry: (id: number) => void
  readonly choose: (message: string) => void
  readonly opened: (id: number, productId: string) => void
  readonly tools: ExchangeTools
}

/** `isLast`: only the last answer offers follow-ups, and to be continued. */
export function exchangeView(exchange: Exchange, context: ExchangeContext, isLast: boolean): TemplateResult {
  const { id, phase, suggestions, earlier } = exchange
  const offers = isLast && phase.type === 'ended' && suggestions.length > 0
  return html`<article
    class="exchange ${isLast ? 'last' : ''}"
    data-testid="chat-exchange"
    data-exchange=${id}
    data-phase=${phase.type}
    @click=${(event: Event) => onTap(event, id, context)}
  >
    ${earlier.length === 0 ? nothing : earlierView(earlier, context)} ${questionView(exchange, context)}
    ${answerView(exchange, context, isLast)} ${offers ? followUpsView(exchange, context) : nothing}
  </article>`
}

/** On a touch screen, a tap on the text shows its time. */
function onTap(event: Event, id: number, { tools }: ExchangeContext): void {
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, input, select, textarea, summary')
  if (!isOnControl && matchMedia('(hover: none)').matches) tools.showTime(id)
}

/** Earlier versions of the exchange, folded: they no longer belong to the conversation but can be read. */
function earlierView(earlier: readonly Exchange[], context: ExchangeContext): TemplateResult {
  const { say, renderer } = context
  return html`<details class="earlier" data-testid="chat-earlier">
    <summary>${say('earlier', earlier.length)}</summary>
    ${earlier.map(
      ({ question, text }) =>
        html`<div class="earlier-pair">
          ${question === undefined ? nothing : html`<p class="earlier-question" lang=${languageOf(question)}>${question}</p>`}
          ${text === '' ? nothing : html`<div lang=${languageOf(text)}>${markdown(renderer, text, [])}</div>`}
        </div>`,
    )}
  </details>`
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

function answerView(exchange: Exchange, context: ExchangeContext, isLast: boolean): TemplateResult {
  const { text, phase } = exchange
  const { say, renderer } = context
  const over = phase.type === 'ended'
  return html`<div class="answer" part="answer" aria-busy=${over ? 'false' : 'true'}>
    <span class="unseen">${say('assistant')}: </span>
    ${
      text === ''
        ? nothing
        : html`<div data-testid="chat-answer" lang=${languageOf(text)}>
            ${markdown(renderer, text, over ? titleLinks(exchange, context) : undefined)}
          </div>`
    }
    ${over ? endView(exchange, phase.end, { ...context, isLast }) : waitingView(exchange, context)}
    ${over ? belowView(exchange, context, isLast) : nothing}
  </div>`
}

function belowView(exchange: Exchange, context: ExchangeContext, isLast: boolean) {
  const { ended } = context.tools
  if (ended.loaded !== undefined) return ended.loaded.view(exchange, context)
  if (!ended.isMissing) return nothing
  return html`${plainEndedView(exchange, context)} ${isLast ? missingNote(context) : nothing}`
}

function titleLinks({ products }: Exchange, { links }: ExchangeContext): readonly TitleLink[] {
  return products.flatMap(({ title, url }) => {
    const href = productLink(url, links)
    return href === undefined ? [] : [{ names: [title.ja, title.en], href, isExternal: isExternal(href, pageOrigin()) }]
  })
}

function waitingView(exchange: Exchange, { say }: ExchangeContext) {
  // Text that grows shows by itself that the answer continues.
  if (exchange.phase.type === 'streaming' && !exchange.silent && !exchange.offline) return nothing
  const dots = html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`
  return html`<p class="waiting" data-testid="chat-waiting">
    ${exchange.offline ? nothing : dots}${waitingWords(exchange, say)}
  </p>`
}

function endView(exchange: Exchange, end: End, context: ExchangeContext & { readonly isLast: boolean }) {
  const { word, n, text, remedy, goesOn } = end
  const { say, free, tools, isLast } = context
  const words = text ?? (word === undefined ? undefined : say(word, n))
  const continues = goesOn === true && isLast && exchange.text !== '' && exchange.turnId !== undefined
  if (words === undefined && remedy === undefined && !continues) return nothing
  return html`<p class="end" data-testid="chat-end">
    ${words === undefined ? nothing : html`<span lang=${languageOf(words)}>${words}</span>`}
    ${
      continues
        ? html`<button
            class="retry"
            type="button"
            data-testid="chat-go-on"
            ?disabled=${!free}
            @click=${() => tools.goOn(exchange.id)}
          >
            ${say('goOn')}
          </button>`
        : nothing
    }
    ${remedy === undefined ? nothing : retryButton(exchange, end, context)}
  </p>`
}

function retryButton({ id, turnId, question }: Exchange, { remedy, retryAfterMs }: End, context: ExchangeContext) {
  const { say, free, retry } = context
  if (remedy !== 'read' && question === undefined) return nothing
  const again = turnId === undefined || remedy !== 'ask' ? 'retry' : 'askAgain'
  return html`<button
    class="retry"
    type="button"
    data-testid="chat-retry"
    ?disabled=${!free || retryAfterMs !== undefined}
    @click=${() => retry(id)}
  >
    ${say(remedy === 'ask-elsewhere' ? 'askElsewhere' : again)}
  </button>`
}
