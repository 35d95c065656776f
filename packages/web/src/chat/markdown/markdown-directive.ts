// Shows a growing answer in a template. Only blocks that changed are rendered again: text that is being read or
// selected keeps its nodes. While the answer grows, its words appear at a steady pace; at its end it is shown whole.
import { Directive, directive } from 'lit/directive.js'
import type { PartInfo } from 'lit/directive.js'
import type { Token } from 'marked'
import { createGrowingBlocks } from './growing-blocks.ts'
import type { GrowingBlocks } from './growing-blocks.ts'
import type { MarkdownRenderer } from './markdown.ts'
import { createReveal } from './reveal.ts'
import type { Reveal } from './reveal.ts'
import { linkTitles } from './title-links.ts'
import type { TitleLink } from './title-links.ts'

interface ShownBlock {
  readonly raw: string
  readonly nodes: readonly ChildNode[]
}

class MarkdownDirective extends Directive {
  readonly #root: HTMLElement
  #shown: ShownBlock[] = []
  #renderer: MarkdownRenderer | undefined
  #blocks: GrowingBlocks<Token> | undefined
  #reveal: Reveal | undefined
  #frame: number | undefined
  /** The text so far; what is shown may be shorter. */
  #text = ''
  #isWhole = false
  #linked = ''

  constructor(part: PartInfo) {
    super(part)
    this.#root = document.createElement('div')
    this.#root.className = 'markdown'
  }

  /** `titles`: the series whose mentions become links; undefined while the answer grows. */
  render(renderer: MarkdownRenderer, text: string, titles: readonly TitleLink[] | undefined): HTMLElement {
    const isSame = renderer === this.#renderer && text === this.#text && this.#isWhole === (titles !== undefined)
    // Links depend on the language of the interface.
    if (renderer !== this.#renderer) this.#keep(0)
    this.#renderer = renderer
    this.#text = text
    this.#isWhole = titles !== undefined
    if (titles === undefined) {
      if (!isSame) this.#grow()
      return this.#root
    }
    this.#cancel()
    if (!isSame) this.#showWhole()
    const linked = titles.map(({ href }) => href).join(' ')
    if (linked !== this.#linked) linkTitles(this.#root, titles)
    this.#linked = linked
    return this.#root
  }

  #grow(): void {
    const words = segmenter()
    if (words === undefined || isCalm()) {
      this.#cancel()
      this.#showGrown(this.#text)
      return
    }
    this.#reveal ??= createReveal(words)
    this.#reveal.arrived(this.#text.length, performance.now())
    this.#frame ??= requestAnimationFrame(this.#step)
  }

  #step = (): void => {
    const length = this.#reveal?.step(this.#text, performance.now()) ?? this.#text.length
    this.#showGrown(this.#text.slice(0, length))
    // An answer that was removed stops; the next text of one that is back continues.
    const isOver = length >= this.#text.length || !this.#root.isConnected
    this.#frame = isOver ? undefined : requestAnimationFrame(this.#step)
  }

  #cancel(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
  }

  #showGrown(text: string): void {
    const renderer = this.#renderer
    if (renderer === undefined) return
    this.#blocks ??= createGrowingBlocks((markdown) => renderer.blocks(markdown))
    this.#show(renderer, this.#blocks.grown(text))
  }

  #showWhole(): void {
    if (this.#renderer === undefined) return
    const blocks = this.#renderer.blocks(this.#text)
    // An address that is defined below the text that uses it: the nodes above were made without it.
    if (blocks.some(({ type }) => type === 'def')) this.#keep(0)
    this.#show(this.#renderer, blocks)
    this.#blocks = undefined
    this.#reveal = undefined
  }

  #show(renderer: MarkdownRenderer, blocks: readonly Token[]): void {
    this.#linked = ''
    const changed = this.#shown.findIndex(({ raw }, index) => raw !== blocks[index]?.raw)
    const unchanged = changed === -1 ? this.#shown.length : changed
    this.#keep(unchanged)
    for (const block of blocks.slice(unchanged)) {
      const fragment = renderer.nodes(block)
      this.#shown.push({ raw: block.raw, nodes: [...fragment.childNodes] })
      this.#root.append(fragment)
    }
  }

  /** Removes the blocks after the first `count`. */
  #keep(count: number): void {
    for (const { nodes } of this.#shown.splice(count)) for (const node of nodes) node.remove()
  }
}

export const markdown = directive(MarkdownDirective)

/** Made once, at the first growing answer: it costs some milliseconds. Undefined in browsers without it. */
let words: Intl.Segmenter | undefined
function segmenter(): Intl.Segmenter | undefined {
  if (typeof Intl.Segmenter === 'function') words ??= new Intl.Segmenter('ja', { granularity: 'word' })
  return words
}

/** No pace for readers who want no motion, and none in a hidden tab, which has no frames. */
function isCalm(): boolean {
  return document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches
}
