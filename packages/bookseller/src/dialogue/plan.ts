// Intent × state × what was found → what to say: lines without words, the cards, the follow-ups and the sources. Wording is
// apart, so that both languages say the same.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../catalogue/catalogue.ts'
import type { Grounding } from '../grounding.ts'
import type { Measure } from '../understanding/reading.ts'
import type { Line, Noted, FollowUp, Pick, PickFact } from '../wording/lines.ts'
import { defined, peopleOf } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Intent, Quest } from './intent.ts'
import { offersFor } from './offers.ts'
import { comparison } from './planning/compare.ts'
import type { Draft } from './planning/draft.ts'
import { spoken } from './planning/draft.ts'
import { introduction } from './planning/introduction.ts'
import {
  buying,
  chosen,
  explanation,
  fitted,
  information,
  policyOfSum,
  shippingOfChosen,
  summed,
} from './planning/of-series.ts'
import { policyInside, policySaid } from './policies.ts'
import { reasonFor, wishMet } from './reasons.ts'
import { isSaid } from './said.ts'
import { SHIPPING_ENTRY } from './shop.ts'
import type { Reason } from './reason-shape.ts'
import type { ReasonContext } from './reasons.ts'

export interface Plan {
  readonly lines: readonly Line[]
  readonly cards: readonly { readonly product: Product; readonly reason?: Reason }[]
  readonly offers: readonly FollowUp[]
  readonly sources: readonly { readonly kind: 'product' | 'faq'; readonly id: string }[]
}

const CARDS_MAX = 4

export function plan(grounding: Grounding, language: Language): Plan {
  const { lines: own, picks } = draftFor(grounding, language)
  const corrected = grounding.intent.isCorrected === true ? [{ say: 'corrected' } as const] : []
  const lines = [...corrected, ...own, ...policyBeside(grounding, own, language)]
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

/** The policy that the same message asks for. A sum states the shipping itself. */
function policyBeside(grounding: Grounding, lines: readonly Line[], language: Language): readonly Line[] {
  const { intent, faq, state } = grounding
  const shipped = shippingOfChosen(grounding)
  if (shipped.length > 0) return shipped
  const entry = faq.find(({ id }) => id === intent.also)
  const isStated = lines.some((line) => 'shipping' in line && line.shipping !== undefined)
  if (entry === undefined || (isStated && entry.id === SHIPPING_ENTRY)) return []
  const said = policySaid(entry, language, state.said)
  // A policy that ends with a question ("what do you like?") is left out where the answer already suggests series.
  if (ASKING_BACK.test(said.text) && lines.some(({ say }) => say === 'picks')) return []
  return [{ say: 'faq', ...said }]
}

const ASKING_BACK = /[?？]\s*$/u

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
      return summed(grounding, intent)
    case 'fit':
      return fitted(grounding, intent)
    case 'compare':
      return comparison(grounding, intent, picksOf(grounding, grounding.state.conditions, language))
    case 'works':
      return works(grounding, intent, language)
    case 'explain':
      return explanation(grounding, intent, contextOf(grounding, grounding.state.conditions, language))
    case 'unstocked': {
      const picks = picksOf(grounding, intent.quest.conditions, language)
      return { lines: [{ say: 'unstocked', name: intent.name, picks }], picks }
    }
    case 'choose':
      return chosen(grounding, intent, contextOf(grounding, grounding.state.conditions, language))
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
        isAgain: grounding.state.said.slice(-APOLOGY_TURNS).some((answer) => APOLOGISED.test(answer)),
        policy: policyIn(grounding, language),
        contact,
        ...ordered(intent, grounding),
      })
    case 'person':
      return spoken({ say: 'person', contact, ...ordered(intent, grounding) })
    case 'faq': {
      const [entry] = grounding.faq
      if (entry === undefined) return spoken({ say: 'talk', topic: 'unclear', noted: notedIn(grounding) })
      const policy = { say: 'faq', ...policySaid(entry, language, grounding.state.said) } as const
      // All that the shop's texts say was said.
      if (intent.isContinued === true && policy.before === 'all') return spoken({ say: 'person', contact })
      const ofSum = policyOfSum(grounding, entry.id)
      // Below the limit of free shipping the policy is quoted too, because it states the limit.
      const isEnough = ofSum !== undefined && !(ofSum.say === 'shipping' && ofSum.yen < ofSum.shipping.freeFromYen)
      return { lines: [...(ofSum === undefined ? [] : [ofSum]), ...(isEnough ? [] : [policy])], picks: [] }
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

/** What the shop states about an order or a complaint, and earlier answers have not. */
function policyIn({ faq, intent, state }: Grounding, language: Language): string {
  const [entry] = faq
  if (entry === undefined) return ''
  const policy = policySaid(entry, language, state.said)
  // Who complains again wants no longer text.
  const isNews = policy.before === 'nothing' || (policy.before === 'brief' && intent.kind === 'order')
  return isNews ? policyInside(policy, language) : ''
}

/** An apology in each answer sounds like a recording. */
const APOLOGY_TURNS = 4
/** Not the politeness of a policy: 「申し訳ございませんが、代引きは…」. */
const APOLOGISED =
  /申し訳ございません。|おわび申し上げ|ご迷惑をおかけして|I’m (?:so |very )?sorry (?:about|that|for)|\bI apologise/u

/** The order number, unless an earlier answer has named it. */
const ordered = ({ orderId }: { readonly orderId?: string }, { state }: Grounding) =>
  orderId === undefined || isSaid(state.said, orderId) ? {} : { orderId }

function contextOf(
  { state, liked, intent, matched }: Grounding,
  conditions: Conditions,
  language: Language,
): ReasonContext {
  const near = intent.kind === 'unstocked' ? { near: intent.name } : {}
  return { conditions, liked, language, said: state.said, matched, ...near }
}

/** Each with a reason that was not given before; only the first may have a long one. */
function picksOf(grounding: Grounding, conditions: Conditions, language: Language): readonly Pick[] {
  const context = contextOf(grounding, conditions, language)
  const measures = 'quest' in grounding.intent ? (grounding.intent.quest.compared?.measures ?? []) : []
  const used: string[] = []
  const count = 'quest' in grounding.intent ? grounding.intent.quest.count : CARDS_MAX
  return grounding.products.slice(0, count).map((product, index) => {
    const reason = reasonFor(product, { ...context, said: [...context.said, ...used] }, index > 0)
    if (reason !== undefined) used.push(reason.text)
    const met = reason === undefined || index > 0 ? undefined : wishMet(product, context, reason)
    return { product, facts: factsFor(product, conditions, measures), ...defined({ reason, met }) }
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
        occasion: relaxed.length > 0 ? 'nearest' : isAmong(picks, quest) ? occasion : 'outside',
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

/** Where nothing among those shown meets the wish, others are suggested. */
const isAmong = (picks: readonly Pick[], { among }: Quest): boolean =>
  among === undefined || picks.every(({ product }) => among.includes(product.id))

function identification(
  grounding: Grounding,
  { quest, isGuess }: Extract<Intent, { kind: 'identify' }>,
  language: Language,
): Draft {
  // A message that was not understood and matches nothing gets no suggestions.
  if (isGuess === true && grounding.isUnsure)
    return spoken({ say: 'talk', topic: 'unclear', noted: notedIn(grounding) })
  const picks = picksOf(grounding, quest.conditions, language)
  if (picks.length === 0) return spoken({ say: 'no-match' })
  return { lines: [{ say: 'identified', picks, isUnsure: grounding.isUnsure }], picks }
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
  const relaxed =
    grounding.relaxed.length === 0 ? [] : [{ say: 'relaxed', names: grounding.relaxed, conditions } as const]
  if (picks.length > 0) return { lines: [...relaxed, { say: 'works', people, picks, part, ...(of && { of }) }], picks }
  if (of === undefined) return spoken({ say: 'unknown-person', people })
  const elsewhere = (of.otherWorks ?? []).map((work) => work[language]).slice(0, 3)
  return spoken({ say: 'no-works', people, elsewhere })
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
