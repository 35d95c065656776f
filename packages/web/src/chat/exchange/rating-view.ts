// The thumbs in the row below an answer, and after a thumb down a small field for the reason, which may stay empty.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { FeedbackValue } from '@mangaassist/protocol'
import type { Say } from '../../i18n.ts'
import type { Rating } from '../conversation/rating.ts'
import type { endedWords } from './ended-words.ts'
import { sendIcon, thumbIcon } from '../icons.ts'

export interface RatingContext {
  readonly rate: (id: number, thumb: FeedbackValue) => void
  readonly explain: (id: number, reason: string) => void
}

interface ThumbsContext extends RatingContext {
  readonly say: Say<typeof endedWords>
}

const reasonLengthMax = 500
const names = { up: 'thumbUp', down: 'thumbDown' } as const

export function thumbsView(id: number, rating: Rating, context: ThumbsContext): TemplateResult {
  return html`<span class="thumbs" role="group" aria-label=${context.say('rating')} data-testid="chat-rating"
    >${(['up', 'down'] as const).map((thumb) => thumbView(thumb, rating, { ...context, id }))}</span
  >`
}

function thumbView(
  thumb: FeedbackValue,
  { value }: Rating,
  { id, say, rate }: ThumbsContext & { readonly id: number },
): TemplateResult {
  return html`<button
    class="action thumb ${thumb}"
    type="button"
    data-testid="chat-thumb-${thumb}"
    aria-pressed=${value === thumb ? 'true' : 'false'}
    aria-label=${say(names[thumb])}
    title=${say(names[thumb])}
    @click=${() => rate(id, thumb)}
  >
    ${thumbIcon}
  </button>`
}

export function reasonView(id: number, { say, explain }: ThumbsContext): TemplateResult {
  const leave = (form: HTMLFormElement, reason: string): void => {
    explain(id, reason)
    // The field disappears, and the keyboard focus must not disappear with it.
    form.closest('.actions')?.querySelector<HTMLElement>('.thumb.down')?.focus({ preventScroll: true })
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    leave(form, form.querySelector('input')?.value ?? '')
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return
    // It closes the field, and not the panel.
    event.stopPropagation()
    leave(event.currentTarget as HTMLFormElement, '')
  }
  return html`<form class="reason" data-testid="chat-reason" @submit=${onSubmit} @keydown=${onKey}>
    <input
      type="text"
      autocomplete="off"
      enterkeyhint="send"
      maxlength=${reasonLengthMax}
      aria-label=${say('reason')}
      placeholder=${say('reasonPlaceholder')}
      data-testid="chat-reason-field"
    />
    <button class="round" type="submit" aria-label=${say('reasonSend')} data-testid="chat-reason-send">
      ${sendIcon}
    </button>
  </form>`
}
