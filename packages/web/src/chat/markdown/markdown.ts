// Renders the model's Markdown to nodes, with two barriers: the parser creates no raw HTML, no images and no link that
// the policy refuses; then each token becomes an element of a short list or text. There are no strings of markup.
import { Lexer, Tokenizer } from 'marked'
import type { MarkedOptions, Token, TokenizerExtension, Tokens } from 'marked'
import type { LinkPolicy } from './links.ts'
import { capNesting } from './markdown-source.ts'
import { tokenNodes } from './token-nodes.ts'

export interface MarkdownRenderer {
  /** The blocks of the text. The same `raw` renders to the same nodes: unchanged blocks need not be rendered again. */
  blocks(markdown: string): Token[]
  nodes(block: Token): DocumentFragment
}

export function createMarkdownRenderer(policy: LinkPolicy): MarkdownRenderer {
  return {
    blocks(markdown) {
      const source = capNesting(markdown)
      return orElse(
        () => Lexer.lex(source, { ...options, tokenizer: new AnswerTokenizer() }),
        () => [{ type: UNPARSED, raw: source }],
      )
    },
    nodes(block) {
      if (block.type === UNPARSED) return plainNodes(block.raw)
      return orElse(
        () => fragmentOf(tokenNodes([block], policy)),
        () => plainNodes(block.raw),
      )
    },
  }
}

const UNPARSED = 'unparsed'

/** An answer is always shown: if parsing throws, as plain text. */
function orElse<Value>(make: () => Value, instead: () => Value): Value {
  try {
    return make()
  } catch {
    return instead()
  }
}

function plainNodes(text: string): DocumentFragment {
  const paragraph = document.createElement('p')
  paragraph.className = 'plain'
  paragraph.textContent = text
  return fragmentOf([paragraph])
}

function fragmentOf(nodes: readonly Node[]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(...nodes)
  return fragment
}

class AnswerTokenizer extends Tokenizer {
  // HTML is not recognised, and therefore becomes ordinary text.
  override html(): undefined {
    return undefined
  }
  override tag(): undefined {
    return undefined
  }

  // CommonMark's rule for `**` needs spaces, which Japanese does not have: **「題名」**が would not be bold.
  override emStrong(...[src, ...rest]: Parameters<Tokenizer['emStrong']>): Tokens.Em | Tokens.Strong | undefined {
    const found = /^\*\*(?![\s*])((?:[^*\n]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/.exec(src)
    if (found === null) return super.emStrong(src, ...rest)
    const [raw, text = ''] = found
    return { type: 'strong', raw, text, tokens: this.lexer.inlineTokens(text) }
  }

  // No space follows an address in Japanese text: the address ends at the first Japanese character.
  override url(src: string): Tokens.Link | undefined {
    const [raw] = /^https?:\/\/[\w.~:/?#@!$&'*+,;=%-]*[\w/=&-]/.exec(src) ?? []
    return raw === undefined ? undefined : bareLink(raw)
  }
}

function bareLink(raw: string): Tokens.Link {
  return { type: 'link', raw, text: raw, href: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] }
}

/** A page of the shop written as a bare path, as in the FAQ: `/support`, `/series/akira`. */
const shopPathStart: NonNullable<TokenizerExtension['start']> = (src) =>
  /(?<![\w./:-])\/(?:support|series\/)/.exec(src)?.index

const shopPath: TokenizerExtension['tokenizer'] = (src) => {
  const [raw] = /^\/(?:support(?:#[\w-]+)?|series\/[\w.:-]*\w)(?![\w/-])/.exec(src) ?? []
  return raw === undefined ? undefined : bareLink(raw)
}

const options: MarkedOptions = {
  gfm: true,
  breaks: true,
  extensions: { inline: [shopPath], startInline: [shopPathStart], renderers: {}, childTokens: {} },
}
