// Makes nodes of the parser's tokens, element by element: there is no string of markup on the way, so nothing in an answer can
// become one. Only the elements below exist, links lead where the policy allows, and every other token is text.
import type { Token, Tokens } from 'marked'
import { answerLink, isExternal, linkRel } from './links.ts'
import type { LinkPolicy } from './links.ts'
import { pageOrigin } from '../../page-origin.ts'

type ElementName =
  | 'p'
  | 'br'
  | 'strong'
  | 'em'
  | 'del'
  | 'code'
  | 'pre'
  | 'blockquote'
  | 'hr'
  | 'ul'
  | 'ol'
  | 'li'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'

/** Levels 1 and 2 belong to the page and the panel, so headings in an answer start at 3. */
const headings = ['h3', 'h4', 'h5', 'h6'] as const

export function tokenNodes(tokens: readonly Token[] | undefined, policy: LinkPolicy): Node[] {
  return (tokens ?? []).flatMap((token) => nodesOf(token as Tokens.Generic, policy))
}

function nodesOf(token: Tokens.Generic, policy: LinkPolicy): Node | Node[] {
  const inside = (): Node[] => tokenNodes(token.tokens, policy)
  switch (token.type) {
    case 'paragraph':
      return make('p', inside())
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return make(token.type, inside())
    case 'br':
    case 'hr':
      return make(token.type, [])
    case 'heading':
      return make(headings[Math.min((token as Tokens.Heading).depth, headings.length) - 1] ?? 'h6', inside())
    case 'code':
      return make('pre', [make('code', [literal(`${(token as Tokens.Code).text}\n`)])])
    case 'codespan':
      return make('code', [literal((token as Tokens.Codespan).text)])
    case 'list':
      return listNode(token as Tokens.List, policy)
    case 'table':
      return tableNode(token as Tokens.Table, policy)
    case 'link':
      return linkNodes(token as Tokens.Link, inside(), policy)
    case 'space':
    case 'def':
    case 'checkbox':
      return []
    default:
      // Text, escapes, the words of an image, and what no rule knows.
      return token.tokens === undefined ? literal(decoded(String(token['text'] ?? token.raw))) : inside()
  }
}

function make(name: ElementName, children: readonly Node[]): HTMLElement {
  const element = document.createElement(name)
  element.append(...children)
  return element
}

function literal(text: string): Text {
  return document.createTextNode(text)
}

function listNode({ ordered, start, items }: Tokens.List, policy: LinkPolicy): HTMLElement {
  const entries = items.map((item) => make('li', tokenNodes(item.tokens, policy)))
  const list = make(ordered ? 'ol' : 'ul', entries)
  if (ordered && typeof start === 'number' && start !== 1) list.setAttribute('start', String(start))
  return list
}

function tableNode({ header, rows }: Tokens.Table, policy: LinkPolicy): HTMLElement {
  const row = (name: 'th' | 'td', cells: readonly Tokens.TableCell[]): HTMLElement =>
    make(
      'tr',
      cells.map(({ tokens }) => make(name, tokenNodes(tokens, policy))),
    )
  const head = make('thead', [row('th', header)])
  if (rows.length === 0) return make('table', [head])
  return make('table', [
    head,
    make(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ])
}

/** A link that the policy refuses is its words. */
function linkNodes({ href }: Tokens.Link, words: Node[], policy: LinkPolicy): Node | Node[] {
  const address = answerLink(decoded(href), policy)
  if (address === undefined) return words
  const link = document.createElement('a')
  link.setAttribute('href', address)
  link.setAttribute('rel', linkRel)
  if (isExternal(address, pageOrigin())) link.setAttribute('target', '_blank')
  link.append(...words)
  return link
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Character references, which the parser leaves to the browser's parser of markup. */
function decoded(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,4});/gi, (reference) => {
    const name = reference.slice(1, -1)
    if (!name.startsWith('#')) return entities[name] ?? reference
    // `#x41` and `#65`
    const code = Number(name.slice(1).replace(/^x/i, '0x'))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference
  })
}
