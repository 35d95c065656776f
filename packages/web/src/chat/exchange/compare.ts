// Which cards are chosen for a comparison, and the rows of its table. Pure: a row is left out where no series has its fact.
import { genreNames, productLabels } from '@mangaassist/protocol'
import type { Language } from '@mangaassist/protocol'
import { nameOf, speak } from '../../i18n.ts'
import { stockOf } from '../../stock.ts'
import type { Product } from '../conversation/exchange.ts'
import type { endedWords } from './ended-words.ts'

type Word = keyof typeof endedWords

export const comparedMin = 2
export const comparedMax = 3

/** The chosen card again takes it back; beyond the most, the one that was chosen first makes room. */
export function toggled(chosen: readonly Product[], product: Product): readonly Product[] {
  const others = chosen.filter(({ id }) => id !== product.id)
  if (others.length < chosen.length) return others
  return [...others, product].slice(-comparedMax)
}

export interface CompareRow {
  readonly word: Word
  /** One for each series; undefined where it is not known. */
  readonly cells: readonly (string | undefined)[]
}

export function compareRows(products: readonly Product[], language: Language): readonly CompareRow[] {
  const say = speak(productLabels, language)
  const facts: readonly (readonly [Word, (product: Product) => string | undefined])[] = [
    ['comparePrice', ({ pricePerVolumeYen }) => say('pricePerVolume', pricePerVolumeYen)],
    ['compareTotal', (product) => say('pricePerVolume', totalOf(product))],
    ['compareVolumes', ({ volumes }) => say('volumesOnSale', volumes)],
    ['compareStatus', ({ status }) => (status === undefined ? undefined : say(status))],
    ['compareStock', (product) => stockOf(product, say).text],
    ['compareAuthor', ({ author, authors }) => authors?.[language] ?? author],
    ['compareGenres', ({ genres }) => genresOf(genres, language)],
  ]
  return facts
    .map(([word, factOf]) => ({ word, cells: products.map(factOf) }))
    .filter(({ cells }) => cells.some((cell) => cell !== undefined))
}

function totalOf({ totalYen, pricePerVolumeYen, volumes }: Product): number {
  return totalYen ?? pricePerVolumeYen * volumes
}

function genresOf(genres: Product['genres'] | undefined, language: Language): string | undefined {
  if (genres === undefined || genres.length === 0) return undefined
  return genres.map((id) => nameOf(genreNames, id, language)).join(language === 'ja' ? '・' : ', ')
}

/** The question about the difference, as the shopper would write it. */
export function differenceQuestion(products: readonly Product[], language: Language): string {
  const titles = products.map(({ title }) => (language === 'ja' ? `『${title.ja}』` : `“${title.en}”`))
  if (language === 'ja') return `${titles.join('と')}の違いを教えてください`
  return `What is the difference between ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}?`
}
