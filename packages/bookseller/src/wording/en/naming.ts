// How an English sentence names a series, and how it begins when it answers yes or no.
import type { Product } from '../../catalogue/catalogue.ts'
import { english } from './words.ts'

const { title } = english

export interface EnglishNaming {
  /** The title, or "it" where the sentence before has named the series. */
  readonly it: string
  /** The age of the reader in years. */
  readonly age?: number
  /** What it contains was stated before. */
  readonly isWarned?: true
}

export const namedInEnglish = (product: Product, isAgain: boolean | undefined): EnglishNaming => ({
  it: isAgain === true ? 'it' : title(product),
})

const PROPER = /^(?:\[|I\b|I’)/u

/** Begins with a capital letter, after yes or no with a small one unless it is a name. */
export function ledInEnglish(ways: readonly string[], isSo: boolean | undefined): readonly string[] {
  return ways.map((way) => {
    const lead = isSo === undefined ? '' : isSo ? 'Yes, ' : 'No, '
    const rest = lead === '' || PROPER.test(way) ? way : `${way.charAt(0).toLowerCase()}${way.slice(1)}`
    const text = `${lead}${rest}`
    return text.startsWith('[') ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  })
}
