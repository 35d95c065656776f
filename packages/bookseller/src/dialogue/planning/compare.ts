// Comparisons of series by a measure, or by what each of them is.
import { priceOfVolume, totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Grounding } from '../../grounding.ts'
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import type { Line, LineOf, Pick } from '../../wording/lines.ts'
import type { Intent } from '../intent.ts'
import { bare, spoken } from './draft.ts'
import type { Draft } from './draft.ts'
import { measureOf } from './measure.ts'
import { verdictOf } from './verdict.ts'
import { introduction } from './introduction.ts'

export function comparison(
  grounding: Grounding,
  { measures, facts = [], isStart, aspects = [], avoid = [] }: Extract<Intent, { kind: 'compare' }>,
  picks: readonly Pick[],
): Draft {
  const { products } = grounding
  if (products.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  if (products.length === 1) return introduction(grounding, { kind: 'introduce', ids: [], isGuessed: false })
  const measured = measures.flatMap((measure) => measuredLine(measure, products, isStart === true))
  const [best] = measured
  // The cards are in the order of the words: the first is what is talked about from now on.
  if (best !== undefined)
    return {
      lines: [...measured, ...besideLines([best.best, ...best.others], facts, grounding)],
      picks: bare([best.best, ...best.others]),
    }
  const standing = grounding.state.conditions
  const conditions = { ...standing, avoid: [...standing.avoid, ...avoid] }
  const verdict = measures.includes('better')
    ? verdictOf(products, { conditions, asked: aspects, liked: grounding.liked })
    : undefined
  if (verdict !== undefined) {
    const line: Line = { say: 'verdict', ...verdict }
    // Stock and length hardly distinguish two series, so the answer first says what each series is.
    const isWeak = verdict.by === undefined || verdict.by === 'stock' || verdict.by === 'length'
    return {
      lines: isWeak ? [{ say: 'contrast', picks }, line] : [line],
      picks: picks.toSorted((x, y) => Number(y.product === verdict.best) - Number(x.product === verdict.best)),
    }
  }
  return { lines: [{ say: 'contrast', picks }], picks }
}

/** What else is asked of two series, or of the best of more. */
function besideLines(products: readonly Product[], facts: readonly AskedFact[], { shop }: Grounding): readonly Line[] {
  const asked = products.length <= 2 ? products : products.slice(0, 1)
  const shipping = asked.length === 1 && shop.shipping !== undefined ? { shipping: shop.shipping } : {}
  return asked.flatMap((product) =>
    facts.map((fact): Line =>
      fact === 'total'
        ? { say: 'total', product, yen: totalYen(product), ...shipping }
        : { say: 'fact', fact, product, among: asked.length },
    ),
  )
}

function measuredLine(measure: Measure, products: readonly Product[], isStart = false): readonly LineOf<'measured'>[] {
  const values = products.flatMap((product) => {
    const isFirst = isStart && measure === 'cheaper'
    const value = isFirst ? priceOfVolume(product, 1) : measureOf(measure, product)
    return value === undefined ? [] : [{ product, value }]
  })
  const sorted = values.toSorted((a, b) => a.value - b.value)
  const [best, ...others] = sorted
  if (best === undefined || others.length === 0) return []
  const isTie = others[0]?.value === best.value
  const start = isStart ? { isStart } : {}
  return [
    { say: 'measured', measure, best: best.product, others: others.map(({ product }) => product), isTie, ...start },
  ]
}

/** The series that is the cheapest, the longest … of those. */
export function bestBy(measure: Measure, products: readonly Product[]): Product | undefined {
  return measuredLine(measure, products)[0]?.best ?? products[0]
}
