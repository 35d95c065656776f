// Checks an answer against what a right one must do, and names everything that is wrong with it.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import type { AnswerAct, Expectation } from './conversation.ts'
import { breaksRule } from './rules.ts'
import { statesFact, statesYen } from './states-fact.ts'

/** An answer as the shopper sees it, and the kinds of answer that it is. */
export interface GivenAnswer {
  readonly text: string
  readonly language: Language
  readonly acts: readonly AnswerAct[]
  /** Ids of the cards. */
  readonly cards: readonly string[]
  readonly faqIds: readonly string[]
  /** The shop's own texts that the answer may quote: their amounts are no claims about a series. */
  readonly policies: readonly string[]
}

export interface Shown {
  /** The list that was last shown before this answer, and the series talked about. */
  readonly list: readonly string[]
  readonly focus?: string
}

export interface Fault {
  readonly kind: 'act' | 'series' | 'forbidden' | 'rule' | 'fact' | 'sum' | 'faq' | 'says' | 'language' | 'questions'
  readonly what: string
}

type Catalogue = ReadonlyMap<string, Product>

export function faultsOf(
  answer: GivenAnswer,
  expect: Expectation,
  { catalogue, shown }: { readonly catalogue: Catalogue; readonly shown: Shown },
): readonly Fault[] {
  const named = namedIn(answer, catalogue)
  const faults: Fault[] = []
  const add = (kind: Fault['kind'], what: string) => faults.push({ kind, what })
  if (!expect.acts.some((act) => answer.acts.includes(act)))
    add('act', `is ${answer.acts.join('/')}, not ${expect.acts.join('/')}`)
  if (
    expect.anyOf !== undefined &&
    expect.anyOf.length > 0 &&
    mustShow(answer, expect) &&
    !expect.anyOf.some((id) => named.has(id))
  )
    add('series', `none of ${expect.anyOf.slice(0, 5).join(', ')}`)
  for (const id of expect.allOf ?? []) if (!named.has(id)) add('series', `without ${id}`)
  for (const id of expect.noneOf ?? []) if (answer.cards.includes(id)) add('forbidden', `shows ${id}`)
  for (const id of answer.cards) {
    const product = catalogue.get(id)
    for (const rule of expect.rules ?? [])
      if (product !== undefined && breaksRule(product, rule)) add('rule', `shows ${id} against ${rule}`)
  }
  for (const { of, field } of expect.facts ?? []) {
    const id = resolve(of, shown)
    const product = id === undefined ? undefined : catalogue.get(id)
    if (product === undefined || !statesFact(answer, product, field)) add('fact', `${field} of ${id ?? of}`)
  }
  if (expect.sum !== undefined) {
    const products = expect.sum.of.flatMap((of) => catalogue.get(resolve(of, shown) ?? '') ?? [])
    const sum = products.reduce((yen, product) => yen + totalYen(product), 0)
    if (!statesYen(answer.text, sum)) add('sum', `${sum}`)
  }
  if (expect.faq !== undefined && !answer.faqIds.includes(expect.faq)) add('faq', expect.faq)
  if (expect.says !== undefined && !expect.says.some((words) => fold(answer.text).includes(fold(words))))
    add('says', expect.says.join(' or '))
  if (expect.language !== undefined && expect.language !== answer.language) add('language', answer.language)
  const questions = questionsIn(answer.text)
  if (questions > (expect.questionsMax ?? 1)) add('questions', `${questions}`)
  return faults
}

/** Where asking back is acceptable, an answer that asks need not show a series. */
function mustShow({ acts }: GivenAnswer, expect: Expectation): boolean {
  const showsNothing: readonly AnswerAct[] = [
    'ask',
    'acknowledge',
    'unstocked',
    'policy',
    'decline',
    'sorry',
    'contact',
  ]
  return !(acts.every((act) => showsNothing.includes(act)) && acts.some((act) => expect.acts.includes(act)))
}

function namedIn({ cards, text }: GivenAnswer, catalogue: Catalogue): ReadonlySet<string> {
  const plain = fold(text)
  const links = [...text.matchAll(/\/series\/([a-z0-9-]+)/gu)].map((match) => match[1]!)
  const named = [...catalogue.values()].filter(
    ({ title }) => plain.includes(fold(title.ja)) || plain.includes(fold(title.en)),
  )
  return new Set([...cards, ...links, ...named.map(({ id }) => id)])
}

function resolve(of: string, { list, focus }: Shown): string | undefined {
  if (!of.startsWith('@')) return of
  if (of === '@focus') return focus
  return of === '@last' ? list.at(-1) : list[Number(of.slice(1)) - 1]
}

/** Question marks inside titles are no questions. */
function questionsIn(text: string): number {
  const plain = text.replaceAll(/\[[^\]]*\]\([^)]*\)|[『“][^』”]*[』”]/gu, '')
  return plain.match(/[?？]+/gu)?.length ?? 0
}
