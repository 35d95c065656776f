// Reads labelled utterances: a line has language, kind of the previous message, act, flags, and the text with its spans
// in braces. The documentation of the labels is in README.md of this folder.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Language } from '@mangaassist/protocol'
import { ACTS, PREVIOUS, ROLES } from '../src/understanding/reading.ts'
import type { Act, Previous, Role } from '../src/understanding/reading.ts'
import { FLAGS } from '../src/understanding/model/model.ts'
import type { Flag } from '../src/understanding/model/model.ts'

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

/** Throws an error that names the line when a label is unknown. */
export function readLabelled(folder: string): readonly Labelled[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tsv'))
  return files.sort().flatMap((file) => {
    const writer = basename(file, '.tsv').split('-')[0] ?? file
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, { writer, at: `${file}:${index + 1}` })]))
  })
}

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
    flags: flags === '-' ? [] : flags.split(',').filter((flag) => flag.trim() !== '-').map((flag) => known(FLAGS, flag.trim())),
    text,
    spans,
  }
}
