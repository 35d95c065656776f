// What shoppers ask about a new volume on the day it comes out, in both languages and in the words that most of them use:
// its price and stock, whether to read the series, what is like it, and what it resembles. None says anything of the
// shopper, so that one answer fits all. A prewarm asks them before the day begins.
import type { Language } from '@mangaassist/protocol'
import type { Product } from './catalogue.ts'
import type { Release } from './release-calendar.ts'

export interface ReleaseQuestion {
  readonly language: Language
  readonly message: string
}

type Wording = (title: string, volume: number) => string

/** Most often asked first. */
const WORDINGS: readonly Readonly<Record<Language, Wording>>[] = [
  {
    ja: (title, volume) => `${title} ${volume}巻はありますか？`,
    en: (title, volume) => `Is volume ${volume} of ${title} in stock?`,
  },
  {
    ja: (title) => `${title}の新刊はいくらですか？`,
    en: (title) => `How much is the new volume of ${title}?`,
  },
  {
    ja: (title) => `${title}は面白いですか？`,
    en: (title) => `Is ${title} any good?`,
  },
  {
    ja: (title) => `${title}はどんな漫画ですか？`,
    en: (title) => `What is ${title} about?`,
  },
  {
    ja: (title) => `${title}に似た漫画は？`,
    en: (title) => `Something like ${title}`,
  },
  {
    ja: (title) => `${title}は何に似ていますか？`,
    en: (title) => `What is ${title} similar to?`,
  },
]

/** The most often asked questions of all releases come first, so that a limit leaves out the rare ones. */
export function releaseQuestions(
  releases: readonly { readonly product: Pick<Product, 'title'>; readonly release: Pick<Release, 'volume'> }[],
): readonly ReleaseQuestion[] {
  return WORDINGS.flatMap((wording) =>
    releases.flatMap(({ product: { title }, release: { volume } }) => [
      { language: 'ja' as const, message: wording.ja(title.ja, volume) },
      { language: 'en' as const, message: wording.en(title.en, volume) },
    ]),
  )
}
