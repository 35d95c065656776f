// Reading × state → intent: which answer a message needs. Exhaustive over the acts.
import { detectLanguage } from '../text/language.ts'
import type { Act, Reading } from '../understanding/reading.ts'
import { actOf, hasNamed, hasWish, isStory } from './act.ts'
import { measuresIn, relativeMeasures, uniqueOf } from './advance.ts'
import { isApology } from './asking/apology.ts'
import { isQuestion } from './asking/fit-question.ts'
import { fitting } from './asking/fitting.ts'
import { askedFacts, factsIn } from './asked-facts.ts'
import { factsOfSentences } from './asking/sentences.ts'
import { isNarrowed } from './conditions.ts'
import type { Intent, Occasion, Talk } from './intent.ts'
import { partOfSum, sumAsked } from './money/sum-intent.ts'
import { changedSum } from './money/summing.ts'
import { asksPolicy } from './asking/policy.ts'
import { asksName, asksSameMaker, asksWho, partAsked } from './asking/same-maker.ts'
import { questOf, worksQuest } from './quest.ts'
import { choiceOf, chosenBy } from './referring/choice.ts'
import { placesIn } from './referring/positions.ts'
import { referred, subjectOf } from './referring/referred.ts'
import type { Sentence, Understood } from './understood.ts'
import { serving } from './service.ts'
import type { DialogueState } from './state.ts'

const SHOWN_MAX = 4

export function intend(understood: Understood): Intent {
  const { reading, state } = understood
  if (reading.isDistressed === true) return { kind: 'talk', topic: 'distress' }
  if (isApology(understood)) return { kind: 'talk', topic: 'forgiven' }
  const act = actOf(reading, state, understood.words)
  return withPolicy(askedBeside(act, understood) ?? byAct(act, understood), understood)
}

/** What a message asks of series whatever its act was taken for: another sum, a name, whether a series is or has something. */
function askedBeside(act: Act, understood: Understood): Intent | undefined {
  const { reading, before, words } = understood
  if (SERVING.has(act)) return undefined
  const meant = referred(reading, before)
  const sum = changedSum(before, { meant, words, reading }) ?? partOfSum(understood, meant)
  if (sum !== undefined) return { kind: 'sum', ...sum }
  const isName = asksName(words) && (meant.length > 0 || (before.focus.length > 0 && !isStory(words)))
  if (isName && act !== 'find')
    return { kind: 'explain', ids: (meant.length > 0 ? meant : before.focus).slice(0, SHOWN_MAX), isName: true }
  if (act !== 'compare' && asksSameMaker(words) && (meant.length > 0 || before.focus.length + before.list.length > 0))
    return works(understood)
  return fitting(act, understood, meant)
}

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

/** What is said beside a question to the shop, and needs no answer of its own then. */
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
      return reading.faq === undefined ? { kind: 'talk', topic: 'unclear' } : { kind: 'faq', id: reading.faq.id }
    case 'identity':
    case 'help':
    case 'greet':
    case 'thanks':
    case 'bye':
    case 'smalltalk':
    case 'abuse':
    case 'language':
      return { kind: 'talk', topic: act }
    case 'unclear':
      return unclear(understood, before)
  }
}

function recommending(understood: Understood): Intent {
  const { reading, state, before } = understood
  const missing = reading.series.find(({ role, id }) => role === 'like' && id === undefined)
  if (missing !== undefined && state.conditions.like.length === 0 && state.conditions.want.length === 0)
    return unstocked(understood, missing.text)
  const isAmong = reading.referents.includes('all') || reading.changes.includes('fewer')
  if (isAmong && before.list.length > 1) {
    const measures = relativeMeasures(reading)
    if (measures.length > 0) return { kind: 'compare', ids: before.list, measures }
    const hasCondition = reading.want.length + reading.avoid.length + Object.keys(reading.limits).length > 0
    if (hasCondition) {
      const quest = { ...questOf(understood), among: before.list, exclude: [] }
      return { kind: 'suggest', quest, occasion: 'among' }
    }
    if (reading.changes.includes('fewer')) return { kind: 'compare', ids: before.list, measures: ['better'] }
  }
  return { kind: 'suggest', quest: questOf(understood), occasion: occasionOf(understood) }
}

function occasionOf({ reading, state, before }: Understood): Occasion {
  if (reading.changes.includes('surprise')) return 'surprise'
  if (state.compared !== undefined && before.list.length > 0) return 'compared'
  if (reading.series.some(({ role }) => role === 'like') && state.conditions.like.length > 0) return 'like'
  if (reading.changes.includes('others') && before.list.length > 0) return 'others'
  return state.conditions.like.length > 0 && reading.want.length === 0 ? 'like' : 'wish'
}

const unstockedName = ({ series }: Reading): string | undefined =>
  series.find(({ role, id }) => id === undefined && (role === 'title' || role === 'like'))?.text

function unstocked(understood: Understood, name: string): Intent {
  return { kind: 'unstocked', name, quest: { ...questOf(understood), text: name } }
}

function titled(understood: Understood): Intent {
  const { before, reading, state } = understood
  const ids = referred(reading, before)
  const missing = unstockedName(reading)
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
  if (like.length > 0) return { kind: 'introduce', ids: like.slice(0, SHOWN_MAX), isGuessed: false }
  if (missing !== undefined) return unstocked(understood, missing)
  if (reading.by.length > 0) return works(understood)
  if (state.page !== undefined && state.list.length === 0)
    return { kind: 'introduce', ids: [state.page], isGuessed: false }
  return recommending(understood)
}

function informing(understood: Understood): Intent {
  const { before, reading, state, words } = understood
  const all = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const subject = all.length > 0 ? uniqueOf([...referred(reading, before), ...all]) : subjectOf(reading, before)
  const missing = unstockedName(reading)
  if (subject.length === 0 && missing !== undefined) return unstocked(understood, missing)
  const by = hasNamed(reading) ? undefined : chosenBy(understood)
  const ids = (by === undefined ? subject : before.list).slice(0, SHOWN_MAX)
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
  const facts = uniqueOf([...askedFacts(reading, words), ...factsOfSentences(understood.sentences ?? [])])
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
  if (sum !== undefined) return sum
  const { age } = reading.limits
  const volume = reading.volume
  return {
    kind: 'inform',
    ids,
    facts,
    ...(volume === undefined ? {} : { volume }),
    ...(by === undefined ? {} : { by }),
    ...(age === undefined
      ? state.conditions.limits.age === undefined
        ? {}
        : { age: state.conditions.limits.age }
      : { age }),
  }
}

const DIGITAL = /電子|kindle|e-?book|digital|pdf/iu

function comparing(understood: Understood): Intent {
  const { reading, state, before, words } = understood
  const named = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const meant = uniqueOf([...named, ...referred(reading, before)])
  const pool =
    meant.length > 1 ? meant : uniqueOf([...meant, ...state.focus, ...(meant.length === 1 ? [] : before.list)])
  const ids = (pool.length > 1 ? pool : uniqueOf([...pool, ...before.list])).slice(0, SHOWN_MAX)
  const stated = relativeMeasures(reading)
  const measures = stated.length > 0 ? stated : measuresIn(words)
  if (ids.length === 0) {
    const missing = unstockedName(reading)
    return missing === undefined ? { kind: 'ask', what: 'series' } : unstocked(understood, missing)
  }
  return ids.length === 1 ? { kind: 'introduce', ids, isGuessed: false } : { kind: 'compare', ids, measures }
}

function works(understood: Understood): Intent {
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

function explaining({ reading, state, before }: Understood): Intent {
  const meant = referred(reading, before)
  const ids = meant.length > 0 ? meant : state.focus.length > 0 ? state.focus : before.list
  return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind: 'explain', ids: ids.slice(0, SHOWN_MAX) }
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

function choosing(kind: 'choose' | 'buy', understood: Understood): Intent {
  const { reading } = understood
  const by = chosenBy(understood)
  const ids = (by === undefined ? choiceOf(understood) : understood.before.list).slice(0, SHOWN_MAX)
  const missing = unstockedName(reading)
  if (kind === 'choose')
    return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind, ids, ...(by === undefined ? {} : { by }) }
  if (ids.length === 0 && missing !== undefined) return unstocked(understood, missing)
  const volume = reading.volume === undefined ? {} : { volume: reading.volume }
  return { kind, ids, ...volume, ...(by === undefined ? {} : { by }) }
}

/** Words that were not understood are searched; only sounds and signs are asked about. */
function unclear(understood: Understood, before: DialogueState): Intent {
  const { words } = understood
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  const isOpening = before.turns === 0
  const isWords = letters >= (detectLanguage(words) === 'ja' ? (isOpening ? 2 : 3) : isOpening ? 3 : 6)
  if (isWords && before.previous !== 'service')
    return { kind: 'identify', quest: { ...questOf(understood, { isPlot: true }), text: words }, isGuess: true }
  return { kind: 'talk', topic: 'unclear' }
}
