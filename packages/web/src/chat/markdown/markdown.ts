// Renders the model's Markdown to nodes, with two barriers: the parser creates no raw HTML, no images and no link that
// the policy refuses; the sanitiser then admits only a short list of tags and attributes. Never returns markup strings.
import createDOMPurify from 'dompurify'
import type { Config } from 'dompurify'
import { Marked } from 'marked'
import type { RendererObject, Token, TokenizerExtension, TokenizerObject } from 'marked'
import { answerLink, isExternal, linkRel } from './links.ts'
import type { LinkPolicy } from './links.ts'
import { capNesting } from './markdown-source.ts'

export interface MarkdownRenderer {
  /** The blocks of the text. The same `raw` renders to the same nodes: unchanged blocks need not be rendered again. */
  blocks(markdown: string): Token[]
  nodes(block: Token): DocumentFragment
}

const allowed = {
  ALLOWED_TAGS: 'p br strong em del code pre blockquote hr a ul ol li h3 h4 h5 h6 table thead tbody tr th td'.split(
    ' ',
  ),
  ALLOWED_ATTR: ['href', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

export function createMarkdownRenderer(policy: LinkPolicy): MarkdownRenderer {
  const renderer = rendererOf(policy)
  const marked = new Marked({ gfm: true, breaks: true, async: false, tokenizer, renderer, extensions: [shopPath] })
  // A separate instance: a hook on the shared one would affect other code on the page.
  const purifier = createDOMPurify(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.nodeName === 'A') guardLink(node, policy)
  })
  return {
    blocks(markdown) {
      const source = capNesting(markdown)
      return orElse(
        () => marked.lexer(source),
        () => [{ type: UNPARSED, raw: source }],
      )
    },
    nodes(block) {
      if (block.type === UNPARSED) return plainNodes(block.raw)
      return orElse(
        () => purifier.sanitize(marked.parser([block]), allowed),
        () => plainNodes(block.raw),
      )
    },
  }
}

const UNPARSED = 'unparsed'

/** An answer is always shown: if parsing or sanitising throws, as plain text. */
function orElse<Value>(make: () => Value, instead: () => Value): Value {
  try {
    return make()
  } catch {
    return instead()
  }
}

function plainNodes(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const paragraph = document.createElement('p')
  paragraph.className = 'plain'
  paragraph.textContent = text
  fragment.append(paragraph)
  return fragment
}

/** The second barrier for links: the address is checked again on the sanitised element. */
function guardLink(link: Element, policy: LinkPolicy): void {
  const href = answerLink(link.getAttribute('href') ?? '', policy)
  if (href === undefined) return link.removeAttribute('href')
  link.setAttribute('href', href)
  link.setAttribute('rel', linkRel)
  if (isExternal(href, location.origin)) link.setAttribute('target', '_blank')
}

const tokenizer: TokenizerObject = {
  // HTML is not recognised, and therefore becomes ordinary text.
  html: () => undefined,
  tag: () => undefined,
  // CommonMark's rule for `**` needs spaces, which Japanese does not have: **「題名」**が would not be bold.
  emStrong(src) {
    const found = /^\*\*(?![\s*])((?:[^*\n]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/.exec(src)
    if (found === null) return false
    const [raw, text = ''] = found
    return { type: 'strong', raw, text, tokens: this.lexer.inlineTokens(text) }
  },
  // No space follows an address in Japanese text: the address ends at the first Japanese character.
  url(src) {
    const [raw] = /^https?:\/\/[\w.~:/?#@!$&'*+,;=%-]*[\w/=&-]/.exec(src) ?? []
    if (raw === undefined) return undefined
    return { type: 'link', raw, text: raw, href: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] }
  },
}

/** A page of the shop written as a bare path, as in the FAQ: `/support`, `/series/akira`. */
const shopPath: TokenizerExtension = {
  name: 'shop-path',
  level: 'inline',
  start: (src) => /(?<![\w./:-])\/(?:support|series\/)/.exec(src)?.index,
  tokenizer(src) {
    const [raw] = /^\/(?:support(?:#[\w-]+)?|series\/[\w.:-]*\w)(?![\w/-])/.exec(src) ?? []
    if (raw === undefined) return undefined
    return { type: 'link', raw, text: raw, href: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] }
  },
}

function rendererOf(policy: LinkPolicy): RendererObject {
  return {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    // Levels 1 and 2 belong to the page and the panel, so headings in an answer start at 3.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      const address = answerLink(href, policy)
      return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
    },
    checkbox: () => '',
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
