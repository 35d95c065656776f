// What an amount of a series costs.
import { priceOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Amount } from './amounts.ts'

/** A part of a sum: the volumes that the shop has of those asked for. */
export interface Summed {
  readonly product: Product
  readonly amount: Amount
  readonly yen: number
}

export function summedOf(product: Product, amount: Amount = {}): Summed {
  const { from, to, copies = 1 } = amount
  if (from === undefined || to === undefined || from > product.volumes)
    return { product, amount: copies === 1 ? {} : { copies }, yen: totalYen(product) * copies }
  const last = Math.min(to, product.volumes)
  let yen = 0
  for (let volume = from; volume <= last; volume += 1) yen += priceOfVolume(product, volume) ?? 0
  return { product, amount: { from, to: last, ...(copies === 1 ? {} : { copies }) }, yen: yen * copies }
}
