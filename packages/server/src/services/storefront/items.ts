// A series as a list and as its own page show it, in one language.
import type { Language, ProductDetail, ProductItem } from '@mangaassist/protocol'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import type { CardFacts, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { GENRES, labelOf, MOODS, READERSHIPS } from '@mangaassist/bookseller/understanding/vocabulary'

export function toItem(product: CardFacts & Pick<Product, 'age' | 'demographic'>, language: Language): ProductItem {
  const { age, demographic } = product
  return {
    ...toCard(product, language),
    genres: [...product.genres],
    ...(demographic === undefined ? {} : { demographic }),
    ...(age === undefined ? {} : { age }),
  }
}

export function toDetail(product: Product, language: Language): Omit<ProductDetail, 'similar'> {
  const { demographic, firstYear, genres, lastYear, magazine, moods, title } = product
  const { lovedBy, publisher, readingOrder, releases, synopsis, volumeOffers } = product
  return {
    ...toItem(product, language),
    romaji: title.romaji,
    ...(magazine === undefined ? {} : { magazine: magazine[language] }),
    ...(publisher === undefined ? {} : { publisher: publisher[language] }),
    moods: [...moods],
    ...(firstYear === undefined ? {} : { firstYear }),
    ...(lastYear === undefined ? {} : { lastYear }),
    ...(synopsis === undefined ? {} : { synopsis: synopsis[language] }),
    ...(lovedBy === undefined ? {} : { lovedBy: lovedBy[language] }),
    ...(readingOrder === undefined ? {} : { readingOrder: readingOrder[language] }),
    ...(volumeOffers === undefined ? {} : { volumeOffers }),
    ...(releases === undefined ? {} : { releases: releases.toSorted((a, b) => (a.date < b.date ? -1 : 1)) }),
    labels: {
      genres: genres.map((genre) => labelOf(GENRES, genre, language)),
      moods: moods.map((mood) => labelOf(MOODS, mood, language)),
      ...(demographic === undefined ? {} : { demographic: labelOf(READERSHIPS, demographic, language) }),
    },
  }
}
