// The support page: the shop's questions and answers by topic, and how to contact it.
import { html, nothing } from 'lit'
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit'
import { languageOf } from '../language.ts'
import { failedView } from './parts.ts'
import { readFaq } from './store-api.ts'
import type { Faq, FaqItem, Remote } from './store-api.ts'
import { StoreElement } from './store-element.ts'

class SupportPage extends StoreElement {
  static override properties: PropertyDeclarations = { faq: { state: true } }
  declare private faq: Remote<Faq>

  constructor() {
    super()
    this.faq = { type: 'loading' }
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('language')) void this.#load()
  }

  async #load(): Promise<void> {
    const { language } = this
    const faq = await readFaq(language).then(
      (data): Remote<Faq> => ({ type: 'ready', data }),
      (): Remote<Faq> => ({ type: 'failed' }),
    )
    if (language === this.language) this.faq = faq
  }

  protected override render(): TemplateResult {
    const { say } = this
    return html`<div class="support">
      <h1 tabindex="-1">${say('supportTitle')}</h1>
      <p class="lead">${say('supportText')}</p>
      <button class="button primary" type="button" data-testid="support-ask" @click=${() => this.openAssistant()}>
        ${say('heroAsk')}
      </button>
      ${this.#content()}
    </div>`
  }

  #content() {
    const { faq, say } = this
    if (faq.type === 'failed') {
      return failedView(say, () => {
        this.faq = { type: 'loading' }
        void this.#load()
      })
    }
    if (faq.type !== 'ready') {
      return html`<div class="skeleton" aria-busy="true">
        <span class="bone"></span><span class="bone"></span><span class="bone"></span>
      </div>`
    }
    const topics = Object.entries(Object.groupBy(faq.data.items, ({ topic }) => topic))
    if (topics.length === 0) return html`<p class="state">${say('faqEmpty')}</p>`
    return html`<nav class="chips topics" aria-label=${say('topics')}>
        ${topics.map(([topic, items]) => html`<a class="chip" href="#${topic}">${items?.[0]?.topicLabel ?? topic}</a>`)}
      </nav>
      ${topics.map(([topic, items = []]) => topicView(topic, items))} ${this.#contact(faq.data.contact)}`
  }

  #contact(contact: string | undefined) {
    if (contact === undefined || contact === '') return nothing
    return html`<section class="contact" aria-labelledby="contact-title" data-testid="contact">
      <h2 id="contact-title">${this.say('contact')}</h2>
      <p>${this.say('contactText')}</p>
      <p class="contact-way" lang=${languageOf(contact)}>${contactWay(contact)}</p>
    </section>`
  }
}

function topicView(topic: string, items: readonly FaqItem[]): TemplateResult {
  const label = items[0]?.topicLabel ?? topic
  return html`<section class="topic" id=${topic} data-testid="faq-topic">
    <h2 lang=${languageOf(label)}>${label}</h2>
    ${items.map(
      ({ id, question, answer }) =>
        html`<details id=${id} data-testid="faq">
          <summary lang=${languageOf(question)}>${question}</summary>
          <p lang=${languageOf(answer)}>${answer}</p>
        </details>`,
    )}
  </section>`
}

/** The contact is free text of the shop: an e-mail address in it becomes a link, the rest stays text. */
function contactWay(contact: string) {
  if (/^https?:\/\/\S+$/.test(contact)) return html`<a href=${contact} rel="noopener noreferrer">${contact}</a>`
  const [address] = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(contact) ?? []
  if (address === undefined) return contact
  const at = contact.indexOf(address)
  const [before, after] = [contact.slice(0, at), contact.slice(at + address.length)]
  return html`${before}<a href="mailto:${address}">${address}</a>${after}`
}

customElements.define('support-page', SupportPage)
