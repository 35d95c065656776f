// How a Japanese sentence names a series, and how it begins when it answers yes or no.
import type { Product } from '../../catalogue/catalogue.ts'
import { japanese } from './words.ts'

const { title } = japanese

/** The title with its particle; empty where the sentence before has named the series. */
export interface JapaneseNaming {
  readonly wa: string
  readonly no: string
  readonly niwa: string
  readonly ga: string
  /** The age of the reader in years. */
  readonly age?: number
  /** What it contains was stated before. */
  readonly isWarned?: true
}

export function namedInJapanese(product: Product, isAgain: boolean | undefined): JapaneseNaming {
  const name = isAgain === true ? undefined : title(product)
  const naming = (particle: string) => (name === undefined ? '' : `${name}${particle}`)
  return { wa: naming('は'), no: naming('の'), niwa: naming('には'), ga: naming('が') }
}

const APOLOGY = /^(?:申し訳(?:ございません|ありません)、|あいにく、?)/u

export function ledInJapanese(ways: readonly string[], isSo: boolean | undefined): readonly string[] {
  if (isSo === undefined) return ways
  return ways.map((way) => `${isSo ? 'はい、' : 'いいえ、'}${way.replace(APOLOGY, '')}`)
}
