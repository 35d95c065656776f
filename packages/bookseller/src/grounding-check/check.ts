// Compares what a model's answer claims about series with what the store has: titles, prices, volumes, stock and status.
// Pure and bounded; a false alarm costs more trust than a missed error, so in doubt a claim is unverifiable.
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { claimsIn } from './claims-in.ts'
import type { Claim, ClaimedStatus, ClaimKind } from './claims-in.ts'
import { AMOUNT, amountIn } from './numbers.ts'
import { markTitles, withoutMarkup } from './titles-in.ts'
import type { NamedTitle } from './titles-in.ts'

export type MismatchKind = ClaimKind | 'title'
export type Verdict = 'true' | 'false' | 'unknown-title' | 'unverifiable'

export interface JudgedClaim {
  readonly kind: ClaimKind
  readonly verdict: Verdict
  readonly productId?: string
}

/** A claim that the store contradicts. */
export type Mismatch =
  | { readonly kind: ClaimKind; readonly product: Product }
  /** A price or stock is stated for a title that the store does not have. */
  | { readonly kind: 'title'; readonly name: string }

export interface CheckedAnswer {
  readonly claims: readonly JudgedClaim[]
  /** Without repetitions, in the order of the answer. */
  readonly mismatches: readonly Mismatch[]
}

export interface AnswerToCheck {
  readonly text: string
  /** The products that the answer may name, with their current price and stock. */
  readonly products: readonly Product[]
  /** The shopper's budget may be repeated; a price that the shopper claims may not. */
  readonly question?: string
  /** Entries of the FAQ: their amounts are no claims about a series. */
  readonly faq?: readonly string[]
  /** Whether `products` has every product whose title stands in quotation marks: without that, no title is unknown. */
  readonly isComplete: boolean
}

/** Longer answers are checked up to here. */
const TEXT_MAX = 12_000
const ABOUT = 0.12
/** Words of a budget. */
const BUDGET =
  /以内|以下|未満|まで|予算|くらい|ぐらい|程度|前後|台で|\b(?:under|below|within|budget|less than|up to|at most|max(?:imum)?|around|about|spend|afford|no more than)\b/iu

export function checkAnswer({ text, products, question = '', faq = [], isComplete }: AnswerToCheck): CheckedAnswer {
  const marked = markTitles(withoutPitches(withoutPolicies(text.slice(0, TEXT_MAX), faq), products), products)
  const given = {
    fees: new Set(faq.flatMap(amountsIn)),
    budget: new Set(BUDGET.test(question) ? amountsIn(question) : []),
  }
  const claims = claimsIn(marked).map((claim) => ({ claim, verdict: judge(claim, given, isComplete) }))
  const mismatches = new Map<string, Mismatch>()
  for (const { claim, verdict } of claims) {
    const [mention] = claim.about
    if (mention === undefined) continue
    const { name, product } = mention
    if (verdict === 'unknown-title') mismatches.set(`title ${name}`, { kind: 'title', name })
    if (verdict === 'false' && product !== undefined)
      mismatches.set(`${claim.kind} ${product.id}`, { kind: claim.kind, product })
  }
  return { claims: claims.map(({ claim, verdict }) => judged(claim, verdict)), mismatches: [...mismatches.values()] }
}

/** What the shop says of itself in general is no claim about the series before it. */
function withoutPolicies(text: string, faq: readonly string[]): string {
  if (faq.length === 0) return text
  const policies = faq.map(withoutMarkup).join('\n')
  const isPolicy = (sentence: string) => {
    const plain = withoutMarkup(sentence).trim()
    return plain.length > POLICY_LENGTH_MIN && policies.includes(plain)
  }
  return text
    .split(/(?<=[。！？!?])|(?<=\.)(?=\s)/u)
    .filter((sentence) => !isPolicy(sentence))
    .join('')
}

const POLICY_LENGTH_MIN = 10

/** What the shop itself says of a series that the answer links is no claim, and may have words that are titles elsewhere: 日常. */
function withoutPitches(text: string, products: readonly Product[]): string {
  const linked = products.filter(({ id }) => text.includes(`/series/${id})`))
  const known = linked.flatMap(({ pitch, protagonist, setting, synopsis }) =>
    [pitch, protagonist, setting, synopsis].flatMap((own) => (own === undefined ? [] : [own.ja, own.en])),
  )
  return known.reduce((rest, own) => (own.length < POLICY_LENGTH_MIN ? rest : rest.replaceAll(own, '…')), text)
}

function judged({ kind, about }: Claim, verdict: Verdict): JudgedClaim {
  const productId = about.length === 1 ? about[0]?.product?.id : undefined
  return { kind, verdict, ...(productId === undefined ? {} : { productId }) }
}

function amountsIn(text: string): readonly number[] {
  const found = text.normalize('NFKC').matchAll(new RegExp(AMOUNT, 'gu'))
  return [...found].flatMap(([amount]) => amountIn(amount) ?? [])
}

interface GivenAmounts {
  readonly fees: ReadonlySet<number>
  readonly budget: ReadonlySet<number>
}

function isGiven(claim: Claim, { budget, fees }: GivenAmounts): boolean {
  if (claim.kind !== 'price') return false
  return fees.has(claim.yen) || (claim.scope !== 'volume' && budget.has(claim.yen))
}

function judge(claim: Claim, given: GivenAmounts, isComplete: boolean): Verdict {
  const { about } = claim
  if (about.length === 0 || about.some(({ isDoubtful }) => isDoubtful)) return 'unverifiable'
  if (isGiven(claim, given)) return 'unverifiable'
  const unknown = about.filter(({ product }) => product === undefined)
  if (unknown.length > 0) return about.length === 1 && isComplete ? ofUnknown(claim) : 'unverifiable'
  const products = about.flatMap(({ product }) => product ?? [])
  const verdicts = products.map((product) => verdictFor(claim, product))
  // Where a sentence does not say which series it means, a claim is false only if it fits none of them.
  if (verdicts.includes('true')) return 'true'
  if (verdicts.includes('unverifiable')) return 'unverifiable'
  return products.length === 1 ? 'false' : isAnySum(claim) ? 'true' : 'false'
}

/** The store cannot sell what it does not have; the number of its volumes and its status may still be right. */
function ofUnknown(claim: Claim): Verdict {
  const isOffered = claim.kind === 'price' || (claim.kind === 'stock' && !('isInStock' in claim && !claim.isInStock))
  return isOffered ? 'unknown-title' : 'unverifiable'
}

function verdictFor(claim: Claim, product: Product): Verdict {
  switch (claim.kind) {
    case 'price':
      return isPrice(claim, product) || isAnySum(claim) ? 'true' : 'false'
    case 'volumes':
      return isNear(product.volumes, claim.volumes, claim.isAbout) || isSumOfVolumes(claim) ? 'true' : 'false'
    case 'stock':
      return verdictOfStock(claim, product)
    case 'status':
      return product.status === undefined ? 'unverifiable' : STATUS[claim.status][product.status]
  }
}

const isNear = (real: number, claimed: number, isAbout: boolean): boolean =>
  isAbout ? Math.abs(real - claimed) <= real * ABOUT : real === claimed

type PriceClaim = Extract<Claim, { kind: 'price' }>

function isPrice({ yen, isAbout, scope, counts }: PriceClaim, product: Product): boolean {
  const { pricePerVolumeYen, volumeOffers = [], volumes } = product
  const single = [pricePerVolumeYen, ...volumeOffers.flatMap(({ priceYen }) => priceYen ?? [])]
  const several = counts.filter((count) => count <= volumes).flatMap((count) => single.map((price) => price * count))
  const whole = [1, ...counts].map((sets) => totalYen(product) * sets)
  const fitting =
    scope === 'volume' ? single : scope === 'total' ? [...whole, ...several] : [...single, ...whole, ...several]
  return fitting.some((price) => isNear(price, yen, isAbout))
}

const SUMMED_MAX = 6

/** Whether it is the price of several of the named series together. */
function isAnySum(claim: Claim): boolean {
  if (claim.kind !== 'price' || claim.scope === 'volume') return false
  const products = productsOf(claim.named).slice(-SUMMED_MAX)
  return (
    subsetSums(products.map(totalYen)).has(claim.yen) ||
    subsetSums(products.map((one) => one.pricePerVolumeYen)).has(claim.yen)
  )
}

function isSumOfVolumes({ named, volumes }: Extract<Claim, { kind: 'volumes' }>): boolean {
  return subsetSums(
    productsOf(named)
      .slice(-SUMMED_MAX)
      .map((product) => product.volumes),
  ).has(volumes)
}

const productsOf = (mentions: readonly NamedTitle[]): readonly Product[] =>
  mentions.flatMap(({ product }) => product ?? [])

/** The sums of two or more of the numbers. */
function subsetSums(numbers: readonly number[]): ReadonlySet<number> {
  const sums = [{ sum: 0, of: 0 }]
  for (const number of numbers) sums.push(...sums.map(({ sum, of }) => ({ sum: sum + number, of: of + 1 })))
  return new Set(sums.filter(({ of }) => of >= 2).map(({ sum }) => sum))
}

function verdictOfStock(claim: Extract<Claim, { kind: 'stock' }>, { stock, volumeOffers = [] }: Product): Verdict {
  const stocks = [stock, ...volumeOffers.flatMap((offer) => offer.stock ?? [])]
  if ('copies' in claim) return stocks.includes(claim.copies) ? 'true' : 'false'
  return stocks.some((copies) => copies > 0 === claim.isInStock) ? 'true' : 'false'
}

/** The verdict on a claimed status, by the status that the store has. */
const STATUS: Readonly<Record<ClaimedStatus, Readonly<Record<'completed' | 'running' | 'hiatus', Verdict>>>> = {
  completed: { completed: 'true', running: 'false', hiatus: 'false' },
  // A series that pauses has not ended: both words are used for it.
  running: { completed: 'false', running: 'true', hiatus: 'unverifiable' },
  hiatus: { completed: 'false', running: 'unverifiable', hiatus: 'true' },
  'not-completed': { completed: 'false', running: 'true', hiatus: 'true' },
}
