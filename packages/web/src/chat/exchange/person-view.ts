// A way to a person: the offer below an answer that needs one, and the form at the end of the log. It says what is passed on, to
// which desk and when that answers, before anything is sent; afterwards the state of the request.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { HandoverPreview, HandoverView } from '@mangaassist/protocol'
import { languageOf } from '../../language.ts'
import type { Exchange } from '../conversation/exchange.ts'
import type { PersonProblem, PersonState } from '../conversation/person-desk.ts'
import { linkRel, productLink } from '../markdown/links.ts'
import type { EndedContext, EndedWord } from './ended.ts'
import { timeOf } from './time.ts'

/** Below an answer whose `contact` is set, or that failed. */
export function personOfferView({ contact, phase, text }: Exchange, context: EndedContext) {
  const hasFailed = phase.type === 'ended' && phase.end.remedy !== undefined && text === ''
  if (contact === undefined && !hasFailed) return nothing
  const { say, language, endedTools } = context
  // Many answers say it themselves.
  const isNew = contact !== undefined && !text.includes(contact)
  return html`<div class="person-offer" data-testid="chat-person-offer">
    ${isNew ? html`<p lang=${languageOf(contact)}>${say('personContact')}${contact}</p>` : nothing}
    <button
      class="small-button"
      type="button"
      data-testid="chat-person-open"
      @click=${() => endedTools.openPerson(language)}
    >
      ${say('person')}
    </button>
  </div>`
}

/** At the end of the log. */
export function personView(context: EndedContext): TemplateResult | typeof nothing {
  const { say, endedTools } = context
  const { state } = endedTools.person
  if (state.type === 'closed') return nothing
  return html`<section class="person" aria-labelledby="person-title" data-testid="chat-person" data-state=${state.type}>
    <h3 id="person-title" class="person-title" tabindex="-1">${say('personTitle')}</h3>
    <div role="status">${statusView(state, context)}</div>
    ${'preview' in state && state.type !== 'asked' ? offerView(state.preview, state, context) : nothing}
    ${
      state.type === 'offered' || state.type === 'sending'
        ? nothing
        : html`<span class="person-buttons">
            <button class="small-button" type="button" data-testid="chat-person-close" @click=${endedTools.closePerson}>
              ${say('personClose')}
            </button>
          </span>`
    }
  </section>`
}

function statusView(state: PersonState, context: EndedContext) {
  const { say, links } = context
  switch (state.type) {
    case 'loading':
      return html`<p>${say('personLoading')}</p>`
    case 'no-conversation':
    case 'unavailable': {
      const href = productLink('/support', links)
      return html`<p>${say(state.type === 'unavailable' ? 'personUnavailable' : 'personNoConversation')}</p>
        ${href === undefined ? nothing : html`<p><a href=${href} rel=${linkRel}>${say('personSupport')}</a></p>`}`
    }
    case 'sending':
      return html`<p>${say('personSending')}</p>`
    case 'asked':
      return askedView(state.preview, state.request, context)
    default:
      return nothing
  }
}

const stateWords = { open: 'personOpen', taken: 'personTaken', closed: 'personClosed' } as const satisfies Record<
  string,
  EndedWord
>

function askedView(
  preview: HandoverPreview,
  { state, email, at }: HandoverView,
  context: EndedContext,
): TemplateResult {
  const { say, language } = context
  return html`<p data-testid="chat-person-state"><strong>${say(stateWords[state])}</strong></p>
    <p>
      ${timeOf(Date.parse(at), language, Date.now())} ·
      <span lang=${languageOf(preview.desk.name)}>${preview.desk.name}</span>
    </p>
    ${deskTimes(preview, context)}
    <p>${email === undefined ? say('personNoReply') : html`${say('personReply')}<span lang="en">${email}</span>`}</p>`
}

/** When the desk answers, if the shop has said so. */
function deskTimes({ desk }: HandoverPreview, { say, language }: EndedContext) {
  const { isOpen, closesAt, opensAt } = desk
  if (isOpen === undefined) return nothing
  const at = isOpen ? closesAt : opensAt
  const words = say(isOpen ? 'personDeskOpen' : 'personDeskClosed')
  if (at === undefined) return html`<p>${words}</p>`
  const time = timeOf(Date.parse(at), language, Date.now())
  return html`<p>${words}${say(isOpen ? 'personUntil' : 'personFrom').replace('{time}', time)}</p>`
}

function offerView(
  preview: HandoverPreview,
  state: PersonState & { readonly type: 'offered' | 'sending' | 'asked' },
  context: EndedContext,
): TemplateResult {
  const { say, endedTools } = context
  const { desk, passesOn } = preview
  const isSending = state.type === 'sending'
  return html`<p><strong lang=${languageOf(desk.name)}>${desk.name}</strong></p>
    ${deskTimes(preview, context)}
    <p id="person-passes">${say('personPasses')}</p>
    <ul class="person-passes" aria-labelledby="person-passes">
      <li>${say('personTurns', passesOn.turns)}</li>
      ${passesOn.orderNumber === undefined ? nothing : html`<li>${say('personOrder')}${passesOn.orderNumber}</li>`}
      <li>${say('personGiven')}</li>
    </ul>
    <form
      class="person-form"
      novalidate
      data-testid="chat-person-form"
      @submit=${(event: SubmitEvent) => submit(event, preview, context)}
    >
      <label for="person-email">${say('personEmailLabel')}</label>
      <input
        id="person-email"
        type="email"
        autocomplete="email"
        inputmode="email"
        maxlength="254"
        data-testid="chat-person-email"
        aria-describedby="person-problem"
        ?disabled=${isSending}
      />
      <p id="person-problem" class="person-problem" role="alert" data-testid="chat-person-problem">
        ${state.type === 'offered' && state.problem !== undefined ? problemWords(state.problem, context) : nothing}
      </p>
      <span class="person-buttons">
        <button class="small-button primary" type="submit" data-testid="chat-person-send" ?disabled=${isSending}>
          ${say('personSend')}
        </button>
        <button class="small-button" type="button" data-testid="chat-person-cancel" @click=${endedTools.closePerson}>
          ${say('cancel')}
        </button>
      </span>
    </form>
    <p class="person-contact" lang=${languageOf(desk.contact)}>${say('personContact')}${desk.contact}</p>`
}

function submit(event: SubmitEvent, { passesOn }: HandoverPreview, { endedTools, language }: EndedContext): void {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  const email = form.querySelector('input')?.value.trim() ?? ''
  endedTools.person.ask({
    language,
    ...(email === '' ? {} : { email }),
    ...(passesOn.orderNumber === undefined ? {} : { orderNumber: passesOn.orderNumber }),
  })
}

function problemWords(problem: PersonProblem, { say }: EndedContext): string {
  return 'word' in problem ? say(problem.word) : problem.text
}
