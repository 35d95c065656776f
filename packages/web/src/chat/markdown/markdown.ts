// The model's Markdown as nodes. Two walls: the parser makes no raw HTML, no images and no link that the policy refuses;
// the sanitiser then lets through a short list of tags and of attributes only. No string of markup leaves this file.
import createDOMPurify from 'dompurify'
import type { Config } from 'dompurify'
import { Marked } from 'marked'
import type { RendererObject, Token, TokenizerObject } from 'marked'
import { answerLink, leadsAway, linkRel } from './links.ts'
import type { LinkPolicy } from './links.ts'
import { capNesting } from './markdown-source.ts'

export interface MarkdownRenderer {
  /** The text's blocks: the same `raw` makes the same nodes, so that what has not changed need not be made again. */
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
  const marked = new Marked({ gfm: true, breaks: true, async: false, tokenizer, renderer: rendererOf(policy) })
  // An instance of our own: hooks on the shared one would be everybody's.
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

/** Whatever a model writes, its answer is shown: one that no parser gets through as the text that it is. */
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

/** The second wall for links: whatever made the element, its address is checked again. */
function guardLink(link: Element, policy: LinkPolicy): void {
  const href = answerLink(link.getAttribute('href') ?? '', policy)
  if (href === undefined) return link.removeAttribute('href')
  link.setAttribute('href', href)
  link.setAttribute('rel', linkRel)
  if (leadsAway(href, location.origin)) link.setAttribute('target', '_blank')
}

const tokenizer: TokenizerObject = {
  // Not recognised as HTML, it is ordinary text.
  html: () => undefined,
  tag: () => undefined,
  // CommonMark's rule for `**` looks for spaces, which Japanese has not: **「題名」**が would stay unbold.
  emStrong(src) {
    const found = /^\*\*(?![\s*])((?:[^*\n]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/.exec(src)
    if (found === null) return false
    const [raw, text = ''] = found
    return { type: 'strong', raw, text, tokens: this.lexer.inlineTokens(text) }
  },
  // An address in Japanese text has no space after it: it ends where the Japanese goes on.
  url(src) {
    const [raw] = /^https?:\/\/[\w.~:/?#@!$&'*+,;=%-]*[\w/=&-]/.exec(src) ?? []
    if (raw === undefined) return undefined
    return { type: 'link', raw, text: raw, href: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] }
  },
}

function rendererOf(policy: LinkPolicy): RendererObject {
  return {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    // The panel's own headings are above: an answer's begin below them.
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
