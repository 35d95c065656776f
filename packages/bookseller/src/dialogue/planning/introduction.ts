// A series is introduced: that the shop has it, what it is, and for a child whether it is suitable.
import type { Grounding } from '../../grounding.ts'
import type { Line } from '../../wording/lines.ts'
import { defined, isSuitableFor } from '../conditions.ts'
import type { Intent } from '../intent.ts'
import { bare, spoken } from './draft.ts'
import type { Draft } from './draft.ts'

export function introduction(
  { products, state }: Grounding,
  { isGuessed, missing = [] }: Extract<Intent, { kind: 'introduce' }>,
): Draft {
  const { age } = state.conditions.limits
  const [first, ...others] = products
  if (first === undefined) return spoken({ say: 'ask', what: 'series', among: [] })
  const own: readonly Line[] =
    others.length > 0
      ? [{ say: 'facts', facts: ['volumes', 'price', 'stock'], products }]
      : [{ say: 'introduce', product: first, isGuessed }]
  const early = age === undefined ? [] : products.filter((product) => !isSuitableFor(product, age))
  return {
    lines: [
      ...own,
      ...early
        .slice(0, 2)
        .map((product): Line => ({ say: 'fact', fact: 'age', product, among: 1, ...defined({ age }) })),
      ...(missing.length === 0 ? [] : [{ say: 'missing', names: missing } as const]),
    ],
    picks: bare(products),
  }
}
