// Checks a claim inside a question ("isn't that by the author of Monster?") against the data of the series.
import type { Product } from '../../catalogue/catalogue.ts'
import type { AskedFact } from '../../understanding/reading.ts'
import { peopleOf } from '../conditions.ts'
import { FACT_OF } from '../asking/supposed.ts'
import type { Supposed } from '../asking/supposed.ts'

type Kind = NonNullable<Product['adaptations']>[number]['kind']
const ANIMATED: ReadonlySet<Kind> = new Set(['tv', 'ova', 'film'])
const FILMED: ReadonlySet<Kind> = new Set(['film', 'live-action'])

/** Undefined: it is not known, or not asked so. */
export function isSo(
  product: Product,
  fact: AskedFact,
  { supposed = [], age }: { readonly supposed?: readonly Supposed[]; readonly age?: number },
): boolean | undefined {
  const asked = supposed.find((one) => FACT_OF[one] === fact)
  const { status, stock, adaptations = [] } = product
  switch (asked) {
    case 'finished':
      return status === undefined ? undefined : status === 'completed'
    case 'running':
      return status === undefined || status === 'hiatus' ? undefined : status === 'running'
    case 'in-stock':
      return stock > 0
    case 'sold-out':
      return stock === 0
    case 'animated':
      return adaptations.some(({ kind }) => ANIMATED.has(kind)) || undefined
    case 'filmed':
      return adaptations.some(({ kind }) => FILMED.has(kind)) || undefined
    case 'live-action':
      return adaptations.some(({ kind }) => kind === 'live-action') || undefined
    case 'suitable':
      return product.age === undefined || age === undefined ? undefined : age >= product.age
    case 'same-maker':
    case undefined:
      return undefined
  }
}

/** Whether it is so of all of them. */
export function isSoOfAll(
  products: readonly Product[],
  fact: AskedFact,
  asked: { readonly supposed?: readonly Supposed[]; readonly age?: number },
): boolean | undefined {
  if (fact === 'author' && asked.supposed?.includes('same-maker') === true) return haveOneMaker(products)
  const each = products.map((product) => isSo(product, fact, asked))
  return each.includes(undefined) ? undefined : each.every((one) => one === true)
}

function haveOneMaker([first, ...others]: readonly Product[]): boolean | undefined {
  const makers = first === undefined ? [] : peopleOf(first)
  if (makers.length === 0 || others.some((product) => peopleOf(product).length === 0)) return undefined
  return others.every((product) => peopleOf(product).some((name) => makers.includes(name)))
}
