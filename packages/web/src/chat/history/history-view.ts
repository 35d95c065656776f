// The list of conversations in place of the log. Titles are the shopper's own words and are set as text.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language, SessionSummary } from '@mangaassist/protocol'
import { speak } from '../../speak.ts'
import type { Say } from '../../speak.ts'
import { languageOf } from '../../language.ts'
import { backIcon, deleteIcon } from '../icons.ts'
import { matching } from './history-list.ts'
import type { HistoryList } from './history-list.ts'
import { shortTime } from './when.ts'
import { historyWords } from './words.ts'

export interface HistoryContext {
  readonly say: Say<typeof historyWords>
  readonly language: Language
  readonly list: HistoryList
  readonly currentId: string | undefined
  readonly open: (sessionId: string) => void
  readonly back: () => void
}

/** Fewer than this are seen at once. */
const searchedFrom = 8

export function historyView(given: Omit<HistoryContext, 'say'>): TemplateResult {
  const context: HistoryContext = { ...given, say: speak(historyWords, given.language) }
  const { say, list, back } = context
  const { phase, conversations, outcome } = list.state
  return html`<div class="history" role="region" aria-labelledby="history-title" data-testid="chat-history-list">
    <div class="history-head">
      <button
        class="tool"
        type="button"
        data-testid="chat-history-back"
        aria-label=${say('historyBack')}
        @click=${back}
      >
        ${backIcon}
      </button>
      <h3 id="history-title" tabindex="-1">${say('history')}</h3>
    </div>
    ${conversations.length >= searchedFrom ? searchView(context) : nothing}
    <p class="history-note" role="status" data-testid="chat-history-note">
      ${outcome === undefined ? nothing : say(outcome)}
    </p>
    ${phase === 'loading' ? html`<p class="history-note">${say('historyLoading')}</p>` : nothing}
    ${phase === 'failed' ? failedView(context) : nothing} ${phase === 'ready' ? rowsView(context) : nothing}
  </div>`
}

function searchView({ say, list }: HistoryContext): TemplateResult {
  return html`<input
    class="history-search"
    type="search"
    data-testid="chat-history-search"
    aria-label=${say('historySearch')}
    placeholder=${say('historySearch')}
    .value=${list.state.search}
    @input=${(event: Event) => list.search((event.target as HTMLInputElement).value)}
  />`
}

function failedView({ say, list }: HistoryContext): TemplateResult {
  return html`<p class="history-note" role="alert">${say('historyFailed')}</p>
    <button class="plain-button" type="button" @click=${() => list.open()}>${say('historyRetry')}</button>`
}

function rowsView(context: HistoryContext): TemplateResult {
  const { say, list } = context
  const { conversations, next, asked } = list.state
  const shown = matching(list.state)
  const none = conversations.length === 0 ? 'historyEmpty' : 'historyNone'
  return html`${shown.length === 0 ? html`<p class="history-note">${say(none)}</p>` : nothing}
    <ul class="history-rows" aria-labelledby="history-title">
      ${shown.map((conversation) => rowView(conversation, context))}
    </ul>
    ${
      next === undefined
        ? nothing
        : html`<button class="plain-button" type="button" @click=${() => list.more()}>${say('historyMore')}</button>`
    }
    ${
      conversations.length === 0
        ? nothing
        : asked === 'everything'
          ? confirmView(context, 'historyEverythingAsk', 'historyEverythingYes')
          : html`<button
              class="plain-button everything"
              type="button"
              data-testid="chat-history-everything"
              @click=${() => list.ask('everything')}
            >
              ${say('historyEverything')}
            </button>`
    }`
}

function rowView({ sessionId, title, lastActiveAt }: SessionSummary, context: HistoryContext): TemplateResult {
  const { say, language, list, currentId, open } = context
  const { asked } = list.state
  const name = title === '' ? say('historyUntitled') : title
  const isCurrent = sessionId === currentId
  const isAsked = typeof asked === 'object' && asked.sessionId === sessionId
  return html`<li data-testid="chat-history-row">
    <div class="history-row">
      <button
        class="history-open"
        type="button"
        aria-current=${isCurrent ? 'true' : nothing}
        @click=${() => open(sessionId)}
      >
        <span class="history-title" lang=${languageOf(name)}>${name}</span>
        <span class="history-time"
          ><time datetime=${lastActiveAt}>${shortTime(lastActiveAt, language, new Date())}</time>${
            isCurrent ? html` · ${say('historyCurrent')}` : nothing
          }</span
        >
      </button>
      <button
        class="tool"
        type="button"
        data-testid="chat-history-delete"
        aria-label=${say('historyDelete').replace('{title}', name)}
        @click=${() => list.ask({ sessionId })}
      >
        ${deleteIcon}
      </button>
    </div>
    ${isAsked ? confirmView(context, 'historyDeleteAsk', 'historyDeleteYes') : nothing}
  </li>`
}

function confirmView(
  { say, list }: HistoryContext,
  question: 'historyDeleteAsk' | 'historyEverythingAsk',
  yes: 'historyDeleteYes' | 'historyEverythingYes',
): TemplateResult {
  return html`<div class="history-confirm" role="group" aria-label=${say(question)} data-testid="chat-history-confirm">
    <p role="alert">${say(question)}</p>
    <button
      class="plain-button danger"
      type="button"
      data-testid="chat-history-yes"
      @click=${() => void list.confirm()}
    >
      ${say(yes)}
    </button>
    <button class="plain-button" type="button" @click=${() => list.ask(undefined)}>${say('historyDeleteNo')}</button>
  </div>`
}
