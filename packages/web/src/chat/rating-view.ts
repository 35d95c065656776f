// The thumbs below an answer, and after a thumb down a small field for the reason, which may stay empty. What happened is
// said in a live region, so that a screen reader announces it.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { FeedbackValue } from '@mangaassist/protocol'
import type { chatWords, Say } from '../i18n.ts'
import type { Exchange } from './conversation/exchange.ts'
import type { Rating } from './conversation/rating.ts'
import { sendIcon, thumbIcon } from './icons.ts'

export interface RatingContext {
  readonly say: Say<typeof chatWords>
  readonly rate: (id: number, thumb: FeedbackValue) => void
  readonly explain: (id: number, reason: string) => void
}

const reasonLengthMax = 500
const names = { up: 'thumbUp', down: 'thumbDown' } as const

export function ratingView({ id, rating }: Exchange, context: RatingContext) {
  if (rating === undefined) return nothing
  const { say } = context
  return html`<div class="rating" data-testid="chat-rating">
    <div class="thumbs" role="group" aria-label=${say('rating')}>
      ${(['up', 'down'] as const).map((thumb) => thumbView(thumb, rating, { ...context, id }))}
      <span class="rating-note" role="status" data-testid="chat-rating-note">${noteOf(rating, say)}</span>
    </div>
    ${rating.asks ? reasonView(id, context) : nothing}
  </div>`
}

function thumbView(
  thumb: FeedbackValue,
  { value }: Rating,
  { id, say, rate }: RatingContext & { readonly id: number },
): TemplateResult {
  return html`<button
    class="thumb ${thumb}"
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

function noteOf({ asks, note }: Rating, say: RatingContext['say']): string {
  if (note !== undefined) return say(note === 'failed' ? 'ratingFailed' : 'ratingThanks')
  return asks ? say('reasonAsk') : ''
}

function reasonView(id: number, { say, explain }: RatingContext): TemplateResult {
  const leave = (form: HTMLFormElement, reason: string): void => {
    explain(id, reason)
    // The field disappears, and the keyboard focus must not disappear with it.
    form.closest('.rating')?.querySelector<HTMLElement>('.thumb.down')?.focus({ preventScroll: true })
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
