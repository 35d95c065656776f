// The row below an answer that has ended: copy, ask again, read aloud, thumbs, and the time. It is quiet: older answers show
// it while they are hovered, focused or tapped, and a keyboard or a finger always reaches it.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { languageOf } from '../../language.ts'
import { isReplaceable } from '../conversation/exchange.ts'
import type { Exchange } from '../conversation/exchange.ts'
import { againIcon, copyIcon, speakerIcon, stopIcon } from '../icons.ts'
import { productLink } from '../markdown/links.ts'
import { copiedText } from './copied-text.ts'
import type { EndedContext, EndedWord } from './ended.ts'
import { reasonView, thumbsView } from './rating-view.ts'
import { timeOf } from './time.ts'

export function actionsView(exchange: Exchange, context: EndedContext) {
  const { id, text, rating, products } = exchange
  if (text === '' && products.length === 0) return nothing
  const { say, tools, free } = context
  return html`<div class="actions" data-testid="chat-actions">
    <div class="action-row" role="group" aria-label=${say('actions')}>
      ${actionView({ word: 'copy', icon: copyIcon, act: () => copy(exchange, context) }, context)}
      ${
        isReplaceable(exchange)
          ? actionView({ word: 'askAgain', icon: againIcon, act: () => tools.askAgain(id), disabled: !free }, context)
          : nothing
      }
      ${readView(exchange, context)} ${rating === undefined ? nothing : thumbsView(id, rating, context)}
      ${timeView(exchange, context)}
      <span class="action-note" role="status" data-testid="chat-action-note">${noteOf(exchange, context)}</span>
    </div>
    ${rating?.asks ? reasonView(id, context) : nothing}
  </div>`
}

interface Action {
  readonly word: EndedWord & ('copy' | 'askAgain' | 'readAloud' | 'readStop')
  readonly icon: TemplateResult
  readonly act: () => void
  readonly disabled?: boolean
}

function actionView({ word, icon, act, disabled = false }: Action, { say }: EndedContext): TemplateResult {
  return html`<button
    class="action"
    type="button"
    data-testid="chat-action-${word}"
    aria-label=${say(word)}
    title=${say(word)}
    ?disabled=${disabled}
    @click=${act}
  >
    ${icon}
  </button>`
}

function readView(exchange: Exchange, context: EndedContext) {
  const { endedTools } = context
  if (exchange.text === '' || !endedTools.aloud.canRead(languageOf(exchange.text))) return nothing
  const isRead = endedTools.aloud.readingId === exchange.id
  const shown = isRead
    ? ({ word: 'readStop', icon: stopIcon } as const)
    : ({ word: 'readAloud', icon: speakerIcon } as const)
  return actionView({ ...shown, act: () => endedTools.read(exchange) }, context)
}

function timeView({ id, atMs }: Exchange, { language, tools }: EndedContext) {
  if (atMs === undefined || Number.isNaN(atMs)) return nothing
  return html`<time
    class="time ${tools.timeShown === id ? 'shown' : ''}"
    datetime=${new Date(atMs).toISOString()}
    data-testid="chat-time"
    >${timeOf(atMs, language, Date.now())}</time
  >`
}

function copy(exchange: Exchange, { endedTools, language, links }: EndedContext): void {
  endedTools.copy(
    exchange.id,
    copiedText(exchange, language, (url) => productLink(url, links)),
  )
}

function noteOf({ id, rating }: Exchange, { say, endedTools }: EndedContext): string {
  if (rating?.note !== undefined) return say(rating.note === 'failed' ? 'ratingFailed' : 'ratingThanks')
  if (rating?.asks) return say('reasonAsk')
  if (endedTools.copied?.id !== id) return ''
  return say(endedTools.copied.ok ? 'copied' : 'copyFailed')
}
