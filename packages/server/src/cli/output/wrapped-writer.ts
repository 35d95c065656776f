// Writes text as it arrives and breaks lines at the width of the screen: between words, and between Japanese characters
// where Japanese allows it. A word is written when its end is known, so that it never has to move.
import { graphemesOf, graphemeWidth } from './display-width.ts'
import type { Screen, Style } from './screen.ts'

export interface WrappedWriter {
  /** Text of one line. */
  write(text: string, styles?: readonly Style[]): void
  newline(): void
  /** The following lines of this paragraph begin this many columns to the right. */
  hang(columns: number): void
  /** Writes what is held back. */
  flush(): void
  /** Something stands on the current line. */
  isMidLine(): boolean
}

interface Piece {
  text: string
  readonly styles: readonly Style[]
}

/** These never begin a line. */
const CLOSING = /^[、。，．・：；？！ー々〜）」』】〉》〕］｝”’…ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.:;?!)\]}]/u
/** These never end one. */
const OPENING = /[（「『【〈《〔［｛“‘([{]$/u

export function wrappedWriter({ columns, paint, write }: Screen): WrappedWriter {
  let word: Piece[] = []
  let wordWidth = 0
  let lastGrapheme = ''
  let space: Piece | undefined
  let column = 0
  let indent = 0

  const put = ({ text, styles }: Piece, width: number) => {
    write(paint(text, styles))
    column += width
  }
  const breakLine = () => {
    write(`\n${' '.repeat(indent)}`)
    column = indent
    space = undefined
  }
  /** A word that is wider than a line is broken anywhere. */
  const putBroken = () => {
    for (const { text, styles } of word) {
      for (const grapheme of graphemesOf(text)) {
        const width = graphemeWidth(grapheme)
        if (column + width > columns() && column > indent) breakLine()
        put({ text: grapheme, styles }, width)
      }
    }
  }
  const putWord = () => {
    if (word.length === 0) return
    if (column > indent && column + (space === undefined ? 0 : 1) + wordWidth > columns()) breakLine()
    if (space !== undefined) put(space, 1)
    if (column + wordWidth > columns()) putBroken()
    else word.forEach((piece, index) => put(piece, index === 0 ? wordWidth : 0))
    word = []
    wordWidth = 0
    space = undefined
    lastGrapheme = ''
  }
  const hold = (grapheme: string, width: number, styles: readonly Style[]) => {
    const last = word.at(-1)
    if (last?.styles === styles) last.text += grapheme
    else word.push({ text: grapheme, styles })
    wordWidth += width
    lastGrapheme = grapheme
  }
  const canBreakBefore = (grapheme: string, width: number) => {
    if (word.length === 0 || width === 0 || CLOSING.test(grapheme) || OPENING.test(lastGrapheme)) return false
    return width === 2 || graphemeWidth(lastGrapheme) === 2
  }
  return {
    write(text, styles = NO_STYLES) {
      for (const grapheme of graphemesOf(text)) {
        const width = graphemeWidth(grapheme)
        if (grapheme === ' ') {
          putWord()
          if (column > indent) space = { text: ' ', styles }
          continue
        }
        if (canBreakBefore(grapheme, width)) putWord()
        hold(grapheme, width, styles)
      }
    },
    newline() {
      putWord()
      write('\n')
      column = 0
      indent = 0
      space = undefined
    },
    hang(width) {
      putWord()
      indent = width
      if (space !== undefined) put(space, 1)
      space = undefined
      if (column < width) put({ text: ' '.repeat(width - column), styles: NO_STYLES }, width - column)
    },
    flush: putWord,
    isMidLine: () => column > 0 || word.length > 0,
  }
}

const NO_STYLES: readonly Style[] = []

/** The lines of a text of one paragraph, each at most `columns` wide. */
export function wrappedLines(text: string, columns: number): readonly string[] {
  let lines = ''
  const screen: Screen = {
    isTerminal: false,
    columns: () => columns,
    paint: (piece) => piece,
    write: (piece) => void (lines += piece),
  }
  const writer = wrappedWriter(screen)
  writer.write(text)
  writer.flush()
  return lines.split('\n')
}
