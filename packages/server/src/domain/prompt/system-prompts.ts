// The system prompt of a shopper's questions in both languages, as it is in its files: a version, and a text with
// placeholders. Pure: the wiring reads the files, routing fills the placeholders.
import { createHash } from 'node:crypto'
import type { Language } from '@mangaassist/protocol'

export interface SystemPrompts {
  /** The name in the files and a digest of both, such as `bookseller-1.5f3a9c21`: another text is another version. */
  readonly version: string
  /** With placeholders. */
  readonly texts: Readonly<Record<Language, string>>
}

/** What a prompt may name in double braces. */
export const PLACEHOLDERS = ['store', 'contact'] as const
export type PromptValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>

/** Far above any share of tokens: a larger file is not a prompt. */
export const PROMPT_BYTES_MAX = 16 * 1024

/** The version, between two lines of dashes, then the text. */
const FILE = /^---\r?\nversion: *([^\r\n]*)\r?\n---\r?\n([^]*)$/u
const NAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/u
const NAME_LENGTH_MAX = 60
const PLACEHOLDER = /\{\{([^{}]*)\}\}/gu
const DIGEST_LENGTH = 8

/** What is wrong with the text of a prompt file, in the order of the text; none when it can be used. */
export function problemsOfPrompt(file: string): readonly string[] {
  if (Buffer.byteLength(file) > PROMPT_BYTES_MAX) return [`is larger than ${PROMPT_BYTES_MAX} bytes`]
  const match = FILE.exec(withoutMark(file))
  if (match === null) return ['does not begin with the lines "---", "version: <name>" and "---"']
  const [, name = '', text = ''] = match
  const isNamed = NAME.test(name.trim()) && name.trim().length <= NAME_LENGTH_MAX
  const unknown = placeholdersIn(text).filter((placeholder) => !isKnown(placeholder))
  return [
    ...(isNamed
      ? []
      : [`has the version "${name.trim()}"; allowed: lower-case letters and digits with dashes or points`]),
    ...(text.trim() === '' ? ['has no text after its version'] : []),
    ...unknown.map((placeholder) => `has the unknown placeholder {{${placeholder}}}; known: ${knownPlaceholders()}`),
  ]
}

/** Only for files without problems. */
export function systemPrompts(files: Readonly<Record<Language, string>>): SystemPrompts {
  const [ja, en] = [partsOf(files.ja), partsOf(files.en)]
  const digest = createHash('sha256')
    .update(JSON.stringify([ja, en]))
    .digest('hex')
    .slice(0, DIGEST_LENGTH)
  return { version: `${ja.name}.${digest}`, texts: { ja: ja.text, en: en.text } }
}

/** The name of the version that a file without problems has. */
export function promptName(file: string): string {
  return partsOf(file).name
}

export function filledPrompt(text: string, values: PromptValues): string {
  return text.replaceAll(PLACEHOLDER, (found, name: string) =>
    isKnown(name) ? values[name.trim() as keyof PromptValues] : found,
  )
}

function partsOf(file: string): { readonly name: string; readonly text: string } {
  const [, name = '', text = ''] = FILE.exec(withoutMark(file)) ?? []
  return { name: name.trim(), text: text.replaceAll('\r\n', '\n').trim() }
}

/** Some editors begin a file with a byte order mark. */
const withoutMark = (file: string): string => file.replace(/^\uFEFF/u, '')

const isKnown = (name: string): boolean => PLACEHOLDERS.some((known) => known === name.trim())

const placeholdersIn = (text: string): readonly string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

const knownPlaceholders = (): string => PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')
