// Reading × state → intent: which answer a message needs. Exhaustive over the acts.
import { detectLanguage } from '../text/language.ts'
import type { Act, AskedFact } from '../understanding/reading.ts'
import { actOf, hasNamed, hasWish, isStory } from './act.ts'
import { uniqueOf } from './advance.ts'
import { isApology } from './asking/apology.ts'
import { isQuestion } from './asking/fit-question.ts'
import { fitting } from './asking/fitting.ts'
import { factsIn } from './asked-facts.ts'
import { isNarrowed } from './conditions.ts'
import { choosing, comparing, explaining, informing, titled, works } from './intending/about-series.ts'
import { recommending } from './intending/suggesting.ts'
import type { Intent, Talk } from './intent.ts'
import { partOfSum, shippedSum, sumWithin, volumesAfforded } from './money/sum-intent.ts'
import { changedSum } from './money/summing.ts'
import { asksPolicy, continuedPolicy, repeatedPolicy } from './asking/policy.ts'
import { asksIfSame, asksName, asksSameMaker } from './asking/same-maker.ts'
import { questOf, withoutEndMarks } from './quest.ts'
import { choiceOf, chosenBy } from './referring/choice.ts'
import { placesIn } from './referring/positions.ts'
import { referred } from './referring/referred.ts'
import type { Sentence, Understood } from './understood.ts'
import { continuedMatter, serving } from './service.ts'
import { STOCK_ENTRY } from './shop.ts'
import type { DialogueState } from './state.ts'

const SHOWN_MAX = 4

export function intend(understood: Understood): Intent {
  const { reading, state } = understood
  if (reading.isDistressed === true) return { kind: 'talk', topic: 'distress' }
  if (isApology(understood)) return { kind: 'talk', topic: 'forgiven' }
  const act = actOf(reading, state, understood.words)
  const intent = withPolicy(
    continuedMatter(act, understood) ??
      askedBeside(act, understood) ??
      continuedPolicy(act, understood) ??
      byAct(act, understood),
    understood,
  )
  return understood.isCorrected === true && MENDED.has(intent.kind) ? { ...intent, isCorrected: true } : intent
}

/** What a message asks of series whatever its act was taken for: another sum, a name, whether a series is or has something. */
function askedBeside(act: Act, understood: Understood): Intent | undefined {
  const { reading, before, words } = understood
  if (SERVING.has(act)) return undefined
  const meant = referred(reading, before)
  const counted = volumesAfforded(understood, meant) ?? (OF_SHOP.has(act) ? shippedSum(understood, meant) : undefined)
  if (counted !== undefined) return counted
  const within = OF_MONEY.has(act) ? sumWithin(understood, meant) : undefined
  if (within !== undefined) return within
  // 「両方買うと？」 asks what they cost.
  if (act === 'buy' && isQuestion(words) && factsIn(words).includes('total') && meant.length > 0)
    return informing(understood)
  // "How manny volums" buys nothing.
  if (act === 'buy' && meant.length + before.focus.length > 0 && factsIn(words).some((fact) => OF_BOOK.has(fact)))
    return informing(understood)
  const sum = changedSum(before, { meant, words, reading }) ?? partOfSum(understood, meant)
  if (sum !== undefined) return { kind: 'sum', ...sum }
  const isName = asksName(words) && (meant.length > 0 || (before.focus.length > 0 && !isStory(words)))
  if (isName && act !== 'find' && !factsIn(words).some((fact) => fact === 'total' || fact === 'price'))
    return { kind: 'explain', ids: (meant.length > 0 ? meant : before.focus).slice(0, SHOWN_MAX), isName: true }
  const same = asksIfSame(words) ? ofSameMaker(understood, meant) : undefined
  if (same !== undefined) return same
  if (act !== 'compare' && asksSameMaker(words) && (meant.length > 0 || before.focus.length + before.list.length > 0))
    return works(understood)
  return fitting(act, understood, meant)
}

/** "Is that by the same person as X?": X, and what is talked about. */
function ofSameMaker({ before }: Understood, meant: readonly string[]): Intent | undefined {
  const ids = uniqueOf([...(meant.length > 1 ? [] : before.focus), ...meant]).slice(0, 2)
  return ids.length < 2 ? undefined : { kind: 'inform', ids, facts: ['author'], supposed: ['same-maker'] }
}

/** Facts that are asked before anything is bought. */
const OF_BOOK: ReadonlySet<AskedFact> = new Set(['volumes', 'author', 'year', 'synopsis'])
/** Acts in which the cost of shipping may be asked for. */
const OF_SHOP: ReadonlySet<Act> = new Set(['faq', 'fact'])
/** Acts in which an amount is compared with a price, and is no wish. */
const OF_MONEY: ReadonlySet<Act> = new Set(['fact', 'compare', 'buy'])
const SERVING: ReadonlySet<Act> = new Set([
  'order',
  'complaint',
  'person',
  'identity',
  'abuse',
  'greet',
  'bye',
  'language',
])
/** A question to the shop in another sentence is answered too; a choice beside one is not lost. */
function withPolicy(intent: Intent, understood: Understood): Intent {
  const { sentences = [], state } = understood
  const asked = sentences.find(({ reading, words }) => asksPolicy(reading, state, words))
  const id = asked?.reading.faq?.id
  if (id === undefined) return intent
  // "Something in stock" is a condition of the wish.
  if (id === STOCK_ENTRY && intent.kind === 'suggest' && understood.reading.limits.inStock === true) return intent
  const others = sentences.filter((one) => one !== asked)
  const isWish =
    (intent.kind === 'suggest' || intent.kind === 'identify') &&
    !hasWish(understood.reading) &&
    !others.some(({ reading, words }) => WISHING.has(actOf(reading, state, words)))
  if (intent.kind === 'faq' || isWish) {
    const isKnown = hasNamed(understood.reading) || state.focus.length + state.list.length > 0
    const fact = others.find(({ reading, words }) => reading.act === 'fact' && factsIn(words).length > 0)
    if (fact !== undefined && isKnown)
      return { ...informing({ ...understood, words: fact.words, sentences: [] }), also: id }
    const isNamed = hasNamed(understood.reading)
    const choice = others.find((one) => isChoice(one) || (isNamed && MAY_CHOOSE.has(one.reading.act)))
    const ids = choice === undefined ? [] : choiceOf(understood)
    const isClear = ids.length === 1 || chosenBy(understood) !== undefined
    if (choice === undefined || !isClear) return { kind: 'faq', id: intent.kind === 'faq' ? intent.id : id }
    return { ...choosing(choice.reading.act === 'buy' ? 'buy' : 'choose', understood), also: id }
  }
  if (OF_SERIES.has(intent.kind)) return { ...intent, also: id }
  if (intent.kind === 'suggest' && hasWish(understood.reading)) return { ...intent, also: id }
  if (!ASIDE.has(intent.kind) || !isQuestion(asked?.words ?? '')) return intent
  if (intent.kind === 'talk' && !POLITE.has(intent.topic)) return intent
  // "I'll start with X. Does that ship free?"
  const named = uniqueOf(understood.reading.series.flatMap((one) => one.id ?? []))
  return named.length === 1 ? { kind: 'choose', ids: named, also: id } : { kind: 'faq', id }
}

/** Intents that need no answer when the same message also asks the shop a question. */
const ASIDE: ReadonlySet<Intent['kind']> = new Set(['talk', 'ask', 'identify', 'suggest', 'unstocked'])
const POLITE: ReadonlySet<Talk> = new Set([
  'greet',
  'thanks',
  'bye',
  'smalltalk',
  'unclear',
  'declined',
  'noted',
  'help',
])

const WISHING: ReadonlySet<Act> = new Set(['recommend', 'find'])
const CHOOSING: ReadonlySet<Act> = new Set(['choose', 'buy'])
/** A choice may be read as something else where it names what is chosen. */
const isChoice = ({ reading, words }: Sentence): boolean =>
  CHOOSING.has(reading.act) || (MAY_CHOOSE.has(reading.act) && (hasNamed(reading) || placesIn(words).length > 0))
const MAY_CHOOSE: ReadonlySet<Act> = new Set(['yes', 'tell', 'recommend', 'title'])
const OF_SERIES: ReadonlySet<Intent['kind']> = new Set([
  'choose',
  'buy',
  'inform',
  'introduce',
  'sum',
  'compare',
  'fit',
  'explain',
])

/** Answers that begin with an apology where the one before was wrong. */
const MENDED: ReadonlySet<Intent['kind']> = new Set([...OF_SERIES, 'suggest', 'works', 'faq'])

function byAct(act: Act, understood: Understood): Intent {
  const { reading, before } = understood
  switch (act) {
    case 'recommend':
      return recommending(understood)
    case 'find':
      return { kind: 'identify', quest: questOf(understood, { isPlot: true }) }
    case 'title':
      return titled(understood)
    case 'fact':
      return informing(understood)
    case 'compare':
      return comparing(understood)
    case 'author':
      return works(understood)
    case 'why':
      return explaining(understood)
    case 'tell':
      return stated(understood)
    case 'yes':
      return accepted(understood)
    case 'no':
      return declined(understood)
    case 'choose':
    case 'buy':
      return choosing(act, understood)
    case 'order':
    case 'complaint':
    case 'person':
      return serving(act, understood)
    case 'faq':
      if (reading.act === 'complaint' && reading.faq?.isAsked === true) return serving(reading.act, understood)
      return reading.faq === undefined ? { kind: 'talk', topic: 'unclear' } : { kind: 'faq', id: reading.faq.id }
    case 'identity':
    case 'help':
    case 'greet':
    case 'bye':
    case 'smalltalk':
    case 'abuse':
      return { kind: 'talk', topic: act }
    case 'language':
      return repeatedPolicy(understood) ?? { kind: 'talk', topic: act }
    case 'thanks':
      return { kind: 'talk', topic: before.previous === 'service' ? 'resolved' : act }
    case 'unclear':
      return unclear(understood, before)
  }
}

/** A statement of taste is answered with suggestions as soon as there is something to go by. */
function stated(understood: Understood): Intent {
  const { reading, state, before } = understood
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  if (before.previous === 'service' && reading.orderId !== undefined) return { kind: 'person', ...order }
  const { want, like, by, publishedIn, limits, audience } = state.conditions
  const isOnlyRead =
    reading.series.some(({ role }) => role === 'read') && reading.want.length + reading.avoid.length === 0
  const hasSomething =
    want.length + like.length + by.length + publishedIn.length > 0 ||
    Object.keys(limits).length > (limits.age === undefined ? 0 : 1) ||
    (limits.age !== undefined && before.previous !== 'none') ||
    (isOnlyRead && like.length > 0)
  if (reading.plot !== '' && reading.want.length === 0)
    return { kind: 'identify', quest: questOf(understood, { isPlot: true }) }
  if (hasSomething || before.list.length > 0) {
    const quest = questOf(understood)
    // What was shown and still fits may be shown again after a new condition.
    return {
      kind: 'suggest',
      quest: { ...quest, exclude: uniqueOf([...state.hated, ...state.read, ...like]) },
      occasion: 'noted',
    }
  }
  if (limits.age !== undefined || audience !== undefined || state.conditions.avoid.length > 0)
    return { kind: 'talk', topic: 'noted' }
  if (reading.series.some(({ id, role }) => id !== undefined && role === 'title')) return titled(understood)
  return { kind: 'ask', what: 'taste' }
}

/** A yes without an offer: to the series that is talked about. */
function accepted(understood: Understood): Intent {
  const { state, reading, before } = understood
  if (reading.want.length + reading.avoid.length + Object.keys(reading.limits).length > 0)
    return recommending(understood)
  const ids = referred(reading, before)
  if (ids.length > 0) return { kind: 'choose', ids: ids.slice(0, SHOWN_MAX) }
  if (state.focus.length === 1) return { kind: 'choose', ids: state.focus }
  if (before.list.length > 1) return { kind: 'ask', what: 'series' }
  return { kind: 'ask', what: 'taste' }
}

function declined(understood: Understood): Intent {
  const { reading, before, state } = understood
  const meant = referred(reading, before)
  if (meant.length > 0) return { kind: 'choose', ids: meant.slice(0, SHOWN_MAX) }
  const hasCondition = reading.want.length + reading.avoid.length + Object.keys(reading.limits).length > 0
  if (hasCondition || reading.measures.length > 0 || reading.changes.length > 0) return recommending(understood)
  if (before.previous === 'list' && isNarrowed(state.conditions)) {
    const quest = questOf(understood)
    return {
      kind: 'suggest',
      quest: { ...quest, exclude: uniqueOf([...quest.exclude, ...before.seen]) },
      occasion: 'declined',
    }
  }
  return { kind: 'talk', topic: 'declined' }
}

/** Words that were not understood are searched; only sounds and signs are asked about. */
function unclear(understood: Understood, before: DialogueState): Intent {
  const { words } = understood
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  const isOpening = before.turns === 0
  const isWords = letters >= (detectLanguage(words) === 'ja' ? (isOpening ? 2 : 3) : isOpening ? 3 : 6)
  if (isWords && before.previous !== 'service')
    return {
      kind: 'identify',
      quest: { ...questOf(understood, { isPlot: true }), text: withoutEndMarks(words) },
      isGuess: true,
    }
  return { kind: 'talk', topic: 'unclear' }
}
