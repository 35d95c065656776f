// Whether a series is, or has, what is asked about: by its genres, moods and content notes.
import type { Product } from '../../catalogue/catalogue.ts'
import type { Aspect } from '../../understanding/reading.ts'

type ContentKey = NonNullable<Product['content']>[number]

export interface Fit {
  /** Undefined: what it contains is not known. */
  readonly has?: boolean
  /** What was asked about, by key; those that the series has come first. */
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  readonly content: readonly ContentKey[]
}

export function fitOf(product: Product, aspects: readonly Aspect[]): Fit {
  const asked = {
    genres: unique(aspects.flatMap(({ genres }) => genres)),
    moods: unique(aspects.flatMap(({ moods }) => moods)),
    content: unique(aspects.flatMap(({ content }) => content)) as readonly ContentKey[],
  }
  const own = product.content
  const found = {
    genres: asked.genres.filter((key) => product.genres.includes(key)),
    moods: asked.moods.filter((key) => product.moods.includes(key)),
    content: asked.content.filter((key) => own?.includes(key) === true),
  }
  const has = found.genres.length + found.moods.length + found.content.length > 0
  if (has) return { has, ...found }
  const without = {
    ...asked,
    content: asked.content.filter((key) => !asked.content.some((one) => MILDER[key] === one)),
  }
  return own === undefined && asked.content.length > 0 ? without : { has, ...without }
}

/** A series without the milder form does not have the stronger one. */
const MILDER: Partial<Readonly<Record<ContentKey, ContentKey>>> = {
  'violence-strong': 'violence-mild',
  'sexual-strong': 'sexual-mild',
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]
