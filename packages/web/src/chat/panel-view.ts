// Templates of the panel: head, log and composer. They hold no state; the element handles their events.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { chatWords, Say } from '../i18n.ts'
import { languageOf, otherThan } from '../language.ts'
import type { ConversationState } from './conversation/conversation.ts'
import { limitView, roomView, voiceButton } from './compose/compose-view.ts'
import type { ComposeContext } from './compose/compose-view.ts'
import { exchangeView } from './exchange/exchange-view.ts'
import { missingNote } from './exchange/plain-ended-view.ts'
import type { ExchangeContext } from './exchange/exchange-view.ts'
import { balloonIcon, closeIcon, historyIcon, downIcon, newIcon, sendIcon, stopIcon } from './icons.ts'
import type { Notice } from './conversation/notices.ts'
import { menuView } from './panel/menu-view.ts'
import type { MenuContext } from './panel/menu-view.ts'

export interface PanelContext extends ExchangeContext, ComposeContext, MenuContext {
  readonly state: ConversationState
  readonly inline: boolean
  readonly atEnd: boolean
  /** The list of conversations is shown in place of the log. */
  readonly isListed: boolean
  /** The page's own, in place of ours. */
  readonly ownGreeting: string | undefined
  readonly ownSuggestions: readonly string[] | undefined
  readonly on: {
    readonly close: () => void
    readonly history: () => void
    readonly startNew: () => void
    readonly submit: (event: Event) => void
    readonly stop: () => void
    readonly field: (event: Event) => void
    readonly input: (event: Event) => void
    readonly scroll: (event: Event) => void
    readonly toLatest: () => void
  }
}

const suggestions = ['suggestion1', 'suggestion2', 'suggestion3', 'suggestion4'] as const

/** Not a `header`: in a dialog it would be a second banner of the page. */
export function headView(context: PanelContext): TemplateResult {
  const { say, language, inline, state, isListed, switchLanguage, on } = context
  return html`<div class="head" part="head">
    <h2 id="title"><span class="badge">${balloonIcon}</span><span class="name">${say('name')}</span></h2>
    <button
      class="tool wide-only"
      type="button"
      data-testid="chat-language"
      lang=${otherThan(language)}
      aria-label=${say('otherLanguageLabel')}
      @click=${switchLanguage}
    >
      ${say('otherLanguage')}
    </button>
    ${toolView({ name: 'history', label: say('historyOpen'), icon: historyIcon, press: on.history, isPressed: isListed })}
    ${toolView({
      name: 'new',
      label: say('newConversation'),
      icon: newIcon,
      press: on.startNew,
      isDisabled: state.exchanges.length === 0 && !isListed,
    })}
    ${menuView(context)}
    ${inline ? nothing : toolView({ name: 'close', label: say('close'), icon: closeIcon, press: on.close })}
  </div>`
}

interface Tool {
  readonly name: string
  readonly label: string
  readonly icon: TemplateResult
  readonly press: () => void
  readonly isDisabled?: boolean
  readonly isPressed?: boolean
}

function toolView({ name, label, icon, press, isDisabled = false, isPressed }: Tool): TemplateResult {
  return html`<button
    class="tool"
    type="button"
    data-testid="chat-${name}"
    aria-label=${label}
    title=${label}
    aria-pressed=${isPressed === undefined ? nothing : String(isPressed)}
    ?disabled=${isDisabled}
    @click=${press}
  >
    ${icon}
  </button>`
}

/** Screen readers do not announce the log: the announcer says what they need. */
export function logView(context: PanelContext): TemplateResult {
  const { say, state, isListed, on } = context
  return html`<div
    class="scroller"
    part="log"
    role="log"
    aria-live="off"
    aria-label=${say('conversation')}
    tabindex="0"
    data-testid="chat-log"
    ?hidden=${isListed}
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
    ${context.tools.ended.loaded?.atEnd(context) ?? nothing}
    ${context.tools.ended.isMissing && state.exchanges.length === 0 ? missingNote(context) : nothing}
  </div>`
}

function greetingView({ say, language, free, choose, ownGreeting, ownSuggestions }: PanelContext): TemplateResult {
  const questions = ownSuggestions ?? suggestions.map((word) => say(word))
  return html`<div class="greeting" lang=${language}>
    <h3>${say('greetingTitle')}</h3>
    <p lang=${ownGreeting === undefined ? nothing : languageOf(ownGreeting)}>${ownGreeting ?? say('greeting')}</p>
    <ul class="suggestions" aria-label=${say('suggestions')} ?hidden=${questions.length === 0}>
      ${questions.map(
        (question) =>
          html`<li>
            <button
              class="suggestion"
              type="button"
              data-testid="chat-suggestion"
              lang=${languageOf(question)}
              ?disabled=${!free}
              @click=${() => choose(question)}
            >
              ${question}
            </button>
          </li>`,
      )}
    </ul>
  </div>`
}

export function footView(context: PanelContext): TemplateResult {
  const { say, state, atEnd, isListed, on } = context
  return html`<div class="foot" ?hidden=${isListed}>
    ${
      atEnd || state.exchanges.length === 0
        ? nothing
        : html`<button class="to-latest" type="button" data-testid="chat-to-latest" @click=${on.toLatest}>
            ${downIcon}${say('toLatest')}
          </button>`
    }
    <div role="status">${noticeView(state.notice ?? state.busy?.notice, say)}</div>
    ${limitView(context)}
    <form part="composer" data-testid="chat-form" @submit=${on.submit}>
      <textarea
        rows="1"
        maxlength="10000"
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
      ${voiceButton(context)} ${state.answering ? stopButton(context) : sendButton(context)}
    </form>
    ${roomView(context)}
    <p class="hint">${say('hint')}</p>
  </div>`
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
