// Templates of the panel: launcher, head, log and composer. They hold no state; the element handles their events.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { chatWords, Say } from '../i18n.ts'
import { languageOf, otherThan } from '../language.ts'
import type { ConversationState } from './conversation/conversation.ts'
import { exchangeView } from './exchange-view.ts'
import type { ExchangeContext } from './exchange-view.ts'
import { balloonIcon, closeIcon, downIcon, newIcon, sendIcon, stopIcon } from './icons.ts'
import type { Notice } from './conversation/notices.ts'

export interface PanelContext extends ExchangeContext {
  readonly state: ConversationState
  readonly inline: boolean
  readonly atEnd: boolean
  readonly on: {
    readonly close: () => void
    readonly startNew: () => void
    readonly switchLanguage: () => void
    readonly submit: (event: Event) => void
    readonly stop: () => void
    readonly field: (event: Event) => void
    readonly input: (event: Event) => void
    readonly scroll: (event: Event) => void
    readonly toLatest: () => void
  }
}

const suggestions = ['suggestion1', 'suggestion2', 'suggestion3', 'suggestion4'] as const

export function launcherView(say: Say<typeof chatWords>, unread: boolean, open: () => void): TemplateResult {
  return html`<button
    class="launcher"
    type="button"
    data-testid="chat-launcher"
    aria-haspopup="dialog"
    aria-label=${unread ? `${say('launchLabel')} (${say('unread')})` : say('launchLabel')}
    @click=${open}
  >
    ${balloonIcon}<span>${say('launch')}</span>${unread ? html`<span class="dot"></span>` : nothing}
  </button>`
}

export function headView({ say, language, inline, state, on }: PanelContext): TemplateResult {
  return html`<header>
    <h2 id="title"><span class="badge">${balloonIcon}</span>${say('name')}</h2>
    <button
      class="tool"
      type="button"
      data-testid="chat-language"
      lang=${otherThan(language)}
      aria-label=${say('otherLanguageLabel')}
      @click=${on.switchLanguage}
    >
      ${say('otherLanguage')}
    </button>
    <button
      class="tool"
      type="button"
      data-testid="chat-new"
      aria-label=${say('newConversation')}
      title=${say('newConversation')}
      ?disabled=${state.exchanges.length === 0}
      @click=${on.startNew}
    >
      ${newIcon}
    </button>
    ${
      inline
        ? nothing
        : html`<button
            class="tool"
            type="button"
            data-testid="chat-close"
            aria-label=${say('close')}
            title=${say('close')}
            @click=${on.close}
          >
            ${closeIcon}
          </button>`
    }
  </header>`
}

/** Screen readers do not announce the log: the announcer says what they need. */
export function logView(context: PanelContext): TemplateResult {
  const { say, state, on } = context
  return html`<div
    class="scroller"
    role="log"
    aria-live="off"
    aria-label=${say('conversation')}
    tabindex="0"
    data-testid="chat-log"
    @scroll=${on.scroll}
  >
    ${
      state.exchanges.length > 0
        ? repeat(
            state.exchanges,
            ({ id }) => id,
            (exchange) => exchangeView(exchange, context, exchange === state.exchanges.at(-1)),
          )
        : state.restoring
          ? html`<p class="waiting">${say('restoring')}</p>`
          : greetingView(context)
    }
  </div>`
}

function greetingView({ say, language, free, choose }: PanelContext): TemplateResult {
  return html`<div class="greeting" lang=${language}>
    <h3>${say('greetingTitle')}</h3>
    <p>${say('greeting')}</p>
    <ul class="suggestions" aria-label=${say('suggestions')}>
      ${suggestions.map(
        (word) =>
          html`<li>
            <button
              class="suggestion"
              type="button"
              data-testid="chat-suggestion"
              ?disabled=${!free}
              @click=${() => choose(say(word))}
            >
              ${say(word)}
            </button>
          </li>`,
      )}
    </ul>
  </div>`
}

export function footView(context: PanelContext): TemplateResult {
  const { say, state, atEnd, on } = context
  return html`<footer>
    ${
      atEnd || state.exchanges.length === 0
        ? nothing
        : html`<button class="to-latest" type="button" data-testid="chat-to-latest" @click=${on.toLatest}>
            ${downIcon}${say('toLatest')}
          </button>`
    }
    <div role="status">${noticeView(state.notice ?? state.busy?.notice, say)}</div>
    <form data-testid="chat-form" @submit=${on.submit}>
      <textarea
        rows="1"
        maxlength="5000"
        autocomplete="off"
        enterkeyhint="send"
        data-testid="chat-input"
        aria-label=${say('message')}
        placeholder=${say('placeholder')}
        @keydown=${on.field}
        @keyup=${on.field}
        @compositionstart=${on.field}
        @compositionend=${on.field}
        @blur=${on.field}
        @pointerdown=${on.field}
        @input=${on.input}
      ></textarea>
      ${state.answering ? stopButton(context) : sendButton(context)}
    </form>
    <p class="hint">${say('hint')}</p>
  </footer>`
}

/** A pause disables only the button: disabling the field would close the phone's keyboard and lose the focus. */
function sendButton({ say, free }: PanelContext): TemplateResult {
  return html`<button class="round" type="submit" data-testid="chat-send" aria-label=${say('send')} ?disabled=${!free}>
    ${sendIcon}
  </button>`
}

function stopButton({ say, on }: PanelContext): TemplateResult {
  return html`<button
    class="round stop"
    type="button"
    data-testid="chat-stop"
    aria-label=${say('stop')}
    title=${say('stop')}
    @click=${on.stop}
  >
    ${stopIcon}
  </button>`
}

function noticeView(notice: Notice | undefined, say: Say<typeof chatWords>) {
  if (notice === undefined) return nothing
  const words = 'word' in notice ? say(notice.word) : notice.text
  return html`<p class="notice" data-testid="chat-notice" lang=${languageOf(words)}>${words}</p>`
}
