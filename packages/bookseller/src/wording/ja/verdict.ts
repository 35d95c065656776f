// Which of several series to choose, in Japanese.
import type { Product } from '../../catalogue/catalogue.ts'
import type { Aspect } from '../../understanding/reading.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import type { LineOf } from '../lines.ts'
import { mainContent } from '../content-order.ts'
import { contentInJapanese } from './content.ts'
import { japanese } from './words.ts'

const { length, title } = japanese

/** By their keys, or as they were written. */
function aspectNames(aspects: readonly Aspect[]): string {
  const names = aspects.map(({ text, genres: [genre], moods: [mood] }) => {
    if (genre !== undefined) return labelOf(GENRES, genre, 'ja')
    return mood === undefined ? `「${text}」` : labelOf(MOODS, mood, 'ja')
  })
  return [...new Set(names)].join('・')
}

/** What it has of the kind. */
function unwanted(product: Product, aspects: readonly Aspect[]): string {
  const notes = (product.content ?? []).filter((key) => aspects.some(({ content }) => content.includes(key)))
  return notes.length > 0 ? contentInJapanese(mainContent(notes, 2)) : `${aspectNames(aspects)}の要素`
}

export function verdictInJapanese({ best, other, by, years, aspects }: LineOf<'verdict'>): readonly string[] {
  const ages = ({ age: from }: Product) =>
    from === undefined ? '対象年齢の記載なし' : from === 0 ? '全年齢向け' : `${from}歳くらいから`
  if (by === undefined) return [`大きな差はありませんが、どちらかといえば${title(best)}をおすすめします。`]
  switch (by) {
    case 'age':
      return [
        `${years}歳でしたら、${title(best)}がおすすめです。${title(best)}は${ages(best)}、${title(other)}は${ages(other)}が目安です。`,
      ]
    case 'avoided':
      return [`おすすめは${title(best)}です。${title(other)}には${unwanted(other, aspects)}があります。`]
    case 'wished':
      return [`${aspectNames(aspects)}なら、${title(other)}より${title(best)}のほうが合うと思います。`]
    case 'alike':
      return [`お好きな作品に近いのは、${title(other)}より${title(best)}です。`]
    case 'stock':
      return [`まずは在庫のある${title(best)}をおすすめします。${title(other)}はただいま在庫切れです。`]
    case 'length':
      return [
        `${title(best)}は${length(best)}、${title(other)}は${length(other)}です。まず試すなら、短めの${title(best)}をおすすめします。`,
      ]
  }
}
