// States why a series is suggested, in a few words of the shopper's language: what it shares with a liked series, or
// which wishes it meets. It uses only the catalogue's data.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { Wish } from './ask.ts'
import { GENRES, labelOf, MOODS } from './vocabulary.ts'

export interface Suggestion {
  readonly wish: Wish
  /** The series that the shopper likes. */
  readonly liked: readonly Product[]
}

const GENRES_NAMED_MAX = 2
const MOODS_NAMED_MAX = 2

export function reasonFor(product: Product, { wish, liked }: Suggestion, language: Language): string {
  const sharedGenres = product.genres.filter((genre) => liked.some((model) => model.genres.includes(genre)))
  const sharedMoods = product.moods.filter((mood) => liked.some((model) => model.moods.includes(mood)))
  const metGenres = product.genres.filter((genre) => wish.genres.includes(genre))
  const metMoods = product.moods.filter((mood) => wish.moods.includes(mood))
  const genres = firstOf([metGenres, sharedGenres, product.genres]).slice(0, GENRES_NAMED_MAX)
  const moods = [...new Set([...metMoods, ...sharedMoods, ...product.moods])].slice(0, MOODS_NAMED_MAX)
  const shares = liked.length > 0 && sharedGenres.length > 0 && metGenres.length === 0
  return language === 'ja' ? inJapanese(genres, moods, shares) : inEnglish(genres, moods, shares)
}

const firstOf = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.find((list) => list.length > 0) ?? []

function inJapanese(genres: readonly string[], moods: readonly string[], shares: boolean): string {
  const kind = genres.map((genre) => labelOf(GENRES, genre, 'ja')).join('・')
  const mood = moods.map((key) => labelOf(MOODS, key, 'ja')).join('、')
  const described = [...(kind === '' ? [] : [`${shares ? '同じく' : ''}${kind}の`]), ...(mood === '' ? [] : [mood])]
  return described.length === 0 ? '当店の取り扱い作品' : `${described.join('、')}作品`
}

function inEnglish(genres: readonly string[], moods: readonly string[], shares: boolean): string {
  const kind = genres.map((genre) => labelOf(GENRES, genre, 'en')).join(' and ')
  const mood = moods.map((key) => labelOf(MOODS, key, 'en')).join(', ')
  const described = [...(kind === '' ? [] : [`${shares ? 'also ' : ''}${kind}`]), ...(mood === '' ? [] : [mood])]
  return described.length === 0 ? 'one of the series that we sell' : described.join('; ')
}
