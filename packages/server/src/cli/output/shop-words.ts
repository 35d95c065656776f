// Length, price and stock of a series in the words of one language, for cards and tables.
import type { Language, ProductCard } from '@mangaassist/protocol'

export interface ShopWords {
  yen(amount: number): string
  volumes(series: Pick<ProductCard, 'volumes' | 'status'>): string
  /** The price of a volume, and of all volumes where they are several. */
  price(series: Pick<ProductCard, 'volumes' | 'status' | 'pricePerVolumeYen' | 'totalYen'>): string
  stock(copies: number): string
}

const number = (amount: number): string => amount.toLocaleString('en-US')

const EN_STATUS = { completed: ', complete', running: ', still running', hiatus: ', on hiatus' } as const
const JA_STATUS = { completed: '・完結', running: '・連載中', hiatus: '・休載中' } as const

const EN: ShopWords = {
  yen: (amount) => `¥${number(amount)}`,
  volumes: ({ status, volumes }) =>
    `${volumes} volume${volumes === 1 ? '' : 's'}${status === undefined ? '' : EN_STATUS[status]}`,
  price: ({ volumes, pricePerVolumeYen, totalYen }) => {
    if (volumes === 1) return EN.yen(pricePerVolumeYen)
    return `${EN.yen(pricePerVolumeYen)} each${totalYen === undefined ? '' : `, ${EN.yen(totalYen)} in all`}`
  },
  stock: (copies) => (copies > 0 ? 'in stock' : 'sold out'),
}

const JA: ShopWords = {
  yen: (amount) => `${number(amount)}円`,
  volumes: ({ status, volumes }) =>
    status === undefined ? `${volumes}巻` : `${status === 'completed' ? '全' : '既刊'}${volumes}巻${JA_STATUS[status]}`,
  price: ({ volumes, status, pricePerVolumeYen, totalYen }) => {
    if (volumes === 1) return JA.yen(pricePerVolumeYen)
    const all = status === undefined ? `${volumes}巻で` : status === 'completed' ? '全巻' : '既刊分'
    return `1巻${JA.yen(pricePerVolumeYen)}${totalYen === undefined ? '' : `・${all}${JA.yen(totalYen)}`}`
  },
  stock: (copies) => (copies > 0 ? '在庫あり' : '在庫切れ'),
}

export const SHOP_WORDS: Readonly<Record<Language, ShopWords>> = { en: EN, ja: JA }
