// Shows Markdown in a terminal while it arrives. Text is written as soon as its meaning is certain: only the beginning of
// a line, an unfinished link and an unfinished code span are held back. Marks that are no Markdown are shown as they are.
import type { Screen, Style } from '../output/screen.ts'
import { printable } from '../output/screen.ts'
import { wrappedWriter } from '../output/wrapped-writer.ts'
import type { WrappedWriter } from '../output/wrapped-writer.ts'

export interface MarkdownWriter {
  write(delta: string): void
  /** The text is complete, or will not be completed: writes the rest. */
  end(): void
  isMidLine(): boolean
}

export interface Link {
  readonly title: string
  /** Shown after the title; absent when the title is enough. */
  readonly address?: string
}

/** How a link is shown. */
export type ShowLink = (title: string, target: string) => Link

/** A line that may still become a heading, a list item, a quote, a rule or a fence. */
const UNDECIDED = /^ {0,12}(?:#{1,6}|[-*+_](?: ?[-*_])* ?|\d{1,9}[.)]?|`{1,2}|```[^\n]*|>)?$/u
const FENCE = /^ {0,3}```[^\n]*(?:\n|$)/u
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *(?:\n|$)/u
const HEADING = /^ {0,3}#{1,6} +/u
const QUOTE = /^ {0,3}> ?/u
const ITEM = /^( {0,12})(?:[-*+]|(\d{1,9})[.)]) +/u
const BLANK = /^ *\n/u

const LINK = /^!?\[((?:[^[\]\n\\]|\\.)*)\]\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?: +"[^"\n]*")?\)/u
const LINK_BEGUN = /^!?(?:\[(?:[^[\]\n\\]|\\.?)*(?:\](?:\([^)\n]*)?)?)?$/u
const AUTOLINK = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/u
const AUTOLINK_BEGUN = /^<[a-z]{0,7}(?::[^\s<>]*)?$/u
const CODE = /^`([^`\n]+)`/u
const CODE_BEGUN = /^`[^`\n]*$/u
const ESCAPE = /^\\([!-/:-@[-`{-~])/u
const MARKS = /^(?:\*+|_+|~+)/u
const PLAIN = /^[^\\*_`[!<~\n]+/u
/** A link or a code span that is longer is text. */
const HELD_MAX = 2000
const RULE_WIDTH = 20

export function markdownWriter(screen: Screen, showLink: ShowLink): MarkdownWriter {
  // One write for each piece of text that arrives.
  let shown = ''
  const out = wrappedWriter({ ...screen, write: (text) => void (shown += text) })
  const inline = inlineWriter(out, showLink)
  let rest = ''
  let isLineStart = true
  let isCode = false
  let blanks = 0

  const take = (length: number) => (rest = rest.slice(length))
  const endLine = () => {
    inline.reset()
    out.newline()
    isLineStart = true
  }
  const codeLine = (isFinal: boolean): boolean => {
    const end = rest.indexOf('\n')
    if (end === -1 && !isFinal) return false
    const line = end === -1 ? rest : rest.slice(0, end)
    take(end === -1 ? rest.length : end + 1)
    if (/^ {0,3}```/u.test(line)) isCode = false
    else {
      out.hang(2)
      out.write(line, ['dim'])
      if (end !== -1) out.newline()
    }
    return true
  }
  /** Shows what the line begins with; false when more of it is needed. */
  const beginLine = (isFinal: boolean): boolean => {
    if (isCode) return codeLine(isFinal)
    if (!isFinal && UNDECIDED.test(rest)) return false
    const [blank] = BLANK.exec(rest) ?? []
    if (blank !== undefined) {
      take(blank.length)
      blanks += 1
      // Several empty lines are one.
      if (blanks === 1) endLine()
      return true
    }
    blanks = 0
    const [fence] = FENCE.exec(rest) ?? []
    if (fence !== undefined) {
      isCode = true
      take(fence.length)
      return true
    }
    const [rule] = RULE.exec(rest) ?? []
    if (rule !== undefined) {
      out.write('─'.repeat(RULE_WIDTH), ['dim'])
      take(rule.length)
      endLine()
      return true
    }
    take(beginBlock(rest, out, inline))
    isLineStart = false
    return true
  }
  const step = (isFinal: boolean): boolean => {
    if (isLineStart) return beginLine(isFinal)
    if (rest.startsWith('\n')) {
      take(1)
      endLine()
      return true
    }
    const length = inline.step(rest, isFinal)
    take(length)
    return length > 0
  }
  const run = (isFinal: boolean) => {
    let isDecided = true
    while (isDecided && rest !== '') isDecided = step(isFinal)
  }
  const show = () => {
    if (shown !== '') screen.write(shown)
    shown = ''
  }
  return {
    write(delta) {
      rest += printable(delta)
      run(false)
      show()
    },
    end() {
      run(true)
      inline.reset()
      out.flush()
      show()
    },
    isMidLine: () => out.isMidLine(),
  }
}

/** Shows the mark of a heading, a quote or a list item, and returns the length of its Markdown. */
function beginBlock(line: string, out: WrappedWriter, inline: InlineWriter): number {
  const [heading] = HEADING.exec(line) ?? []
  if (heading !== undefined) {
    inline.base(['bold', 'cyan'])
    return heading.length
  }
  const [quote] = QUOTE.exec(line) ?? []
  if (quote !== undefined) {
    out.write('│', ['dim'])
    out.hang(2)
    return quote.length
  }
  const [item, indent = '', number] = ITEM.exec(line) ?? []
  if (item !== undefined) {
    const mark = number === undefined ? '•' : `${number}.`
    out.hang(indent.length)
    out.write(mark, ['cyan'])
    out.hang(indent.length + mark.length + 1)
    return item.length
  }
  const spaces = /^ */u.exec(line)?.[0].length ?? 0
  if (spaces > 0) out.hang(Math.min(spaces, 12))
  return spaces
}

interface InlineWriter {
  /** The styles of the whole line. */
  base(styles: readonly Style[]): void
  reset(): void
  /** Writes the beginning of the text, and returns the length of what it wrote; 0 when more of it is needed. */
  step(text: string, isFinal: boolean): number
}

const MARK_STYLES: Readonly<Record<string, Style>> = { '*': 'italic', '**': 'bold', '~~': 'strikethrough' }

function inlineWriter(out: WrappedWriter, showLink: ShowLink): InlineWriter {
  let base: readonly Style[] = []
  let active: readonly Style[] = []
  /** Stays the same array while the styles do: the writer joins such pieces. */
  let styles: readonly Style[] = []
  let before = ' '
  const restyle = (next: readonly Style[]) => {
    active = next
    styles = [...base, ...next]
  }
  const text = (shown: string, extra: readonly Style[] = []) => {
    out.write(shown, extra.length === 0 ? styles : [...styles, ...extra])
    before = shown.at(-1) ?? before
  }
  const link = (title: string, target: string) => {
    const shown = showLink(bare(title), target)
    text(shown.title, ['underline'])
    if (shown.address !== undefined) {
      text(' ')
      text(`(${shown.address})`, ['dim'])
    }
  }
  /** A run of * _ or ~: opens or closes its style where it can, and is text otherwise. */
  const marks = (run: string, after: string) => {
    for (const mark of marksIn(run)) {
      const style = MARK_STYLES[mark]
      const isOpen = style !== undefined && active.includes(style)
      if (style !== undefined && isOpen && !isBlank(before)) restyle(active.filter((one) => one !== style))
      else if (style !== undefined && !isOpen && opens(run, before, after)) restyle([...active, style])
      else text(run.slice(0, mark.length))
    }
  }
  return {
    base(next) {
      base = next
      restyle([])
    },
    reset() {
      base = []
      restyle([])
      before = ' '
    },
    step(given, isFinal) {
      const [plain] = PLAIN.exec(given) ?? []
      if (plain !== undefined) {
        text(plain)
        return plain.length
      }
      if (!isFinal && given.length <= HELD_MAX && isBegun(given)) return 0
      const [whole, ...parts] = spanAt(given)
      const [first = '', second = ''] = parts
      if (whole === undefined) text(given[0] ?? '')
      else if (whole.startsWith('\\')) text(first)
      else if (whole.startsWith('`')) text(first, ['cyan'])
      else if (whole.startsWith('<')) link(first, first)
      else if (MARKS.test(whole)) marks(whole, given[whole.length] ?? ' ')
      else link(first, second)
      return whole?.length ?? 1
    },
  }
}

/** The span that the text begins with, and its parts. */
function spanAt(text: string): readonly string[] {
  for (const pattern of [ESCAPE, CODE, AUTOLINK, LINK, MARKS]) {
    const found = pattern.exec(text)
    if (found !== null) return found
  }
  return []
}

/** More text could make this a span, or another one. */
function isBegun(text: string): boolean {
  if (text.length === (MARKS.exec(text)?.[0].length ?? 0) || text === '\\') return true
  if (spanAt(text).length > 0) return false
  return [LINK_BEGUN, AUTOLINK_BEGUN, CODE_BEGUN].some((begun) => begun.test(text))
}

/** `***` is bold and italic; _ is another *. */
function marksIn(run: string): readonly string[] {
  const mark = run.startsWith('_') ? '*' : (run[0] ?? '')
  if (mark === '~') return run.length === 2 ? ['~~'] : [run]
  if (run.length > 3) return [run]
  return [...(run.length > 1 ? [`${mark}${mark}`] : []), ...(run.length === 2 ? [] : [mark])]
}

const isBlank = (character: string): boolean => /^\s?$/u.test(character)

/** A mark opens before a word; a single one, which may be a sign of its own, only at the beginning of the word. */
function opens(run: string, before: string, after: string): boolean {
  if (isBlank(after)) return false
  return !/[\p{L}\p{N}]/u.test(before) || (run.length > 1 && !run.startsWith('_')) || /\P{ASCII}/u.test(before)
}

/** The title of a link without marks. */
const bare = (title: string): string => title.replaceAll(/\\(.)|\*\*|__|[*`]/gu, '$1')
