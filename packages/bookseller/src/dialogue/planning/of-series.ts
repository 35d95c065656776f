// Answers about series that are named or pointed at: facts, sums, whether they suit, why they were suggested, and how to buy them.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Grounding } from '../../grounding.ts'
import type { AskedFact } from '../../understanding/reading.ts'
import { isBrief } from '../../wording/lines.ts'
import type { BriefFact, Line, LineOf, Part, Pick } from '../../wording/lines.ts'
import { defined } from '../conditions.ts'
import type { Intent } from '../intent.ts'
import { affordedOf } from '../money/affording.ts'
import { summedOf } from '../money/price-of.ts'
import type { Summed } from '../money/price-of.ts'
import { reasonFor } from '../reasons.ts'
import type { ReasonContext } from '../reasons.ts'
import { POINTS_ENTRY, SHIPPING_ENTRY } from '../shop.ts'
import type { Shipping } from '../shop.ts'
import { bestBy } from './compare.ts'
import { bare, spoken } from './draft.ts'
import type { Draft } from './draft.ts'
import { fitOf } from './fit.ts'
import { introduction } from './introduction.ts'
import { isSo, isSoOfAll } from './supposition.ts'

const CARDS_MAX = 4
const FACTS_MAX = 4
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
  // For a child, a question about its content is one about its age too.
  const isChild = age !== undefined && age < ADULT_FROM
  const meant = isChild ? facts.flatMap((fact): AskedFact[] => (fact === 'content' ? [fact, 'age'] : [fact])) : facts
  const asked = [...new Set(meant)]
  const soldOut = products.filter(({ stock }) => stock === 0)
  const wantsStock = asked.some((fact) => fact === 'price' || fact === 'total') && !asked.includes('stock')
  return {
    lines: [
      ...factLines(grounding, intent, asked),
      ...(wantsStock && soldOut.length > 0
        ? [{ say: 'sold-out', product: soldOut[0]!, ...again(products.length === 1) } as const]
        : []),
    ],
    picks: bare(products),
  }
}

const again = (isAgain: boolean): { readonly isAgain?: true } => (isAgain ? { isAgain } : {})

/** Facts that are also stated by the sentence for another asked fact, so that no sentence is said twice. */
const STATED_BY: Readonly<Partial<Record<AskedFact, readonly AskedFact[]>>> = {
  volumes: ['status', 'ending', 'total', 'price'],
  total: ['price'],
  ending: ['status'],
  audience: ['age'],
}

function without(facts: readonly AskedFact[], series: number): readonly AskedFact[] {
  const known = facts.filter((fact) => fact !== 'other')
  const asked = known.length > 0 ? known : facts
  // A list of several series has exactly what was asked for.
  return series > 1 ? asked : asked.filter((fact) => !(STATED_BY[fact] ?? []).some((other) => asked.includes(other)))
}

function factLines({ products, shop }: Grounding, intent: Of<'inform'>, facts: readonly AskedFact[]): readonly Line[] {
  const { volume, age } = intent
  if (volume !== undefined && facts.every((fact) => OF_VOLUME.has(fact)))
    return products.slice(0, CARDS_MAX).map((product) => ({ say: 'volume', product, volume }))
  const asked = without(facts, products.length).slice(0, FACTS_MAX)
  // Several series in one sentence.
  const brief = products.length > 1 ? asked.filter(isBrief) : []
  const others = asked.filter((fact) => !brief.some((one) => one === fact))
  const isEach = !others.some((fact) => ONCE.has(fact))
  const shown = products.slice(0, CARDS_MAX)
  return [
    ...(brief.length === 0 ? [] : [briefLine(shown, brief, intent)]),
    ...products.slice(0, isEach ? CARDS_MAX : 1).flatMap((product) =>
      others.map((fact, index): Line => {
        const before = again(index > 0)
        if (fact === 'total')
          return {
            say: 'total',
            product,
            yen: totalYen(product),
            ...(shop.shipping && { shipping: shop.shipping }),
            ...before,
          }
        // If the content is asked too, it has its own sentence, and the age needs no warning.
        const isWarned = fact === 'age' && others.includes('content')
        return {
          say: 'fact',
          fact,
          product,
          among: products.length,
          // Only the first sentence begins with yes or no.
          ...defined({ age, isSo: index === 0 ? isSo(product, fact, intent) : undefined }),
          ...before,
          ...(isWarned ? { isWarned } : {}),
        }
      }),
    ),
  ]
}

function briefLine(
  products: readonly Product[],
  facts: readonly BriefFact[],
  asked: Part<Of<'inform'>, 'supposed' | 'age'>,
): LineOf<'facts'> {
  const [first] = facts
  const all = first === undefined || facts.length > 1 ? undefined : isSoOfAll(products, first, asked)
  return { say: 'facts', facts, products, ...defined({ isSo: all }) }
}

/** Facts that are the same for every series, or not known of any. */
const ONCE: ReadonlySet<AskedFact> = new Set(['edition', 'other', 'popularity'])
const OF_VOLUME: ReadonlySet<AskedFact> = new Set(['price', 'stock', 'release', 'other', 'total'])

export function summed(grounding: Grounding, intent: Of<'sum'>): Draft {
  const { products, shop } = grounding
  const { amounts, affording, facts = [], supposed } = intent
  if (products.length === 0) return WHICH
  if (affording !== undefined) {
    const lines = products.map((product): Line => ({ say: 'afford', ...affordedOf(product, affording, shop.shipping) }))
    return { lines, picks: bare(products) }
  }
  const items = products.map((product) => summedOf(product, amounts?.[product.id]))
  const yen = items.reduce((sum, item) => sum + item.yen, 0)
  const soldOut = facts.includes('stock') ? undefined : products.find(({ stock }) => stock === 0)
  const beside =
    facts.length === 0 ? [] : besideSum(grounding, { kind: 'inform', ids: [], facts, ...defined({ supposed }) })
  return {
    lines: [
      ...sumLines(items, { yen, intent, shipping: shop.shipping }),
      ...beside,
      ...(soldOut === undefined
        ? []
        : [{ say: 'sold-out', product: soldOut, ...again(products.length === 1) } as const]),
    ],
    picks: bare(products),
  }
}

/** The fee has a sentence of its own where it is asked for. */
function sumLines(
  items: readonly Summed[],
  {
    yen,
    intent,
    shipping,
  }: { readonly yen: number; readonly intent: Of<'sum'>; readonly shipping: Shipping | undefined },
): readonly Line[] {
  const { within } = intent
  if (intent.also !== SHIPPING_ENTRY || shipping === undefined || within !== undefined)
    return [{ say: 'sum', items, yen, ...defined({ shipping, within }) }]
  return [
    { say: 'sum', items, yen },
    { say: 'shipping', yen, shipping },
  ]
}

/** What else is asked of the series that a sum has named. */
function besideSum(grounding: Grounding, intent: Of<'inform'>): readonly Line[] {
  const [first, ...more] = factLines(grounding, intent, intent.facts.slice(0, FACTS_MAX - 1))
  if (first === undefined) return []
  return [first.say === 'fact' || first.say === 'facts' ? { ...first, isAgain: true } : first, ...more]
}

/** What the chosen series come to with shipping, where the same message asks for the fee. */
export function shippingOfChosen({ intent, products, shop }: Grounding): readonly Line[] {
  const isChosen = intent.kind === 'buy' || intent.kind === 'choose'
  if (!isChosen || intent.also !== SHIPPING_ENTRY || shop.shipping === undefined || products.length === 0) return []
  const chosenOnes = intent.by === undefined ? products : only(intent.by, products)
  const volume = intent.kind === 'buy' ? intent.volume : undefined
  const items = chosenOnes.map((product) => summedOf(product, volume === undefined ? {} : { from: volume, to: volume }))
  const yen = items.reduce((sum, item) => sum + item.yen, 0)
  return [{ say: 'sum', items, yen, shipping: shop.shipping }]
}

/** What a policy means for the last sum: what it costs to ship, or what comes back in points. */
export function policyOfSum({ products, shop, state }: Grounding, entry: string): Line | undefined {
  const { shipping, pointsPercent } = shop
  if (products.length === 0) return undefined
  const yen = products.reduce((sum, product) => sum + summedOf(product, state.sum?.amounts?.[product.id]).yen, 0)
  if (entry === SHIPPING_ENTRY && shipping !== undefined) return { say: 'shipping', yen, shipping }
  if (entry !== POINTS_ENTRY || pointsPercent === undefined) return undefined
  return { say: 'points', yen, points: Math.floor((yen * pointsPercent) / 100) }
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
    const reason = reasonFor(product, { ...context, said: [] })
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
