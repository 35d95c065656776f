// The lines of an answer and the series that it shows.
import type { Product } from '../../catalogue/catalogue.ts'
import type { Line, Pick } from '../../wording/lines.ts'

export interface Draft {
  readonly lines: readonly Line[]
  readonly picks: readonly Pick[]
}

export const spoken = (line: Line): Draft => ({ lines: [line], picks: [] })

/** Series without reasons. */
export const bare = (products: readonly Product[]): readonly Pick[] =>
  products.map((product) => ({ product, facts: [] }))
