// Which of several series to choose, and the known fact that decides it: the reader's age, what is to be avoided, what is wished for,
// likeness to what was liked, stock, and at last length. The first difference in this order is the reason.
import type { Product } from '../../catalogue/catalogue.ts'
import type { Aspect } from '../../understanding/reading.ts'
import { hasAspect, isSuitableFor } from '../conditions.ts'
import type { Conditions } from '../conditions.ts'

export type Deciding = 'age' | 'avoided' | 'wished' | 'alike' | 'stock' | 'length'

export interface Decided {
  readonly best: Product
  /** The next best. */
  readonly other: Product
  /** Undefined: nothing that is known tells them apart. */
  readonly by?: Deciding
  /** The age of the reader. */
  readonly years?: number
  /** What the other has and should not, or the best has and should. */
  readonly aspects: readonly Aspect[]
}

interface Wishes {
  readonly conditions: Conditions
  /** What the question itself asks of them. */
  readonly asked: readonly Aspect[]
  readonly liked: readonly Product[]
}

const TESTS: readonly (readonly [Deciding, (product: Product, wishes: Wishes) => number])[] = [
  [
    'age',
    (product, { conditions: { limits } }) => (limits.age === undefined || isSuitableFor(product, limits.age) ? 0 : 1),
  ],
  ['avoided', (product, { conditions }) => having(product, conditions.avoid).length],
  ['wished', (product, { asked }) => -having(product, asked).length],
  ['wished', (product, { conditions }) => -having(product, conditions.want).length],
  ['alike', (product, { liked }) => -liked.filter((one) => isAlike(product, one)).length],
  ['stock', ({ stock }) => (stock > 0 ? 0 : 1)],
  ['length', ({ volumes }) => volumes],
]

/** A little shorter is no reason. */
const SHORTER_SHARE = 0.7

/** Undefined where there is nothing to choose between, or nothing that suits the reader's age. */
export function verdictOf(products: readonly Product[], wishes: Wishes): Decided | undefined {
  const { age } = wishes.conditions.limits
  if (age !== undefined && !products.some((product) => isSuitableFor(product, age))) return undefined
  const scored = products.map((product) => ({ product, scores: TESTS.map(([, score]) => score(product, wishes)) }))
  const [best, other] = scored.toSorted((a, b) => firstOf(a.scores, b.scores).difference)
  if (best === undefined || other === undefined) return undefined
  const { at } = firstOf(best.scores, other.scores)
  const first = TESTS[at]?.[0]
  const isShort = best.product.volumes <= SHORTER_SHARE * other.product.volumes
  const by = first === 'length' && !isShort ? undefined : first
  return {
    best: best.product,
    other: other.product,
    ...(by === undefined ? {} : { by }),
    ...(age === undefined ? {} : { years: age }),
    aspects: decidingAspects({ best: best.product, other: other.product, by }, wishes),
  }
}

/** The first test in which they differ. */
function firstOf(a: readonly number[], b: readonly number[]): { readonly at: number; readonly difference: number } {
  const at = a.findIndex((score, index) => score !== b[index])
  return { at, difference: at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0) }
}

function decidingAspects(
  { best, other, by }: { readonly best: Product; readonly other: Product; readonly by: Deciding | undefined },
  { conditions, asked }: Wishes,
): readonly Aspect[] {
  if (by === 'avoided') return having(other, conditions.avoid).filter((aspect) => !hasAspect(best, aspect))
  if (by === 'wished') return having(best, [...asked, ...conditions.want]).filter((aspect) => !hasAspect(other, aspect))
  return []
}

const having = (product: Product, aspects: readonly Aspect[]): readonly Aspect[] =>
  aspects.filter((aspect) => hasAspect(product, aspect))

/** Whether one of the two is stated to be similar to the other. */
export const isAlike = (product: Product, other: Product): boolean =>
  other.similar?.some(({ id }) => id === product.id) === true ||
  product.similar?.some(({ id }) => id === other.id) === true
