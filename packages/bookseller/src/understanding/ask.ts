// A wish in terms of the catalogue, as a search takes it.

export interface Filters {
  readonly status?: 'completed' | 'running' | 'hiatus'
  readonly inStock?: true
  readonly volumesMax?: number
  readonly volumesMin?: number
  readonly priceYenMax?: number
  readonly priceYenMin?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly demographic?: string
  /** Suitable for children, whatever its readership. */
  readonly forChildren?: true
  /** The Japanese name of one author. */
  readonly author?: string
  /** Japanese names of magazines. */
  readonly magazines?: readonly string[]
}

export interface Wish {
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  /** Genres and moods that the shopper does not want. */
  readonly avoid: readonly string[]
  /** Japanese names of authors that the shopper does not want. */
  readonly avoidAuthors?: readonly string[]
  readonly filters: Filters
}

/** How series are compared: by length or by price. */
export type Measure = 'shorter' | 'longer' | 'cheaper' | 'dearer'

export const NO_WISH: Wish = { genres: [], moods: [], avoid: [], filters: {} }

export function isEmptyWish(wish: Wish): boolean {
  const { genres, moods, avoid, avoidAuthors = [], filters } = wish
  return genres.length + moods.length + avoid.length + avoidAuthors.length + Object.keys(filters).length === 0
}
