// The console's words: tables in both languages like those of the other pages, with named placeholders, which are filled with text
// and never with markup.
import type { Language } from '@mangaassist/protocol'
import type { Words } from '../../i18n.ts'

export type SayFilled<Table extends Words> = (
  word: keyof Table & string,
  values?: Readonly<Record<string, string | number>>,
) => string

export function speakFilled<Table extends Words>(table: Table, language: Language): SayFilled<Table> {
  return (word, values = {}) =>
    (table[word]?.[language] ?? word).replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
