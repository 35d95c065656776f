// What the output can show: its width, and colours. A pipe or a file gets plain text in lines of any length.
import { styleText } from 'node:util'
import { readable } from '#lib/text/readable.ts'
import type { Terminal } from '../command.ts'

export type Style = 'bold' | 'italic' | 'underline' | 'strikethrough' | 'dim' | 'cyan' | 'green' | 'red'

export interface Screen {
  /** Whether the output is a terminal, where written lines can be erased again. */
  readonly isTerminal: boolean
  /** The width now; no limit where it is no terminal. */
  columns(): number
  /** The text with the codes of its styles, or as it is where colours are not wanted. */
  paint(text: string, styles: readonly Style[]): string
  write(text: string): void
}

/** Narrower than this, a terminal does not report its true width. */
const COLUMNS_MIN = 20
const COLUMNS_USUAL = 80

export function screenOf({ stdout, env }: Pick<Terminal, 'stdout' | 'env'>): Screen {
  const isTerminal = stdout.isTTY === true
  // https://no-color.org: set and not empty. A dumb terminal prints the codes.
  const hasColour = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  return {
    isTerminal: isTerminal && env['TERM'] !== 'dumb',
    columns: () => (isTerminal ? Math.max(COLUMNS_MIN, stdout.columns ?? COLUMNS_USUAL) : Number.POSITIVE_INFINITY),
    paint: (text, styles) =>
      hasColour && styles.length > 0 && text !== '' ? styleText([...styles], text, { validateStream: false }) : text,
    write: (text) => void stdout.write(text),
  }
}

/** Text from a server or a catalogue, without characters that control a terminal. */
export const printable = (text: string): string => readable(text).replaceAll('\t', ' ')
