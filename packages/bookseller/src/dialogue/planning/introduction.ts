// A series is introduced: that the shop has it, what it is, and for a child whether it is suitable.
import type { Grounding } from '../../grounding.ts'
import type { Line } from '../../wording/lines.ts'
import { isSuitableFor } from '../conditions.ts'
import type { Intent } from '../intent.ts'
import { bare, spoken } from './draft.ts'
import type { Draft } from './draft.ts'

export function introduction(
  { products, state }: Grounding,
  { isGuessed }: Extract<Intent, { kind: 'introduce' }>,
): Draft {
  const { age } = state.conditions.limits
  const lines = products
    .slice(0, 2)
    .flatMap((product): readonly Line[] => [
      { say: 'introduce', product, isGuessed },
      ...(age === undefined || isSuitableFor(product, age)
        ? []
        : [{ say: 'fact', fact: 'age', product, age, among: 1 } as const]),
    ])
  if (lines.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  return { lines, picks: bare(products) }
}
