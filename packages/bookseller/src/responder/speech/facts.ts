// The facts of a series in words. Every number comes from the store's current data.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../../catalogue/catalogue.ts'

const FEW = 5

export const yen = (amount: number): string => amount.toLocaleString('en-US')

export function titleOf(product: Product, language: Language): string {
  return language === 'ja' ? `『${product.title.ja}』` : `**${product.title.en}**`
}

export function lengthOf({ volumes, status }: Product, language: Language): string {
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
