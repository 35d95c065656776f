// The passages of a product: short texts that each say one thing about it. A question about a half-remembered scene matches one
// passage well, and its words occur by chance in many others.
import type { Product } from '../catalogue/catalogue.ts'

export const FIELDS = ['hook', 'theme', 'setting', 'protagonist', 'synopsis', 'lovedBy', 'art'] as const
export type Field = (typeof FIELDS)[number]

export interface Passage {
  readonly field: Field
  readonly text: string
}

/** An import may bring any number of hooks; more than these find nothing more. */
const PASSAGES_MAX = 120
const SENTENCE_END = /(?<=[。！？.!?])\s*/u

export function passagesOf(product: Product): readonly Passage[] {
  const { hooks, themes, setting, protagonist, synopsis, lovedBy, art } = product
  return (['ja', 'en'] as const)
    .flatMap((language): readonly Passage[] => [
      ...(hooks?.[language] ?? []).map((text) => ({ field: 'hook' as const, text })),
      ...(themes?.[language] ?? []).map((text) => ({ field: 'theme' as const, text })),
      ...[setting].flatMap((text) => (text === undefined ? [] : { field: 'setting' as const, text: text[language] })),
      ...[protagonist].flatMap((text) =>
        text === undefined ? [] : { field: 'protagonist' as const, text: text[language] },
      ),
      ...(synopsis?.[language].split(SENTENCE_END) ?? [])
        .filter((text) => text.trim() !== '')
        .map((text) => ({ field: 'synopsis' as const, text })),
      ...[lovedBy].flatMap((text) => (text === undefined ? [] : { field: 'lovedBy' as const, text: text[language] })),
      ...[art].flatMap((text) => (text === undefined ? [] : { field: 'art' as const, text: text[language] })),
    ])
    .slice(0, PASSAGES_MAX)
}
