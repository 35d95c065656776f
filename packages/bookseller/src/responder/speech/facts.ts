// The facts of a series in words. Every number comes from the store's current data.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../../catalogue/catalogue.ts'

const FEW = 5

export const yen = (amount: number): string => amount.toLocaleString('en-US')

export function titleOf(product: Product, language: Language): string {
  return language === 'ja' ? `『${product.title.ja}』` : `**${product.title.en}**`
}

/** With the author, if the shop knows who it is. */
export function creditedTitleOf(product: Product, language: Language): string {
  const title = titleOf(product, language)
  if (product.author === undefined) return title
  return language === 'ja' ? `${title}（${product.author.ja}）` : `${title} by ${product.author.en}`
}

export function lengthOf({ volumes, status }: Product, language: Language): string {
  if (status === undefined)
    return language === 'ja' ? `取り扱い${volumes}巻` : `${volumes} ${volumes === 1 ? 'volume' : 'volumes'} on sale`
  if (language === 'ja')
    return status === 'completed'
      ? `全${volumes}巻（完結）`
      : `既刊${volumes}巻${status === 'hiatus' ? '（休載中）' : ''}`
  const count = `${volumes} ${volumes === 1 ? 'volume' : 'volumes'}`
  if (status === 'completed') return `${count}, complete`
  return status === 'hiatus' ? `${count} so far, on hiatus` : `${count} so far`
}

export function priceOf({ pricePerVolumeYen }: Product, language: Language): string {
  return language === 'ja' ? `1巻${yen(pricePerVolumeYen)}円` : `¥${yen(pricePerVolumeYen)} a volume`
}

export function stockOf({ stock }: Product, language: Language): string {
  if (stock === 0) return language === 'ja' ? '現在品切れ' : 'out of stock just now'
  if (stock <= FEW) return language === 'ja' ? `残り${stock}点` : `only ${stock} left`
  return language === 'ja' ? `在庫${stock}点` : `${stock} in stock`
}

/** Length, price and stock in one phrase. */
export function factsOf(product: Product, language: Language): string {
  const facts = [lengthOf(product, language), priceOf(product, language), stockOf(product, language)]
  return language === 'ja' ? facts.join('、') : facts.join(', ')
}
