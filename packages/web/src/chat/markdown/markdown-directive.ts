// Shows a growing answer in a template. Only blocks that changed are rendered again: text that is being read or
// selected keeps its nodes.
import { Directive, directive } from 'lit/directive.js'
import type { PartInfo } from 'lit/directive.js'
import { closeTail } from './markdown-source.ts'
import type { MarkdownRenderer } from './markdown.ts'

interface ShownBlock {
  readonly raw: string
  readonly nodes: readonly ChildNode[]
}

class MarkdownDirective extends Directive {
  readonly #root: HTMLElement
  #shown: ShownBlock[] = []
  #text = ''

  constructor(part: PartInfo) {
    super(part)
    this.#root = document.createElement('div')
    this.#root.className = 'markdown'
  }

  render(renderer: MarkdownRenderer, text: string, growing: boolean): HTMLElement {
    const source = growing ? closeTail(text) : text
    if (source !== this.#text) this.#show(renderer, source)
    this.#text = source
    return this.#root
  }

  #show(renderer: MarkdownRenderer, source: string): void {
    const blocks = renderer.blocks(source)
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
