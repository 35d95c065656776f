// How an answer is printed: as a stream of text with its cards for people, or as one line of JSON for programs.
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame, Language, ProductCard, Suggestion } from '@mangaassist/protocol'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Clock } from '#ports/clock/port.ts'
import type { Terminal } from '../command.ts'
import { escapedJson } from '#lib/text/readable.ts'
import { printable } from '../output/screen.ts'
import type { Screen } from '../output/screen.ts'
import { wrappedLines } from '../output/wrapped-writer.ts'
import { cardLines } from './cards.ts'
import type { ChatTexts } from './chat-texts.ts'
import { markdownWriter } from './markdown-writer.ts'
import type { Link, MarkdownWriter } from './markdown-writer.ts'
import { waitingSign } from './waiting-sign.ts'

export interface Answer {
  readonly sessionId: string
  readonly text: string
  readonly products: readonly ProductCard[]
  readonly suggestions: readonly Suggestion[]
  readonly done: DoneFrame
  /** Length and hash are those that the server sent. */
  readonly verified: boolean
}

export interface AnswerView {
  /** The question was sent. */
  begin(): void
  /** A part has arrived. */
  part(part: ChatPart): void
  /** The answer is complete. */
  end(answer: Answer): void
  /** There is no answer, or no more of it. */
  fail(): void
}

export function jsonView({ stdout }: Terminal): AnswerView {
  return {
    begin() {},
    part() {},
    end: (answer) => void stdout.write(`${escapedJson(answer)}\n`),
    fail() {},
  }
}

export interface TextViewParts {
  readonly terminal: Terminal
  readonly screen: Screen
  readonly clock: Pick<Clock, 'after'>
  readonly texts: ChatTexts
  /** The address of the server, for links to its pages. */
  readonly url: string
  /** Suggestions are shown where they can be chosen: in a conversation. */
  readonly showsSuggestions: boolean
}

export function textView({ terminal, screen, clock, texts, url, showsSuggestions }: TextViewParts): AnswerView {
  const sign = waitingSign(screen, clock)
  const addressOf = (target: string) => absolute(target, url)
  let pages: ReadonlySet<string> = new Set()
  let markdown: MarkdownWriter | undefined
  const linked = (title: string, target: string): Link => {
    const address = addressOf(target)
    if (title === target || title === address) return { title: address }
    // The card of a series has the address of its page.
    return pages.has(address) ? { title } : { title, address }
  }
  const report = (text: string) => (screen.isTerminal ? sign.show(text) : void terminal.stderr.write(`(${text})\n`))
  return {
    begin() {
      pages = new Set()
      markdown = undefined
      sign.show(texts.thinking)
    },
    part(part) {
      if (part.type === 'meta') pages = new Set(part.meta.products.map((product) => addressOf(product.url)))
      if (part.type === 'queued') report(texts.queued(part.position, seconds(part.etaMs)))
      if (part.type === 'held') report(texts.held(seconds(part.forMs)))
      if (part.type !== 'text') return
      sign.hide()
      markdown ??= markdownWriter(screen, linked)
      markdown.write(part.text)
    },
    end({ text, products, suggestions, done }) {
      sign.hide()
      markdown?.end()
      const ending = done.finishReason === 'stop' ? '' : texts.ending(done.finishReason)
      const language: Language = detectLanguage(text)
      const cards = cardLines(products, { language, screen, addressOf })
      const chips = showsSuggestions ? suggestionLines(suggestions, screen, texts) : []
      const blocks = [cards, chips].filter((lines) => lines.length > 0).map((lines) => `\n${lines.join('\n')}\n`)
      screen.write(`${ending}\n${blocks.join('')}`)
    },
    fail() {
      sign.hide()
      markdown?.end()
      if (markdown?.isMidLine() === true) screen.write('\n')
    },
  }
}

function suggestionLines(suggestions: readonly Suggestion[], screen: Screen, texts: ChatTexts): readonly string[] {
  if (suggestions.length === 0) return []
  const lines = suggestions.flatMap(({ label }, index) => {
    const [first = '', ...more] = wrappedLines(printable(label), screen.columns() - 5)
    return [`  ${screen.paint(String(index + 1), ['bold', 'cyan'])}  ${first}`, ...more.map((line) => `     ${line}`)]
  })
  return [...lines, screen.paint(`  ${texts.choose(suggestions.length)}`, ['dim'])]
}

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** A target in the server's pages as an address that a browser opens; an e-mail address without its scheme. */
function absolute(target: string, base: string): string {
  const plain = printable(target)
  if (plain.startsWith('mailto:')) return plain.slice('mailto:'.length)
  return URL.canParse(plain, base) ? new URL(plain, base).href : plain
}
