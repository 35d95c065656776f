// Names of the catalogue's keys as labels, which begin with a capital letter in English. A key that only one shop has is shown as
// it is.
import { genreNames, readershipNames } from '@mangaassist/protocol'
import type { Language, Localized } from '@mangaassist/protocol'

export const READERSHIPS_SHOWN = Object.keys(readershipNames)

export function genreName(key: string, language: Language): string {
  return nameIn(genreNames, key, language)
}

export function readershipName(key: string, language: Language): string {
  return nameIn(readershipNames, key, language)
}

/** The labels of the vocabulary are written for sentences. */
export function capitalised(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function nameIn(table: Readonly<Record<string, Localized>>, key: string, language: Language): string {
  return table[key]?.[language] ?? capitalised(key.replaceAll('-', ' '))
}
