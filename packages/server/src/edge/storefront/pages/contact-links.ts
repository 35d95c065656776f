// The text of an FAQ answer for the support page. Answers name this page by its path, for the chat and for mails; here the path
// becomes a link to the contact. Everything else stays text.
import { html } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'

/** The id of the heading above the contact. */
export const CONTACT_ID = 'contact-title'

/** The path in brackets belongs to the words before it, which become the link. */
const PATH = /(サポート窓口|サポートページ|support page|support) ?[（(]\/support[)）]|\/support(?![\w/#-])/giu

export function withContactLinks(answer: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of answer.matchAll(PATH)) {
    const [whole, words = whole] = match
    parts.push(html`${answer.slice(end, match.index)}<a href="#${CONTACT_ID}">${words}</a>`)
    end = match.index + whole.length
  }
  return html`${parts}${answer.slice(end)}`
}
