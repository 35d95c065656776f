// Looks up texts of the interface. Separate from the tables, so that a module with texts of its own does not include
// the others.
import type { Language } from '@mangaassist/protocol'

export type Words = Readonly<Record<string, Readonly<Record<Language, string>>>>
export type Say<Table extends Words> = (word: keyof Table & string, n?: number) => string

/** Returns a function that looks up the texts of one table in one language. `(s)` is the English plural of a number. */
export function speak<Table extends Words>(table: Table, language: Language): Say<Table> {
  return (word, n) =>
    (table[word]?.[language] ?? word)
      .replace('{n}', (n ?? 0).toLocaleString(language))
      .replace('(s)', n === 1 ? '' : 's')
}
