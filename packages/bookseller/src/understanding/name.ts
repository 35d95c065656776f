// A name of the catalogue as messages are compared with it.

export type NameKind = 'title' | 'person' | 'magazine'

export interface Name {
  readonly key: string
  readonly kind: NameKind
  /** The id of a series, or the Japanese name of a person, magazine or publisher. Several series may share a name. */
  readonly means: readonly string[]
}
