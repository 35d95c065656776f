// Shows a growing answer in a template. Only blocks that changed are rendered again: text that is being read or
// selected keeps its nodes.
import { Directive, directive } from 'lit/directive.js'
import type { PartInfo } from 'lit/directive.js'
import { closeTail } from './markdown-source.ts'
import type { MarkdownRenderer } from './markdown.ts'
import { linkTitles } from './title-links.ts'
import type { TitleLink } from './title-links.ts'

interface ShownBlock {
  readonly raw: string
  readonly nodes: readonly ChildNode[]
}

class MarkdownDirective extends Directive {
  readonly #root: HTMLElement
  #shown: ShownBlock[] = []
  #text = ''
  #linked = ''

  constructor(part: PartInfo) {
    super(part)
    this.#root = document.createElement('div')
    this.#root.className = 'markdown'
  }

  /** `titles`: the series whose mentions become links; undefined while the answer grows. */
  render(renderer: MarkdownRenderer, text: string, titles: readonly TitleLink[] | undefined): HTMLElement {
    const source = titles === undefined ? closeTail(text) : text
    if (source !== this.#text) this.#show(renderer, source)
    this.#text = source
    const linked = titles?.map(({ href }) => href).join(' ') ?? ''
    if (titles !== undefined && linked !== this.#linked) linkTitles(this.#root, titles)
    this.#linked = linked
    return this.#root
  }

  #show(renderer: MarkdownRenderer, source: string): void {
    const blocks = renderer.blocks(source)
    this.#linked = ''
    const changed = this.#shown.findIndex(({ raw }, index) => raw !== blocks[index]?.raw)
    const unchanged = changed === -1 ? this.#shown.length : changed
    for (const { nodes } of this.#shown.splice(unchanged)) for (const node of nodes) node.remove()
    for (const block of blocks.slice(unchanged)) {
      const fragment = renderer.nodes(block)
      this.#shown.push({ raw: block.raw, nodes: [...fragment.childNodes] })
      this.#root.append(fragment)
    }
  }
}

export const markdown = directive(MarkdownDirective)
