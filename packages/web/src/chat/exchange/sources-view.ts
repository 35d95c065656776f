// What kind of answer it is and where its facts came from, as quiet lines: the catalogue with the time of its prices, and the
// FAQ entry as a link.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Exchange } from '../conversation/exchange.ts'
import { isExternal, linkRel, productLink } from '../markdown/links.ts'
import type { EndedContext } from './ended.ts'
import { timeOf } from './time.ts'
import { pageOrigin } from '../../page-origin.ts'

export function originView({ origin }: Exchange, { say }: EndedContext) {
  if (origin.length === 0) return nothing
  return html`<p class="origin" data-testid="chat-origin">${origin.map((word) => say(word)).join(' · ')}</p>`
}

export function sourcesView({ sources, products }: Exchange, context: EndedContext) {
  const ofCatalogue = sources.filter(({ kind }) => kind === 'product')
  const only = ofCatalogue.length === 1 ? products.find(({ id }) => id === ofCatalogue[0]?.id)?.url : undefined
  const faq = sources.filter(({ kind }) => kind === 'faq')
  const { say } = context
  const named = [
    ...(ofCatalogue.length === 0
      ? []
      : [
          html`${sourceLink(say('sourceCatalogue'), only ?? '/', context)}${readAt(
            ofCatalogue.map(({ at }) => at),
            context,
          )}`,
        ]),
    ...(faq.length === 0 ? [] : [sourceLink(say('sourceFaq'), faqPath(faq), context)]),
  ]
  if (named.length === 0) return nothing
  return html`<p class="origin" data-testid="chat-sources">
    ${say('sources')}${named.map((link, index) => html`${index === 0 ? nothing : ' · '}${link}`)}
  </p>`
}

/** The oldest of the times: no price is older than that. */
function readAt(times: readonly string[], { say, language }: EndedContext) {
  const known = times.map((at) => Date.parse(at)).filter((ms) => !Number.isNaN(ms))
  if (known.length === 0) return nothing
  return say('sourceAt').replace('{time}', timeOf(Math.min(...known), language, Date.now()))
}

/** An id of the shop's own data may be anything: it is a fragment only if it is a plain name. */
function faqPath(faq: readonly { readonly id: string }[]): string {
  const [first, ...others] = faq
  return first !== undefined && others.length === 0 && /^[\w-]{1,100}$/.test(first.id)
    ? `/support#${first.id}`
    : '/support'
}

function sourceLink(words: string, url: string, { links }: EndedContext): TemplateResult | string {
  const href = productLink(url, links)
  if (href === undefined) return words
  const target = isExternal(href, pageOrigin()) ? '_blank' : nothing
  return html`<a href=${href} rel=${linkRel} target=${target}>${words}</a>`
}
