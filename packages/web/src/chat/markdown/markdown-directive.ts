// Shows a growing answer in a template. Only the blocks that changed are made again: what is being read, or selected,
// stays the same node.
import { Directive, directive } from 'lit/directive.js'
import type { PartInfo } from 'lit/directive.js'
import { mendTail } from './markdown-source.ts'
import type { MarkdownRenderer } from './markdown.ts'

interface Shown {
  readonly raw: string
  readonly nodes: readonly ChildNode[]
}

class MarkdownDirective extends Directive {
  readonly #root: HTMLElement
  #shown: Shown[] = []
  #text = ''

  constructor(part: PartInfo) {
    super(part)
    this.#root = document.createElement('div')
    this.#root.className = 'markdown'
  }

  render(renderer: MarkdownRenderer, text: string, growing: boolean): HTMLElement {
    const source = growing ? mendTail(text) : text
    if (source !== this.#text) this.#show(renderer, source)
    this.#text = source
    return this.#root
  }

  #show(renderer: MarkdownRenderer, source: string): void {
    const blocks = renderer.blocks(source)
    const changed = this.#shown.findIndex(({ raw }, index) => raw !== blocks[index]?.raw)
    const kept = changed === -1 ? this.#shown.length : changed
    for (const { nodes } of this.#shown.splice(kept)) for (const node of nodes) node.remove()
    for (const block of blocks.slice(kept)) {
      const fragment = renderer.nodes(block)
      this.#shown.push({ raw: block.raw, nodes: [...fragment.childNodes] })
      this.#root.append(fragment)
    }
  }
}

export const markdown = directive(MarkdownDirective)
