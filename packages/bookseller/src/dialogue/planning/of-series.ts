// Answers about series that are named or pointed at: facts, sums, whether they suit, why they were suggested, and how to buy them.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Grounding } from '../../grounding.ts'
import type { AskedFact } from '../../understanding/reading.ts'
import { isBrief } from '../../wording/lines.ts'
import type { Line, Pick } from '../../wording/lines.ts'
import type { Intent } from '../intent.ts'
import { summedOf } from '../money/price-of.ts'
import { reasonFor } from '../reasons.ts'
import type { ReasonContext } from '../reasons.ts'
import { SHIPPING_ENTRY } from '../shop.ts'
import { bestBy } from './compare.ts'
import { bare, spoken } from './draft.ts'
import type { Draft } from './draft.ts'
import { fitOf } from './fit.ts'
import { introduction } from './introduction.ts'

const CARDS_MAX = 4
const FACTS_MAX = 3
const ADULT_FROM = 18
const WHICH: Draft = spoken({ say: 'ask', what: 'series', among: [] })

type Of<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>

export function information(found: Grounding, intent: Of<'inform'>): Draft {
  const { facts, volume, age, by } = intent
  const products = by === undefined ? found.products : only(by, found.products)
  const grounding = { ...found, products }
  if (products.length === 0) return WHICH
  if (facts.length === 0 && volume === undefined)
    return introduction(grounding, { kind: 'introduce', ids: [], isGuessed: false })
  // Whether it is suitable is what a question about its content means for a child.
  const meant =
    age === undefined || age >= ADULT_FROM ? facts : facts.map((fact) => (fact === 'content' ? 'age' : fact))
  const asked = [...new Set(meant)].slice(0, FACTS_MAX)
  const soldOut = products.filter(({ stock }) => stock === 0)
  const wantsStock = asked.some((fact) => fact === 'price' || fact === 'total') && !asked.includes('stock')
  return {
    lines: [
      ...factLines(grounding, intent, asked),
      ...(wantsStock && soldOut.length > 0 ? [{ say: 'sold-out', product: soldOut[0]! } as const] : []),
    ],
    picks: bare(products),
  }
}

function factLines(
  { products, shop }: Grounding,
  { volume, age }: Of<'inform'>,
  asked: readonly AskedFact[],
): readonly Line[] {
  if (volume !== undefined && asked.every((fact) => OF_VOLUME.has(fact)))
    return products.slice(0, CARDS_MAX).map((product) => ({ say: 'volume', product, volume }))
  // Several series in one sentence.
  const brief = products.length > 1 ? asked.filter(isBrief) : []
  const others = asked.filter((fact) => !brief.some((one) => one === fact))
  const isEach = !others.some((fact) => ONCE.has(fact))
  return [
    ...(brief.length === 0 ? [] : [{ say: 'facts', facts: brief, products: products.slice(0, CARDS_MAX) } as const]),
    ...products
      .slice(0, isEach ? CARDS_MAX : 1)
      .flatMap((product) =>
        others.map((fact): Line =>
          fact === 'total'
            ? { say: 'total', product, yen: totalYen(product), ...(shop.shipping && { shipping: shop.shipping }) }
            : { say: 'fact', fact, product, among: products.length, ...(age === undefined ? {} : { age }) },
        ),
      ),
  ]
}

/** Facts that are the same for every series, or not known of any. */
const ONCE: ReadonlySet<AskedFact> = new Set(['edition', 'other', 'popularity'])
const OF_VOLUME: ReadonlySet<AskedFact> = new Set(['price', 'stock', 'release', 'other', 'total'])

export function summed({ products, shop }: Grounding, { amounts }: Of<'sum'>): Draft {
  if (products.length === 0) return WHICH
  const items = products.map((product) => summedOf(product, amounts?.[product.id]))
  const yen = items.reduce((sum, item) => sum + item.yen, 0)
  const soldOut = products.find(({ stock }) => stock === 0)
  return {
    lines: [
      { say: 'sum', items, yen, ...(shop.shipping && { shipping: shop.shipping }) },
      ...(soldOut === undefined ? [] : [{ say: 'sold-out', product: soldOut } as const]),
    ],
    picks: bare(products),
  }
}

/** What the last sum costs to ship, before the policy itself. */
export function shippingOf({ products, shop, state }: Grounding, entry: string): readonly Line[] {
  if (entry !== SHIPPING_ENTRY || shop.shipping === undefined || products.length === 0) return []
  const yen = products.reduce((sum, product) => sum + summedOf(product, state.sum?.amounts?.[product.id]).yen, 0)
  return [{ say: 'shipping', yen, shipping: shop.shipping }]
}

export function fitted({ products }: Grounding, { aspects, age }: Of<'fit'>): Draft {
  if (products.length === 0) return WHICH
  const lines = products.slice(0, 2).map((product): Line => ({
    say: 'fit',
    product,
    ...fitOf(product, aspects),
    ...(age === undefined || age >= ADULT_FROM ? {} : { age }),
  }))
  return { lines, picks: bare(products.slice(0, 2)) }
}

export function explanation({ products }: Grounding, { isName }: Of<'explain'>, context: ReasonContext): Draft {
  if (products.length === 0) return WHICH
  if (isName === true) return { lines: [{ say: 'named', products }], picks: bare(products) }
  const picks = products.map((product): Pick => {
    const reason = reasonFor(product, context)
    return { product, facts: [], ...(reason === undefined ? {} : { reason }) }
  })
  const isAlone = picks.length === 1
  return { lines: picks.slice(0, 3).map((pick) => ({ say: 'explain', pick, isAlone })), picks }
}

export function chosen(grounding: Grounding, { by }: Of<'choose'>, context: ReasonContext): Draft {
  const products = by === undefined ? grounding.products : only(by, grounding.products)
  const [product, ...others] = products
  if (product === undefined) return WHICH
  if (others.length > 0) return buying({ ...grounding, products }, { kind: 'buy', ids: [] })
  const reason = reasonFor(product, context)
  const line: Line = { say: 'chosen', product, ...(reason === undefined ? {} : { reason }) }
  return {
    lines: [line, ...(product.stock === 0 ? [{ say: 'sold-out', product } as const] : [])],
    picks: bare([product]),
  }
}

export function buying(grounding: Grounding, { volume, by }: Of<'buy'>): Draft {
  const products = by === undefined ? grounding.products : only(by, grounding.products)
  if (products.length === 0) return spoken({ say: 'buy-what' })
  const soldOut = products.find(({ stock }) => stock === 0)
  return {
    lines: [
      { say: 'buy', products, ...(volume === undefined ? {} : { volume }) },
      ...(soldOut === undefined ? [] : [{ say: 'sold-out', product: soldOut } as const]),
    ],
    picks: bare(products),
  }
}

function only(by: NonNullable<Of<'choose'>['by']>, products: readonly Product[]): readonly Product[] {
  const best = bestBy(by, products)
  return best === undefined ? [] : [best]
}
