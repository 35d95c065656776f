// Reads labelled utterances: a line has language, kind of the previous message, act, flags, and the text with its spans
// in braces. `training/README.md` documents the labels.
import type { Language } from '@mangaassist/protocol'
import { ACTS, PREVIOUS, ROLES } from '../understanding/reading.ts'
import type { Act, Previous, Role } from '../understanding/reading.ts'
import { FLAGS } from '../understanding/model/model.ts'
import type { Flag } from '../understanding/model/model.ts'

export interface Labelled {
  readonly writer: string
  readonly language: Language
  readonly previous: Previous
  readonly act: Act
  readonly flags: readonly Flag[]
  /** In NFKC, without the braces. */
  readonly text: string
  readonly spans: readonly { readonly role: Role; readonly from: number; readonly to: number }[]
}

const SPAN = /\{([a-z:0-9<>=]+)\|([^{}|]+)\}/gu

/** The lines of a file of one writer. Throws an error that names the line when a label is unknown. */
export function parseLabelled(
  text: string,
  { writer, file }: { readonly writer: string; readonly file: string },
): readonly Labelled[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parse(line, { writer, at: `${file}:${index + 1}` })],
  )
}

/** `w07-2.tsv` is by the writer `w07`. */
export const writerOf = (file: string): string => file.replace(/[-.].*$/u, '')

function parse(line: string, { writer, at }: { readonly writer: string; readonly at: string }): Labelled {
  const [language, previous, act, flags = '-', marked = ''] = line.normalize('NFKC').split('\t')
  const known = <Value extends string>(list: readonly Value[], value: string | undefined): Value => {
    const found = list.find((one) => one === value)
    if (found === undefined) throw new Error(`${at}: unknown label ${JSON.stringify(value)}`)
    return found
  }
  const spans: { role: Role; from: number; to: number }[] = []
  let text = ''
  let last = 0
  for (const match of marked.matchAll(SPAN)) {
    text += marked.slice(last, match.index)
    const words = match[2] ?? ''
    spans.push({ role: known(ROLES, match[1]), from: text.length, to: text.length + words.length })
    text += words
    last = match.index + match[0].length
  }
  text += marked.slice(last)
  return {
    writer,
    language: known(['ja', 'en'], language),
    previous: known(PREVIOUS, previous),
    act: known(ACTS, act),
    flags:
      flags === '-'
        ? []
        : flags
            .split(',')
            .filter((flag) => flag.trim() !== '-')
            .map((flag) => known(FLAGS, flag.trim())),
    text,
    spans,
  }
}
