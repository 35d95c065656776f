// A wish in terms of the catalogue, as a search takes it.

export interface Filters {
  readonly status?: 'completed' | 'running' | 'hiatus'
  readonly inStock?: true
  readonly volumesMax?: number
  readonly volumesMin?: number
  /** The price of one volume. */
  readonly priceYenMax?: number
  readonly priceYenMin?: number
  /** The price of all volumes together. */
  readonly totalYenMax?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly demographic?: string
  /** Suitable for children, whatever its readership. */
  readonly forChildren?: true
  /** The age of the reader: only series for that age; a series without a known age is not one. */
  readonly readerAge?: number
  /** The Japanese name of one author, as writer or artist. */
  readonly author?: string
  readonly writer?: string
  readonly artist?: string
  /** Japanese names of magazines and publishers. */
  readonly magazines?: readonly string[]
  readonly publishers?: readonly string[]
  readonly notMagazines?: readonly string[]
  readonly notPublishers?: readonly string[]
  readonly notDemographics?: readonly string[]
}

/** One thing that the shopper wants: the words, and the keys of genres and moods that they mean, if any. */
export interface Wanted {
  readonly text: string
  readonly genres: readonly string[]
  readonly moods: readonly string[]
}

export interface Wish {
  readonly want: readonly Wanted[]
  /** Genres, moods and content notes that the shopper does not want. */
  readonly avoid: readonly string[]
  /** What is not wanted in the shopper's own words, where no key means it: "school stuff". */
  readonly avoidTexts?: readonly string[]
  /** Japanese names of authors that the shopper does not want. */
  readonly avoidAuthors?: readonly string[]
  readonly filters: Filters
}

export const NO_WISH: Wish = { want: [], avoid: [], filters: {} }
