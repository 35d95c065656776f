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
  const { from, to, volumes, copies = 1 } = amount
  const sold = (volumes ?? []).filter((volume) => volume <= product.volumes)
  if (sold.length > 0) {
    const each = sold.reduce((sum, volume) => sum + (priceOfVolume(product, volume) ?? 0), 0)
    return { product, amount: { volumes: sold, ...(copies === 1 ? {} : { copies }) }, yen: each * copies }
  }
  if (from === undefined || to === undefined || from > product.volumes)
    return { product, amount: copies === 1 ? {} : { copies }, yen: totalYen(product) * copies }
  const last = Math.min(to, product.volumes)
  let yen = 0
  for (let volume = from; volume <= last; volume += 1) yen += priceOfVolume(product, volume) ?? 0
  return { product, amount: { from, to: last, ...(copies === 1 ? {} : { copies }) }, yen: yen * copies }
}
