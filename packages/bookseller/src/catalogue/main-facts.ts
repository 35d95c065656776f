// The facts of a product that a model is given first, in one language. An unknown fact is undefined, which JSON leaves out.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from './catalogue.ts'
import type { Product } from './catalogue.ts'

export function mainFacts(product: Product, language: Language) {
  return {
    title: product.title[language],
    author: product.author?.[language],
    genres: product.genres,
    volumes: product.volumes,
    status: product.status,
    yenPerVolume: product.pricePerVolumeYen,
    yenInAll: totalYen(product),
    stock: product.stock,
  }
}
