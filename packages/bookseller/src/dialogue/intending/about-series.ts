// What a message asks of series that it names or points at, or that are talked about: an introduction, facts, a comparison, other works
// of their makers, why they were suggested, and the choice of one.
import type { AskedFact, Measure } from '../../understanding/reading.ts'
import { hasNamed, hasWish } from '../act.ts'
import { measuresIn, relativeMeasures, uniqueOf } from '../advance.ts'
import { askedFacts, factsIn, inOrder } from '../asked-facts.ts'
import { asksWho, partAsked } from '../asking/same-maker.ts'
import { leftOut } from '../asking/ellipsis.ts'
import { aspectsAsked, isQuestion } from '../asking/fit-question.ts'
import { factsOfSentences } from '../asking/sentences.ts'
import { supposedIn } from '../asking/supposed.ts'
import type { Supposed } from '../asking/supposed.ts'
import type { Intent } from '../intent.ts'
import { amountsIn } from '../money/amounts.ts'
import { sumAsked } from '../money/sum-intent.ts'
import { questOf, worksQuest } from '../quest.ts'
import { choiceOf, choicesOf, chosenBy } from '../referring/choice.ts'
import { referred, subjectOf } from '../referring/referred.ts'
import type { Understood } from '../understood.ts'
import { recommending, unstocked, unstockedName } from './suggesting.ts'

const SHOWN_MAX = 4

export function titled(understood: Understood): Intent {
  const { before, reading, state, words } = understood
  const ids = referred(reading, before)
  const missing = unstockedName(reading)
  if (ids.length > 0 && leftOut(understood).length > 0) return informing(understood)
  if (ids.length > 0) {
    const isGuessed = reading.series.some(({ guessed, id }) => guessed === true && id === ids[0])
    const others = reading.series.flatMap(({ role, id, text }) => (role === 'title' && id === undefined ? [text] : []))
    return {
      kind: 'introduce',
      ids: ids.slice(0, SHOWN_MAX),
      isGuessed,
      ...(others.length === 0 ? {} : { missing: others }),
    }
  }
  const like = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  // "What have you got like X?"
  const isName = reading.series.some(({ text }) => text.length * 2 >= words.trim().length)
  if (like.length > 0 && !isName && reading.otherwise === 'recommend' && state.conditions.like.length > 0)
    return recommending(understood)
  if (like.length > 0) return { kind: 'introduce', ids: like.slice(0, SHOWN_MAX), isGuessed: false }
  if (missing !== undefined) return unstocked(understood, missing)
  if (reading.by.length > 0) return works(understood)
  if (state.page !== undefined && state.list.length === 0)
    return { kind: 'introduce', ids: [state.page], isGuessed: false }
  return recommending(understood)
}

export function informing(understood: Understood): Intent {
  const { before, reading, state, words } = understood
  const all = askedAbout(reading)
  const subject =
    askedOf(understood) ??
    (all.length > 0 ? uniqueOf([...referred(reading, before), ...all]) : subjectOf(reading, before))
  const missing = unstockedName(reading)
  if (subject.length === 0 && missing !== undefined) return unstocked(understood, missing)
  const by = hasNamed(reading) ? undefined : chosenBy(understood)
  const ids = (by === undefined ? subject : choicesOf(before)).slice(0, SHOWN_MAX)
  const isOfPeople = reading.by.length > 0 && !hasNamed(reading)
  if (isOfPeople && factsIn(words).every((fact) => fact === 'stock')) return works(understood)
  if (ids.length === 0) {
    if (reading.faq?.isSure === true) return { kind: 'faq', id: reading.faq.id }
    if (hasWish(reading) || reading.otherwise === 'recommend') return recommending(understood)
    return reading.faq !== undefined && reading.otherwise === 'faq'
      ? { kind: 'faq', id: reading.faq.id }
      : { kind: 'ask', what: 'series' }
  }
  const isOfShop = !hasNamed(reading) && reading.referents.length === 0
  const supposed = supposedIn(words)
  const facts = factsAsked(understood, supposed)
  if (facts.length === 0 && reading.faq?.isSure === true && isOfShop) return { kind: 'faq', id: reading.faq.id }
  if (facts.includes('edition') && reading.faq !== undefined && DIGITAL.test(words))
    return { kind: 'faq', id: reading.faq.id }
  if (
    facts.length === 0 &&
    reading.faq?.isSure === true &&
    reading.referents.length === 0 &&
    reading.series.length === 0
  )
    return { kind: 'faq', id: reading.faq.id }
  const sum = by === undefined ? sumAsked(understood, ids, facts) : undefined
  if (sum !== undefined) return supposed.length === 0 || sum.kind !== 'sum' ? sum : { ...sum, supposed }
  const { age } = reading.limits
  const volume = reading.volume
  return {
    kind: 'inform',
    ids,
    facts,
    ...(volume === undefined ? {} : { volume }),
    ...(by === undefined ? {} : { by }),
    ...(supposed.length === 0 ? {} : { supposed }),
    ...(age === undefined
      ? state.conditions.limits.age === undefined
        ? {}
        : { age: state.conditions.limits.age }
      : { age }),
  }
}

/** The series that are named, without those that are refused beside them. */
function askedAbout({ series }: Understood['reading']): readonly string[] {
  const known = series.filter(({ id }) => id !== undefined)
  const meant = known.filter(({ role }) => role !== 'hate')
  return (meant.length > 0 ? meant : known).flatMap(({ id }) => id ?? [])
}

/** The series that the sentences with the questions name, where others name further ones: "Leave X, then. What are Y and Z?" */
function askedOf({ reading, sentences = [] }: Understood): readonly string[] | undefined {
  const asking = sentences.filter(({ words }) => factsIn(words).length > 0 && (isQuestion(words) || asksPrice(words)))
  const named = uniqueOf(
    asking.flatMap((one) => one.reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))),
  )
  const isAll = asking.some((one) => one.reading.referents.length > 0)
  const known = askedAbout(reading)
  // 「Aのほう。1巻だけと、B全巻で合計いくら？」: an amount without a series belongs to the series named before it.
  const parts = asking.reduce((sum, { words }) => sum + partsIn(words), 0)
  if (parts > named.length && named.length > 0 && known.length >= parts) return known.slice(-parts)
  return isAll || named.length === 0 || !named.every((id) => known.includes(id)) ? undefined : named
}

const asksPrice = (words: string): boolean => factsIn(words).some((fact) => fact === 'total' || fact === 'price')

/** How many amounts are added up: parts of series, and complete ones. */
const partsIn = (words: string): number => (asksPrice(words) ? amountsIn(words).length + wholesIn(words) : 0)
const wholesIn = (words: string): number =>
  words.match(/全巻|全\d+巻|\b(?:all|the whole|the complete|the full) (?:of|set|series|run)\b/giu)?.length ?? 0

/** The facts of the message, of its sentences, or of the question before that it repeats for another series. */
function factsAsked(understood: Understood, supposed: readonly Supposed[]): readonly AskedFact[] {
  const { reading, words, sentences = [] } = understood
  const stated = uniqueOf([...askedFacts(reading, words), ...factsOfSentences(sentences)])
  const isOfReader =
    supposed.includes('suitable') && (reading.limits.age !== undefined || reading.audience !== undefined)
  const isWhy = stated.includes('content') && WHAT_IS_SO.test(words)
  const facts = uniqueOf([
    ...stated,
    ...(isOfReader ? (['age'] as const) : []),
    ...(isWhy ? (['synopsis'] as const) : []),
  ])
  return facts.length > 0 ? inOrder(facts, words) : leftOut(understood)
}

/** 「何がそんなに怖いの」 asks for the story too. */
const WHAT_IS_SO = /何が|なにが|どこが|\bwhat(?:'s|s| is| makes) (?:so|it so|it that)\b/iu

const DIGITAL = /電子|kindle|e-?book|digital|pdf/iu

export function comparing(understood: Understood): Intent {
  const { reading, state, before, words } = understood
  const inQuestion = namedInQuestion(understood)
  const meant = inQuestion.length > 1 ? inQuestion : uniqueOf([...askedAbout(reading), ...referred(reading, before)])
  const pool =
    meant.length > 1 ? meant : uniqueOf([...meant, ...state.focus, ...(meant.length === 1 ? [] : before.list)])
  const ids = (pool.length > 1 ? pool : uniqueOf([...pool, ...before.list])).slice(0, SHOWN_MAX)
  const stated = relativeMeasures(reading)
  const worded = measuresIn(words)
  const both = stated.filter((measure) => worded.includes(measure))
  // "…a contract marriage. Which is that?" compares nothing.
  if (meant.length === 0 && stated.length === 0 && reading.plot !== '')
    return { kind: 'identify', quest: questOf(understood, { isPlot: true }) }
  const avoid = uniqueOf((understood.sentences ?? []).flatMap((one) => one.reading.avoid))
  // What a series contains may be asked for its absence.
  const asked = aspectsAsked({ ...reading, avoid: [] }, lastQuestion(understood)).filter(
    ({ content }) => content.length === 0,
  )
  const measured = both.length > 0 ? both : stated.length > 0 ? stated : worded
  // 「どっちが泣ける？」 names no measure, whatever it was taken for.
  const isOpen = measured.length === 0 || (worded.length === 0 && asked.length > 0)
  const measures: readonly Measure[] = isOpen && WHICH.test(words) && !DIFFER.test(words) ? ['better'] : measured
  const aspects = measures.includes('better') ? asked : []
  const isDear = !measures.includes('cheaper') && DEAR.test(words)
  const named = uniqueOf<AskedFact>([...factsIn(words), ...(isDear ? (['total'] as const) : [])])
  const isStated = (fact: AskedFact) =>
    measures.some((one) => STATED[one] === fact) || (fact === 'price' && named.includes('total'))
  const facts = named.filter((fact) => BESIDE.has(fact) && !isStated(fact))
  if (ids.length === 0) {
    const missing = unstockedName(reading)
    return missing === undefined ? { kind: 'ask', what: 'series' } : unstocked(understood, missing)
  }
  return ids.length === 1
    ? { kind: 'introduce', ids, isGuessed: false }
    : {
        kind: 'compare',
        ids,
        measures,
        ...(measures.includes('cheaper') && STARTS.test(words) ? { isStart: true } : {}),
        ...(aspects.length === 0 ? {} : { aspects }),
        ...(avoid.length === 0 || !measures.includes('better') ? {} : { avoid }),
        ...(facts.length === 0 || measures.length === 0 ? {} : { facts }),
      }
}

const WHICH = /どっち|どちら|どれ|\bwhich\b/iu
const DIFFER = /違い|(?<!っ)ちがい|違う|\bdiffer/iu
const STARTS =
  /始め|試し|1巻|一巻|最初の巻|\b(?:start|begin|try) (?:with|out|on)\b|\bto (?:start|begin|try)\b|\bfirst volume\b|\bvolume (?:1|one)\b/iu

const lastQuestion = ({ sentences = [], words }: Understood): string =>
  sentences.findLast((one) => isQuestion(one.words))?.words ?? words

/** The series that the words of the last question name, in a message that names others before it. */
function namedInQuestion({ reading, words, sentences = [] }: Understood): readonly string[] {
  const asking = sentences.findLast((one) => isQuestion(one.words))
  const from = asking === undefined ? -1 : words.normalize('NFKC').lastIndexOf(asking.words.normalize('NFKC'))
  if (from === -1) return []
  const texts = reading.spans.filter((span) => span.role === 'title' && span.from >= from).map(({ text }) => text)
  return uniqueOf(reading.series.flatMap(({ id, text }) => (id !== undefined && texts.includes(text) ? [id] : [])))
}

/** Facts that are asked beside a comparison: "which is the shortest, and what does the set cost?" */
const BESIDE: ReadonlySet<AskedFact> = new Set(['total', 'price', 'status', 'stock', 'author', 'content', 'age'])
/** Which costs more is answered by what each costs. */
const DEAR = /(?:more|most) expensive|\bpric(?:e|ier|iest)\b|\bdearer\b|値段|価格/iu
/** What a comparison by a measure states anyway. */
const STATED: Readonly<Partial<Record<Measure, AskedFact>>> = { cheaper: 'total' }

export function works(understood: Understood): Intent {
  const { before, reading, words } = understood
  if (asksWho(words) && reading.by.length === 0)
    return informing({ ...understood, reading: { ...reading, facts: ['author'] } })
  const named = reading.series.find(({ id }) => id !== undefined)?.id
  const of = named ?? (reading.by.length > 0 ? undefined : subjectOf(reading, before)[0])
  if (of === undefined && reading.by.length === 0) {
    const missing = unstockedName(reading)
    return missing === undefined ? { kind: 'ask', what: 'series' } : unstocked(understood, missing)
  }
  const quest = worksQuest(understood, of)
  return { kind: 'works', people: reading.by, part: partAsked(words), quest, ...(of === undefined ? {} : { of }) }
}

export function explaining({ reading, state, before }: Understood): Intent {
  const meant = referred(reading, before)
  const ids = meant.length > 0 ? meant : state.focus.length > 0 ? state.focus : before.list
  return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind: 'explain', ids: ids.slice(0, SHOWN_MAX) }
}

export function choosing(kind: 'choose' | 'buy', understood: Understood): Intent {
  const { reading } = understood
  const by = chosenBy(understood)
  const ids = (by === undefined ? choiceOf(understood) : choicesOf(understood.before)).slice(0, SHOWN_MAX)
  const missing = unstockedName(reading)
  if (kind === 'choose')
    return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind, ids, ...(by === undefined ? {} : { by }) }
  if (ids.length === 0 && missing !== undefined) return unstocked(understood, missing)
  const volume = reading.volume === undefined ? {} : { volume: reading.volume }
  return { kind, ids, ...volume, ...(by === undefined ? {} : { by }) }
}
