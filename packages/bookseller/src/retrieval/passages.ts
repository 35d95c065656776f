// The passages of a product: short texts that each say one thing about it. A question about a half-remembered scene matches one
// passage well, and its words occur by chance in many others.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'

export const FIELDS = ['hook', 'theme', 'setting', 'protagonist', 'synopsis', 'lovedBy', 'art'] as const
export type Field = (typeof FIELDS)[number]

export interface Passage {
  readonly field: Field
  readonly language: Language
  readonly text: string
}

/** An import may bring any number of hooks; more than these find nothing more. */
const PASSAGES_MAX = 120
const SENTENCE_END = /(?<=[。！？.!?])\s*/u

export function passagesOf(product: Product): readonly Passage[] {
  const { hooks, themes, setting, protagonist, synopsis, lovedBy, art } = product
  return (['ja', 'en'] as const)
    .flatMap((language): readonly Passage[] => {
      const all = (field: Field, texts: readonly (string | undefined)[]): readonly Passage[] =>
        texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [{ field, language, text }]))
      return [
        ...all('hook', hooks?.[language] ?? []),
        ...all('theme', themes?.[language] ?? []),
        ...all('setting', [setting?.[language]]),
        ...all('protagonist', [protagonist?.[language]]),
        ...all('synopsis', synopsis?.[language].split(SENTENCE_END) ?? []),
        ...all('lovedBy', [lovedBy?.[language]]),
        ...all('art', [art?.[language]]),
      ]
    })
    .slice(0, PASSAGES_MAX)
}

/** A passage is stored as its head and its words: the head has the number of words, the field and the language. */
export const headOf = ({ field, language }: Pick<Passage, 'field' | 'language'>, words: number): number =>
  ((language === 'en' ? ENGLISH : 0) | FIELDS.indexOf(field)) * 256 + words

const ENGLISH = 16
export const wordsAfter = (head: number): number => head & 255
export const fieldOf = (head: number): number => (head >>> 8) & 15
export const isEnglish = (head: number): boolean => ((head >>> 8) & ENGLISH) !== 0
