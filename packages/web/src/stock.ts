// Words for stock and volumes, the same on a card in the chat and in the store. Pure.
import type { ProductCard, productLabels } from '@mangaassist/protocol'
import type { Say } from './i18n.ts'

export interface Stock {
  readonly level: 'in' | 'few' | 'out'
  readonly text: string
}

const fewLeftMax = 5

export function stockOf({ stock }: Pick<ProductCard, 'stock'>, say: Say<typeof productLabels>): Stock {
  if (stock === 0) return { level: 'out', text: say('outOfStock') }
  if (stock <= fewLeftMax) return { level: 'few', text: say('fewLeft', stock) }
  return { level: 'in', text: say('inStock') }
}

function volumesOf({ volumes, status }: Pick<ProductCard, 'volumes' | 'status'>, say: Say<typeof productLabels>) {
  // 「全」 and "so far" say whether the series is finished, which the shop may not know.
  if (status === undefined) return say('volumesOnSale', volumes)
  return say(status === 'completed' ? 'volumes' : 'volumesSoFar', volumes)
}

/** Volumes, and whether the series is finished, if the shop knows. */
export function lengthAndStatusOf(
  series: Pick<ProductCard, 'volumes' | 'status'>,
  say: Say<typeof productLabels>,
): string {
  const { status } = series
  return [volumesOf(series, say), ...(status === undefined ? [] : [say(status)])].join(' · ')
}
