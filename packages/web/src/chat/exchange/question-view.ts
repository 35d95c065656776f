// The shopper's question, with a pencil that edits it in place (edit-view.ts), which is loaded with what stands below an answer.
import { html, nothing } from 'lit'
import { languageOf } from '../../language.ts'
import { isReplaceable } from '../conversation/exchange.ts'
import type { Exchange } from '../conversation/exchange.ts'
import { editIcon } from '../icons.ts'
import type { ExchangeContext } from './exchange-view.ts'

export function questionView(exchange: Exchange, context: ExchangeContext) {
  const { id, question } = exchange
  if (question === undefined) return nothing
  const { say, tools, free } = context
  const { loaded } = tools.ended
  if (tools.editing?.id === id && loaded !== undefined) return loaded.editView(tools.editing.draft, context)
  return html`<div class="question" part="question">
    <span class="unseen">${say('you')}: </span>
    ${
      loaded !== undefined && isReplaceable(exchange)
        ? html`<button
            class="action edit"
            type="button"
            data-testid="chat-edit"
            aria-label=${say('edit')}
            title=${say('edit')}
            ?disabled=${!free}
            @click=${() => tools.edit(exchange)}
          >
            ${editIcon}
          </button>`
        : nothing
    }
    <p data-testid="chat-question" lang=${languageOf(question)}>${question}</p>
  </div>`
}
