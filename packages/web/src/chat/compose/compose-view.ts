// Renders the parts around the field: why a question was refused and when it can be sent, the characters left, and the
// button for voice input. The countdown is outside of the live region, or a screen reader would read every second.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { chatWords, Say } from '../../i18n.ts'
import { languageOf } from '../../language.ts'
import type { ConversationState } from '../conversation/conversation.ts'
import type { Limit } from '../conversation/limit.ts'
import { timeOf } from '../exchange/time.ts'
import { microphoneIcon, stopIcon } from '../icons.ts'
import type { FieldTools } from './field-tools.ts'

export interface ComposeContext {
  readonly say: Say<typeof chatWords>
  readonly language: Language
  readonly state: Pick<ConversationState, 'limit' | 'charactersMax'>
  readonly fieldTools: FieldTools
}

/** The longest wait that is shown as a countdown; for a longer one the time of its end is shown. */
const countedSecondsMax = 120

export function limitView({ state: { limit }, fieldTools, say, language }: ComposeContext) {
  const { problem } = fieldTools.voice
  const words = limit?.text ?? (limit?.word === undefined ? undefined : say(limit.word, limit.n))
  return html`<div role="status">
      ${words === undefined ? nothing : html`<p class="notice" data-testid="chat-limit" lang=${languageOf(words)}>${words}</p>`}
      ${problem === undefined ? nothing : html`<p class="notice" data-testid="chat-voice-problem">${say(problem)}</p>`}
    </div>
    ${limit === undefined ? nothing : waitView(limit, say, language)}`
}

function waitView(limit: Limit, say: ComposeContext['say'], language: Language): TemplateResult | typeof nothing {
  const { secondsLeft, untilMs } = limit
  if (secondsLeft === undefined || untilMs === undefined) return nothing
  // The end of the wait is announced once, and the seconds are not.
  if (secondsLeft === 0) return html`<p class="wait" role="status" data-testid="chat-wait">${say('limitOver')}</p>`
  const words =
    secondsLeft <= countedSecondsMax
      ? say('limitSeconds', secondsLeft)
      : say('limitFrom').replace('{time}', timeOf(untilMs, language, Date.now()))
  return html`<p class="wait" role="timer" aria-live="off" data-testid="chat-wait">${words}</p>`
}

export function roomView({ state, fieldTools, say }: ComposeContext) {
  const room = fieldTools.room(state.charactersMax)
  if (room === undefined) return nothing
  return html`<p class="room ${room.word === 'charactersOver' ? 'over' : ''}" data-testid="chat-room">
    ${say(room.word, room.n)}
  </p>`
}

export function voiceButton({ fieldTools, say, language }: ComposeContext) {
  const { voice } = fieldTools
  if (!voice.isAvailable) return nothing
  const word = voice.isListening ? 'voiceStop' : 'voiceStart'
  return html`<button
    class="round voice ${voice.isListening ? 'listening' : ''}"
    type="button"
    data-testid="chat-voice"
    aria-label=${say(word)}
    title=${say(word)}
    @click=${() => fieldTools.listen(language)}
  >
    ${voice.isListening ? stopIcon : microphoneIcon}
  </button>`
}
