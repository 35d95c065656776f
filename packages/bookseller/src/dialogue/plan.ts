// Intent × state × what was found → what to say: lines without words, the cards, the follow-ups and the sources. Wording is
// apart, so that both languages say the same.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import type { Grounding } from '../grounding.ts'
import type { AskedFact, Measure } from '../understanding/reading.ts'
import type { Line, Noted, FollowUp, Pick, PickFact } from '../wording/lines.ts'
import { isSuitableFor, peopleOf } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Intent } from './intent.ts'
import { offersFor } from './offers.ts'
import { reasonFor } from './reasons.ts'
import { isSaid, sentencesOf } from './said.ts'
import type { Reason, ReasonContext } from './reasons.ts'

export interface Plan {
  readonly lines: readonly Line[]
  readonly cards: readonly { readonly product: Product; readonly reason?: Reason }[]
  readonly offers: readonly FollowUp[]
  readonly sources: readonly { readonly kind: 'product' | 'faq'; readonly id: string }[]
}

interface Draft {
  readonly lines: readonly Line[]
  readonly picks: readonly Pick[]
}

const CARDS_MAX = 4
const FACTS_MAX = 3
const ADULT_FROM = 18

export function plan(grounding: Grounding, language: Language): Plan {
  const { lines, picks } = draftFor(grounding, language)
  const cards = picks.slice(0, CARDS_MAX).map(({ product, reason }) => ({ product, ...(reason && { reason }) }))
  return {
    lines,
    cards,
    offers: offersFor(
      grounding,
      picks.map(({ product }) => product),
    ),
    sources: [
      ...grounding.faq.map(({ id }) => ({ kind: 'faq' as const, id })),
      ...cards.map(({ product }) => ({ kind: 'product' as const, id: product.id })),
    ],
  }
}

function draftFor(grounding: Grounding, language: Language): Draft {
  const { intent, products, shop } = grounding
  const contact = shop.contact[language]
  switch (intent.kind) {
    case 'suggest':
      return suggestion(grounding, intent, language)
    case 'identify':
      return identification(grounding, intent, language)
    case 'introduce':
      return introduction(grounding, intent)
    case 'inform':
      return information(grounding, intent)
    case 'sum':
      return summed(grounding)
    case 'compare':
      return comparison(grounding, intent, language)
    case 'works':
      return works(grounding, intent, language)
    case 'explain':
      return explanation(grounding, language)
    case 'unstocked': {
      const picks = picksOf(grounding, intent.quest.conditions, language)
      return { lines: [{ say: 'unstocked', name: intent.name, picks }], picks }
    }
    case 'choose':
      return chosen(grounding, language)
    case 'buy':
      return buying(grounding, intent)
    case 'order':
      return spoken({
        say: 'order',
        topic: intent.topic,
        policy: policyIn(grounding, language),
        ...ordered(intent, grounding),
      })
    case 'complaint':
      return spoken({
        say: 'sorry',
        grievance: intent.grievance,
        policy: policyIn(grounding, language),
        contact,
        ...ordered(intent, grounding),
      })
    case 'person':
      return spoken({ say: 'person', contact, ...ordered(intent, grounding) })
    case 'faq': {
      const [entry] = grounding.faq
      return spoken(
        entry === undefined ? { say: 'talk', topic: 'unclear', noted: notedIn(grounding) } : { say: 'faq', entry },
      )
    }
    case 'ask':
      return spoken({ say: 'ask', what: intent.what, among: products })
    case 'talk':
      return spoken({ say: 'talk', topic: intent.topic, noted: notedIn(grounding) })
  }
}

const notedIn = ({ reading }: Grounding): Noted => ({
  avoid: reading.avoid.map(({ text }) => text),
  limits: reading.limits,
})

/** The shop's own words, without the apology that the answer begins with anyway. */
function policyIn({ faq }: Grounding, language: Language): string {
  const [entry] = faq
  if (entry === undefined) return ''
  const sentences = sentencesOf(entry.answer[language])
  return sentences.filter((sentence) => !APOLOGY.test(sentence)).join(language === 'ja' ? '' : ' ')
}

const APOLOGY = /申し訳ございません。|^We are (?:very )?sorry[^,]*\.$/u

const spoken = (line: Line): Draft => ({ lines: [line], picks: [] })
/** The order number, unless an earlier answer has named it. */
const ordered = ({ orderId }: { readonly orderId?: string }, { state }: Grounding) =>
  orderId === undefined || isSaid(state.said, orderId) ? {} : { orderId }

function contextOf({ state, liked, intent }: Grounding, conditions: Conditions, language: Language): ReasonContext {
  const near = intent.kind === 'unstocked' ? { near: intent.name } : {}
  return { conditions, liked, language, said: state.said, ...near }
}

/** Each with a reason that was not given before; only the first may have a long one. */
function picksOf(grounding: Grounding, conditions: Conditions, language: Language): readonly Pick[] {
  const context = contextOf(grounding, conditions, language)
  const { measures = [] } = grounding.intent.kind === 'suggest' ? (grounding.intent.quest.compared ?? {}) : {}
  const used: string[] = []
  const count = 'quest' in grounding.intent ? grounding.intent.quest.count : CARDS_MAX
  return grounding.products.slice(0, count).map((product, index) => {
    const reason = reasonFor(product, { ...context, said: [...context.said, ...used] }, index > 0)
    if (reason !== undefined) used.push(reason.text)
    return { product, facts: factsFor(product, conditions, measures), ...(reason === undefined ? {} : { reason }) }
  })
}

/** The facts by which a shopper can see that a stated condition is met. */
function factsFor(product: Product, { limits }: Conditions, measures: readonly Measure[]): readonly PickFact[] {
  const isLength = limits.volumesMax !== undefined || limits.volumesMin !== undefined
  const isMoney = limits.totalYenMax !== undefined || measures.includes('cheaper')
  return [
    ...(isMoney ? (['total'] as const) : []),
    ...((isLength || measures.includes('shorter') || measures.includes('longer')) && !isMoney
      ? (['volumes'] as const)
      : []),
    ...(limits.status === undefined || product.status === undefined ? [] : (['status'] as const)),
    ...(limits.volumeYenMax === undefined && limits.volumeYenMin === undefined ? [] : (['price'] as const)),
    ...(limits.age === undefined || limits.age >= 18 || product.age === undefined ? [] : (['age'] as const)),
    ...((limits.yearFrom === undefined && limits.yearTo === undefined && !measures.some(isAge)) ||
    product.firstYear === undefined
      ? []
      : (['year'] as const)),
    ...(product.stock === 0 ? (['sold-out'] as const) : []),
    ...(product.status === 'hiatus' && limits.status === undefined ? (['hiatus'] as const) : []),
  ]
}

const isAge = (measure: Measure) => measure === 'newer' || measure === 'older'

function suggestion(
  grounding: Grounding,
  { quest, occasion }: Extract<Intent, { kind: 'suggest' }>,
  language: Language,
): Draft {
  const { relaxed, liked, isUnsure, state } = grounding
  const { conditions } = quest
  const picks = picksOf(grounding, conditions, language)
  if (picks.length === 0) return spoken({ say: 'nothing', conditions, hasShown: state.list.length > 0 })
  const measure = quest.compared?.measures[0]
  return {
    lines: [
      ...(relaxed.length === 0 ? [] : [{ say: 'relaxed', names: relaxed, conditions } as const]),
      {
        say: 'picks',
        occasion: relaxed.length > 0 ? 'nearest' : occasion,
        picks,
        liked,
        conditions,
        noted: notedIn(grounding),
        isUnsure: isUnsure && relaxed.length === 0,
        ...(measure === undefined ? {} : { measure }),
      },
    ],
    picks,
  }
}

function identification(
  grounding: Grounding,
  { quest }: Extract<Intent, { kind: 'identify' }>,
  language: Language,
): Draft {
  const picks = picksOf(grounding, quest.conditions, language)
  if (picks.length === 0) return spoken({ say: 'no-match' })
  return { lines: [{ say: 'identified', picks, isUnsure: grounding.isUnsure }], picks }
}

function introduction({ products, state }: Grounding, { isGuessed }: Extract<Intent, { kind: 'introduce' }>): Draft {
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

const bare = (products: readonly Product[]): readonly Pick[] => products.map((product) => ({ product, facts: [] }))

function information(grounding: Grounding, intent: Extract<Intent, { kind: 'inform' }>): Draft {
  const { products, shop } = grounding
  const { facts, volume, age } = intent
  if (products.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  if (facts.length === 0 && volume === undefined)
    return introduction(grounding, { kind: 'introduce', ids: [], isGuessed: false })
  // Whether it is suitable is what a question about its content means for a child.
  const meant =
    age === undefined || age >= ADULT_FROM ? facts : facts.map((fact) => (fact === 'content' ? 'age' : fact))
  const asked = [...new Set(meant)].slice(0, FACTS_MAX)
  const isOfVolume = volume !== undefined && asked.every((fact) => OF_VOLUME.has(fact))
  const isEach = !asked.some((fact) => ONCE.has(fact))
  const lines = products.slice(0, isEach ? CARDS_MAX : 1).flatMap((product): readonly Line[] => {
    if (isOfVolume) return [{ say: 'volume', product, volume }]
    return asked.map((fact) =>
      fact === 'total'
        ? { say: 'total', product, yen: totalYen(product), ...(shop.shipping && { shipping: shop.shipping }) }
        : { say: 'fact', fact, product, among: products.length, ...(age === undefined ? {} : { age }) },
    )
  })
  const soldOut = products.filter(({ stock }) => stock === 0)
  const wantsStock = asked.some((fact) => fact === 'price' || fact === 'total')
  return {
    lines: [
      ...lines,
      ...(wantsStock && soldOut.length > 0 ? [{ say: 'sold-out', product: soldOut[0]! } as const] : []),
    ],
    picks: bare(products),
  }
}

/** Facts that are the same for every series, or not known of any. */
const ONCE: ReadonlySet<AskedFact> = new Set(['edition', 'other', 'popularity'])
const OF_VOLUME: ReadonlySet<AskedFact> = new Set(['price', 'stock', 'release', 'other', 'total'])

function summed({ products, shop }: Grounding): Draft {
  if (products.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  const yen = products.reduce((sum, product) => sum + totalYen(product), 0)
  const shipping = shop.shipping && { shipping: shop.shipping }
  return { lines: [{ say: 'sum', products, yen, ...shipping }], picks: bare(products) }
}

const DARK: ReadonlySet<string> = new Set(['gore', 'violence-strong', 'frightening', 'suicide', 'abuse'])

/** What each measure compares; the smallest value is the answer. Undefined: a fact is unknown. */
const MEASURED: Readonly<Record<Exclude<Measure, 'better'>, (product: Product) => number | undefined>> = {
  cheaper: totalYen,
  shorter: ({ volumes }) => volumes,
  longer: ({ volumes }) => -volumes,
  newer: ({ firstYear }) => (firstYear === undefined ? undefined : -firstYear),
  older: ({ firstYear }) => firstYear,
  easier: ({ age, volumes }) => (age === undefined ? undefined : age * 1000 + volumes),
  darker: ({ content, moods }) =>
    content === undefined
      ? undefined
      : -content.filter((key) => DARK.has(key)).length * 2 - (moods.includes('dark') ? 1 : 0),
}

export function measureOf(measure: Measure, product: Product): number | undefined {
  return measure === 'better' ? undefined : MEASURED[measure](product)
}

function comparison(
  grounding: Grounding,
  { measures }: Extract<Intent, { kind: 'compare' }>,
  language: Language,
): Draft {
  const { products, state } = grounding
  if (products.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  const picks = picksOf(grounding, state.conditions, language)
  if (products.length === 1) return introduction(grounding, { kind: 'introduce', ids: [], isGuessed: false })
  const measured = measures.flatMap((measure) => measuredLine(measure, products))
  if (measured.length > 0) return { lines: measured, picks }
  const [first] = picks
  if (measures.includes('better') && first !== undefined) {
    const lean = picks.find(({ product }) => product.stock > 0) ?? first
    return {
      lines: [
        { say: 'contrast', picks },
        { say: 'lean', pick: lean },
      ],
      picks,
    }
  }
  return { lines: [{ say: 'contrast', picks }], picks }
}

function measuredLine(measure: Measure, products: readonly Product[]): readonly Line[] {
  const values = products.flatMap((product) => {
    const value = measureOf(measure, product)
    return value === undefined ? [] : [{ product, value }]
  })
  const sorted = values.toSorted((a, b) => a.value - b.value)
  const [best, ...others] = sorted
  if (best === undefined || others.length === 0) return []
  const isTie = others[0]?.value === best.value
  return [{ say: 'measured', measure, best: best.product, others: others.map(({ product }) => product), isTie }]
}

function works(
  grounding: Grounding,
  { part, people: asked }: Extract<Intent, { kind: 'works' }>,
  language: Language,
): Draft {
  const { liked, products, intent } = grounding
  const of = liked[0]
  const names = asked.length > 0 ? asked : of === undefined ? [] : peopleOfPart(of, part)
  const people = calledIn(names, [...products, ...liked], language)
  const conditions = intent.kind === 'works' ? intent.quest.conditions : grounding.state.conditions
  const picks = picksOf({ ...grounding, liked: [] }, conditions, language)
  if (picks.length > 0) return { lines: [{ say: 'works', people, picks, part, ...(of && { of }) }], picks }
  if (of === undefined) return spoken({ say: 'unknown-person', people })
  const elsewhere = (of.otherWorks ?? []).map((work) => work[language]).slice(0, 3)
  return { lines: [{ say: 'no-works', people, elsewhere }], picks: bare([of]) }
}

/** The Japanese names of the makers of a series; the writer or the artist alone when asked so. */
export function peopleOfPart(product: Product, part: 'any' | 'writer' | 'artist'): readonly string[] {
  const one = part === 'any' ? undefined : product[part]?.ja
  return one === undefined ? peopleOf(product) : [one]
}

function calledIn(names: readonly string[], products: readonly Product[], language: Language): string {
  const called = names.map((name) => {
    const person = products
      .flatMap(({ writer, artist, author }) => [writer, artist, author])
      .find((one) => one?.ja === name)
    return person?.[language] ?? name
  })
  return [...new Set(called)].join(language === 'ja' ? '・' : ' and ')
}

function explanation(grounding: Grounding, language: Language): Draft {
  const { products, state } = grounding
  if (products.length === 0) return spoken({ say: 'ask', what: 'series', among: [] })
  const context = { ...contextOf(grounding, state.conditions, language), said: state.said }
  const picks = products.map((product): Pick => {
    const reason = reasonFor(product, context)
    return { product, facts: factsFor(product, state.conditions, []), ...(reason === undefined ? {} : { reason }) }
  })
  const isAlone = picks.length === 1
  return { lines: picks.slice(0, 3).map((pick) => ({ say: 'explain', pick, isAlone })), picks }
}

function chosen(grounding: Grounding, language: Language): Draft {
  const { products, state } = grounding
  const [product] = products
  if (product === undefined) return spoken({ say: 'ask', what: 'series', among: [] })
  const reason = reasonFor(product, contextOf(grounding, state.conditions, language))
  const line: Line = { say: 'chosen', product, ...(reason === undefined ? {} : { reason }) }
  return {
    lines: [line, ...(product.stock === 0 ? [{ say: 'sold-out', product } as const] : [])],
    picks: bare(products.slice(0, 1)),
  }
}

function buying({ products }: Grounding, { volume }: Extract<Intent, { kind: 'buy' }>): Draft {
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
