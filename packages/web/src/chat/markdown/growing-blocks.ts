// The blocks of a growing answer. A block that can no longer change is closed and not parsed again, so a new word costs
// the parsing of the last two blocks, however long the answer is. Pure; the parser is a parameter.
import { closeTail } from './markdown-source.ts'

interface Block {
  readonly type: string
  readonly raw: string
}

export interface GrowingBlocks<Of extends Block> {
  /** All blocks of the text. Of a longer text than the last one, closed blocks are the same objects. */
  grown(text: string): readonly Of[]
}

/** A list of which only "2" has arrived looks like a list and a paragraph: the block before the last is open too. */
const openBlocks = 2

export function createGrowingBlocks<Of extends Block>(parse: (markdown: string) => readonly Of[]): GrowingBlocks<Of> {
  let closed: readonly Of[] = []
  let closedText = ''

  function close(tail: string, blocks: readonly Of[]): void {
    const written = blocks.flatMap(({ type }, index) => (type === 'space' ? [] : [index]))
    const done = blocks.slice(0, written.at(-openBlocks) ?? 0)
    const doneText = done.map(({ raw }) => raw).join('')
    // A parser that changes the text (line ends, nesting) gives no positions in it: then all of it stays open.
    if (done.length === 0 || !tail.startsWith(doneText)) return
    closed = [...closed, ...done]
    closedText += doneText
  }

  return {
    grown(text) {
      if (!text.startsWith(closedText)) [closed, closedText] = [[], '']
      const before = closed
      const tail = text.slice(closedText.length)
      const blocks = parse(closeTail(tail))
      close(tail, blocks)
      return [...before, ...blocks]
    },
  }
}
