// The support page: how to contact the shop, a search, and the shop's questions and answers by topic. Each answer has an anchor,
// `/support#<id of the entry>`.
import { DAYS } from '@mangaassist/protocol'
import type { DeskHours, DeskView, FaqItem, Language, Localized } from '@mangaassist/protocol'
import type { FaqView } from '#services/faq.ts'
import { attribute, html, NOTHING } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { CONTACT_ID, withContactLinks } from './contact-links.ts'
import { faqMatches } from './faq-matches.ts'
import { languageOfText } from './parts.ts'
import { faqPage } from './structured.ts'

const EVERY_DAY: Localized = { ja: '毎日', en: 'Every day' }
const DAY_NAMES: Readonly<Record<(typeof DAYS)[number], Localized>> = {
  mon: { ja: '月', en: 'Mon' },
  tue: { ja: '火', en: 'Tue' },
  wed: { ja: '水', en: 'Wed' },
  thu: { ja: '木', en: 'Thu' },
  fri: { ja: '金', en: 'Fri' },
  sat: { ja: '土', en: 'Sat' },
  sun: { ja: '日', en: 'Sun' },
}

/** `q`: words that an entry has to contain. */
export function supportPage({ contact, desk, items }: FaqView, q: string, context: StoreContext): StorePage {
  const { say } = context
  const found = q === '' ? items : faqMatches(items, q)
  return {
    name: 'support',
    title: say('supportTitle'),
    description: say('supportDescription').replace('{shop}', context.shopName),
    path: '/support',
    isListed: q === '',
    structured: q === '' && items.length > 0 ? [faqPage(items)] : [],
    main: html`<div class="support">
      <h1>${say('supportTitle')}</h1>
      <p class="lead">${say('supportText')}</p>
      ${contactView(contact, desk, context)} ${searchView(q, context)}
      ${found.length === 0 ? emptyView(q, context) : topicsView({ items: found, hasContact: contact !== '' }, q, context)}
    </div>`,
  }
}

function searchView(q: string, { href, say }: StoreContext): Html {
  return html`<form
    class="search"
    role="search"
    method="get"
    action="${href('/support')}"
    data-in-place
    data-testid="faq-search"
  >
    <label class="unseen" for="q">${say('faqSearchLabel')}</label>
    <input
      id="q"
      name="q"
      type="search"
      autocomplete="off"
      enterkeyhint="search"
      maxlength="200"
      placeholder="${say('faqSearchLabel')}"
      value="${q}"
    />
    <button class="button" type="submit">${say('search')}</button>
  </form>`
}

function emptyView(q: string, { href, say }: StoreContext): Html {
  if (q === '') return html`<p class="state">${say('faqEmpty')}</p>`
  return html`<div class="state" data-testid="empty">
    <h2>${say('faqNothing')}</h2>
    <div class="state-actions">
      <button class="button primary" type="button" data-ask="prefill" data-question="${q}">${say('heroAsk')}</button>
      <a class="button" href="${href('/support')}">${say('faqAll')}</a>
    </div>
  </div>`
}

interface Shown {
  readonly items: readonly FaqItem[]
  readonly hasContact: boolean
}

function topicsView({ items, hasContact }: Shown, q: string, { href, say }: StoreContext): Html {
  const topics = Object.entries(Object.groupBy(items, ({ topic }) => topic))
  const label = (topic: string, of: readonly FaqItem[] = []) => of[0]?.topicLabel ?? topic
  const chips = topics.map(([topic, of]) => html`<a class="chip" href="#topic-${topic}">${label(topic, of)}</a>`)
  return html`${
    q === ''
      ? html`<nav class="chips topics" aria-label="${say('topics')}">${chips}</nav>`
      : html`<p class="count" role="status">
          ${say('faqFound', items.length)} <a href="${href('/support')}">${say('faqAll')}</a>
        </p>`
  }
  ${topics.map(
    ([topic, of = []]) =>
      html`<section class="topic" id="topic-${topic}" data-testid="faq-topic">
        <h2 lang="${languageOfText(label(topic, of))}">${label(topic, of)}</h2>
        ${of.map((item) => entryView(item, { isOpen: q !== '', hasContact }))}
      </section>`,
  )}`
}

/** The anchor is inside, so that a browser opens the entry that an address names. */
function entryView(
  { answer, id, question }: FaqItem,
  { isOpen, hasContact }: { readonly isOpen: boolean; readonly hasContact: boolean },
): Html {
  return html`<details data-testid="faq" ${attribute('open', isOpen)}>
    <summary lang="${languageOfText(question)}">${question}</summary>
    <p id="${id}" lang="${languageOfText(answer)}">${hasContact ? withContactLinks(answer) : answer}</p>
  </details>`
}

function contactView(contact: string, { hours, isOpen }: DeskView, { language, say }: StoreContext): Html {
  if (contact === '') return NOTHING
  return html`<section class="contact" aria-labelledby="${CONTACT_ID}" data-testid="contact">
    <h2 id="${CONTACT_ID}">${say('contact')}</h2>
    <p>${say('contactText')}</p>
    <p class="contact-way" lang="${languageOfText(contact)}">${contactWay(contact)}</p>
    ${isOpen !== undefined && html`<p class="desk" data-testid="desk">${say(isOpen ? 'deskOpen' : 'deskClosed')}</p>`}
    ${
      // The contact is the shop's own text, and may say it already.
      !hours.some(({ from }) => contact.includes(from)) &&
      hours.map((some) => html`<p class="desk-hours">${hoursInWords(some, language)}</p>`)
    }
    <button class="button primary" type="button" data-testid="support-ask" data-ask="open">${say('heroAsk')}</button>
  </section>`
}

/** The contact is free text of the shop: an e-mail address in it becomes a link, the rest stays text. */
function contactWay(contact: string): Html {
  if (/^https?:\/\/\S+$/.test(contact)) return html`<a href="${contact}" rel="noopener noreferrer">${contact}</a>`
  const [address] = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(contact) ?? []
  if (address === undefined) return html`${contact}`
  const at = contact.indexOf(address)
  const [before, after] = [contact.slice(0, at), contact.slice(at + address.length)]
  return html`${before}<a href="mailto:${address}">${address}</a>${after}`
}

function hoursInWords({ days, from, to }: DeskHours, language: Language): string {
  const every = DAYS.every((day) => days.includes(day))
  const names = every
    ? [EVERY_DAY[language]]
    : DAYS.filter((day) => days.includes(day)).map((day) => DAY_NAMES[day][language])
  return `${names.join(language === 'ja' ? '・' : ', ')} ${from}${language === 'ja' ? '〜' : '–'}${to}`
}
