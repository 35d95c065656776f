// Reading × state → intent: which answer a message needs. Exhaustive over the acts.
import { detectLanguage } from '../text/language.ts'
import type { Act, AskedFact, Reading, Role } from '../understanding/reading.ts'
import { relativeMeasures, saysNothing, uniqueOf } from './advance.ts'
import { isNarrowed, NO_CONDITIONS } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Intent, Occasion, OrderTopic, Quest } from './intent.ts'
import { referred, subjectOf } from './referred.ts'
import type { Understood } from './replay.ts'
import type { DialogueState } from './state.ts'

const SHOWN = 3
const SHOWN_MAX = 4
const EXCLUDED_MAX = 80
/** Below this the act is a guess, and what the words contain decides. */
const SURE_MIN = 0.45

export function intend(understood: Understood): Intent {
  const { reading, state } = understood
  if (reading.isDistressed === true) return { kind: 'talk', topic: 'distress' }
  return byAct(actOf(reading, state, understood.words), understood)
}

const WEAK: ReadonlySet<Act> = new Set(['unclear', 'smalltalk', 'faq', 'greet', 'abuse', 'help', 'thanks', 'bye'])

/** The act, or what the words contain where the act is a guess. */
function actOf(reading: Reading, state: DialogueState, words: string): Act {
  const { act, otherwise, series, facts, faq } = reading
  if (act === 'faq' && faq === undefined) return otherwise === 'faq' ? 'unclear' : otherwise
  if (reading.sureness < SURE_MIN && isAimless(reading, words)) return 'unclear'
  if (!WEAK.has(act) || (reading.sureness >= SURE_MIN && act !== 'unclear')) return act
  if (facts.length > 0 && (series.length > 0 || state.list.length > 0)) return 'fact'
  if (series.some(({ role, id }) => role === 'title' && id !== undefined)) return 'title'
  if (hasWish(reading) && act !== 'abuse') return act === 'faq' && faq?.isSure === true ? 'faq' : 'recommend'
  return act
}

/** A guess that something shown is meant, without a word that points at it. */
function isAimless(reading: Reading, words: string): boolean {
  const { act, series, referents } = reading
  if (series.length > 0 || referents.length > 0) return false
  return act === 'choose' || act === 'title' || (act === 'fact' && factsOf(reading, words).length === 0)
}

const hasWish = ({ want, avoid, by, limits, plot }: Reading): boolean =>
  want.length + avoid.length + by.length + Object.keys(limits).length > 0 || plot !== ''

function byAct(act: Act, understood: Understood): Intent {
  const { reading, state, before, words } = understood
  const { orderId } = state
  const order = orderId === undefined ? {} : { orderId }
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
      return told(understood)
    case 'yes':
      return accepted(understood)
    case 'no':
      return declined(understood)
    case 'choose': {
      const ids = choiceOf(understood)
      return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind: 'choose', ids: ids.slice(0, SHOWN_MAX) }
    }
    case 'buy': {
      const ids = choiceOf(understood).slice(0, SHOWN_MAX)
      const missing = unstockedName(reading)
      if (ids.length === 0 && missing !== undefined) return unstocked(understood, missing)
      return { kind: 'buy', ids, ...(reading.volume === undefined ? {} : { volume: reading.volume }) }
    }
    case 'order':
      return { kind: 'order', topic: orderTopic(words), ...order }
    case 'complaint':
      return complaining(understood)
    case 'person':
      return { kind: 'person', ...order }
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

/** What to look for now: the standing conditions, and the words of the wishes. */
export function questOf({ reading, state, before, words }: Understood, { isPlot = false } = {}): Quest {
  const { conditions } = state
  const exclude = uniqueOf([
    ...state.hated,
    ...state.read,
    ...conditions.like,
    ...(isRepeatable(reading, before) ? [] : before.seen),
  ]).slice(0, EXCLUDED_MAX)
  const count = Math.min(SHOWN_MAX, Math.max(1, reading.count ?? SHOWN))
  return {
    text: searchedText(reading, conditions, words),
    conditions: isPlot ? toldConditions(reading, conditions) : conditions,
    exclude: isPlot ? state.hated : exclude,
    count: reading.count === undefined && isPlot ? SHOWN : count,
    ...(state.compared === undefined ? {} : { compared: state.compared }),
  }
}

/** A told story is that story: only dislikes, an age, and what the message itself states, hold for it. */
function toldConditions(reading: Reading, { avoid, notBy, limits }: Conditions): Conditions {
  const { age } = limits
  const own = { by: reading.by, publishedIn: reading.publishedIn, limits: { ...reading.limits, ...(age === undefined ? {} : { age }) } }
  return { ...NO_CONDITIONS, avoid, notBy, ...own, want: reading.want }
}

/** Roles whose words are not searched for: names, limits, dislikes and references. */
const SEARCHED: ReadonlySet<Role> = new Set(['want', 'plot'])

/**
 * The words to search: those of the wish as they were written, without names, limits and dislikes, and the wishes that stand
 * from before. A follow-up such as "others" has no words of its own.
 */
function searchedText(reading: Reading, { want }: Conditions, words: string): string {
  const standing = want.map(({ text }) => text)
  const isTold = reading.plot !== '' || reading.want.length > 0
  if (!isTold && !saysNothing(reading)) return standing.join(' ')
  const own = reading.spans
    .filter(({ role }) => !SEARCHED.has(role))
    .reduce((left, { text }) => left.replace(text, ' '), words.normalize('NFKC'))
  return [own, ...standing.filter((text) => !own.includes(text))].join(' ').trim()
}

/** A new wish may be met by a series that was shown for another one; a follow-up wants something else. */
function isRepeatable(reading: Reading, before: DialogueState): boolean {
  const { changes, measures, want, series, plot, by } = reading
  if (before.list.length === 0 || saysNothing(reading)) return true
  if (changes.length > 0 || measures.length > 0) return false
  return want.length > 0 || series.length > 0 || plot !== '' || by.length > 0
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
    return { kind: 'introduce', ids: ids.slice(0, SHOWN_MAX), isGuessed }
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
  const subject = subjectOf(reading, before)
  const missing = unstockedName(reading)
  if (subject.length === 0 && missing !== undefined) return unstocked(understood, missing)
  const named = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const ids = (subject.length > 0 ? subject : named).slice(0, SHOWN_MAX)
  if (ids.length === 0) {
    if (reading.faq?.isSure === true) return { kind: 'faq', id: reading.faq.id }
    if (hasWish(reading) || reading.otherwise === 'recommend') return recommending(understood)
    return reading.faq === undefined ? { kind: 'ask', what: 'series' } : { kind: 'faq', id: reading.faq.id }
  }
  const facts = factsOf(reading, words)
  if (facts.includes('edition') && reading.faq !== undefined && DIGITAL.test(words)) return { kind: 'faq', id: reading.faq.id }
  if (facts.length === 0 && reading.faq !== undefined && reading.referents.length === 0 && reading.series.length === 0)
    return { kind: 'faq', id: reading.faq.id }
  const isMoney = facts.includes('total') || facts.includes('price')
  const isTogether = TOGETHER.test(words)
  const isNamed = reading.series.length + reading.referents.length > 0
  if (isMoney && isTogether && !isNamed && state.focus.length < 2 && state.list.length > 1)
    return { kind: 'sum', ids: state.list }
  const isSum = isTogether || facts.includes('total') || reading.referents.some((one) => one === 'both' || one === 'all')
  if (isMoney && ids.length > 1 && isSum) return { kind: 'sum', ids }
  const { age } = reading.limits
  const volume = reading.volume
  return {
    kind: 'inform',
    ids,
    facts,
    ...(volume === undefined ? {} : { volume }),
    ...(age === undefined ? (state.conditions.limits.age === undefined ? {} : { age: state.conditions.limits.age }) : { age }),
  }
}

const DIGITAL = /電子|kindle|e-?book|digital|pdf/iu
const TOGETHER = /両方|合わせて|あわせて|together|both|all of them|all (?:two|three|four)/iu

/** What the words ask where no fact was recognised. Exact words only. */
const FACT_WORDS: readonly (readonly [RegExp, AskedFact])[] = [
  [/全巻.{0,6}(?:いくら|値段|円)|合計|全部で(?:いくら|何円)|whole (?:set|series).{0,20}(?:cost|price|much)|in total|altogether/iu, 'total'],
  [/いくら|値段|価格|何円|how much|price|cost/iu, 'price'],
  [/完結|終わって|終わった|連載中|finished|complete|ongoing|still running|over yet/iu, 'status'],
  [/何巻|何冊|巻数|how many (?:volumes|books)|how long is/iu, 'volumes'],
  [/在庫|売り切れ|品切れ|in sto?c?k|available|sold out/iu, 'stock'],
  [/発売日|新刊|次の巻|いつ出|release|next volume|come out/iu, 'release'],
  [/作者|誰が(?:描|書)|著者|作画|原作|author|who (?:wrote|drew|made)|artist|mangaka/iu, 'author'],
  [/アニメ|映画|ドラマ化|anime|movie|adaptation/iu, 'anime'],
  [/雑誌|掲載|magazine|serialised|serialized/iu, 'magazine'],
  [/出版社|publisher/iu, 'publisher'],
  [/何年|いつ(?:の|から)|what year|when did|how old is (?:it|this)/iu, 'year'],
  [/何歳|小学生|子ども|子供|対象年齢|\bage\b|year[- ]old|kids?\b|child/iu, 'age'],
  [/怖|グロ|暴力|エロ|血|死ぬ|泣け|scary|gory|gore|violen|sexual|frighten|sad\b/iu, 'content'],
  [/読む順|どこから読|順番|スピンオフ|続編|reading order|where (?:do|should) i start|spin-?off|sequel/iu, 'order'],
  [/英語版|日本語版|in english|in japanese|電子|紙の|paperback|digital/iu, 'edition'],
  [/あらすじ|どんな話|内容|ストーリー|synopsis|what.s it about|story|plot/iu, 'synopsis'],
  [/どんな人|誰向け|who (?:would|will|is it)|for whom/iu, 'audience'],
]

function factsOf({ facts }: Reading, words: string): readonly AskedFact[] {
  // The price of a volume is stated with that of all of them.
  if (facts.includes('price')) return facts.filter((fact) => fact !== 'total')
  if (facts.length > 0 && !(facts.length === 1 && facts[0] === 'other')) return facts
  const found = FACT_WORDS.find(([pattern]) => pattern.test(words))?.[1]
  return found === undefined ? facts : [found]
}

function comparing(understood: Understood): Intent {
  const { reading, state, before } = understood
  const meant = referred(reading, before)
  const pool = meant.length > 1 ? meant : uniqueOf([...meant, ...state.focus, ...(meant.length === 1 ? [] : before.list)])
  const ids = (pool.length > 1 ? pool : uniqueOf([...pool, ...before.list])).slice(0, SHOWN_MAX)
  const measures = relativeMeasures(reading)
  if (ids.length === 0) {
    const missing = unstockedName(reading)
    return missing === undefined ? { kind: 'ask', what: 'series' } : unstocked(understood, missing)
  }
  return ids.length === 1 ? { kind: 'introduce', ids, isGuessed: false } : { kind: 'compare', ids, measures }
}

const WHO = /作者(?:は|って|誰|だれ)|誰|だれ|\bwho\b/iu
const OTHER_WORKS = /ほか|他|別|もっと|同じ|other|else|also|more|another|same/iu
const ARTIST = /作画|絵(?:を|の|描)|画を|illustrat|artist|\bart\b|drew|draws/iu
const WRITER = /原作|脚本|ストーリー(?:を|の)|writer|wrote|story by/iu

function works(understood: Understood): Intent {
  const { before, reading, state, words } = understood
  if (WHO.test(words) && !OTHER_WORKS.test(words) && reading.by.length === 0)
    return informing({ ...understood, reading: { ...reading, facts: ['author'] } })
  const part = ARTIST.test(words) ? 'artist' : WRITER.test(words) ? 'writer' : 'any'
  const named = reading.series.find(({ id }) => id !== undefined)?.id
  const of = named ?? (reading.by.length > 0 ? undefined : subjectOf(reading, before)[0])
  const quest = { ...questOf(understood), text: '' }
  if (of === undefined && reading.by.length === 0) {
    const missing = unstockedName(reading)
    return missing === undefined ? { kind: 'ask', what: 'series' } : unstocked(understood, missing)
  }
  return { kind: 'works', people: reading.by, part, quest, ...(of === undefined ? {} : { of }) }
}

function explaining({ reading, state, before }: Understood): Intent {
  const meant = referred(reading, before)
  const ids = meant.length > 0 ? meant : state.focus.length > 0 ? state.focus : before.list
  return ids.length === 0 ? { kind: 'ask', what: 'series' } : { kind: 'explain', ids: ids.slice(0, SHOWN_MAX) }
}

/** A statement of taste is answered with suggestions as soon as there is something to go by. */
function told(understood: Understood): Intent {
  const { reading, state, before } = understood
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  if (before.previous === 'service' && reading.orderId !== undefined) return { kind: 'person', ...order }
  const { want, like, by, publishedIn, limits, audience } = state.conditions
  const isOnlyRead = reading.series.some(({ role }) => role === 'read') && reading.want.length + reading.avoid.length === 0
  const hasSomething =
    want.length + like.length + by.length + publishedIn.length > 0 ||
    Object.keys(limits).length > (limits.age === undefined ? 0 : 1) ||
    (limits.age !== undefined && before.previous !== 'none') ||
    (isOnlyRead && like.length > 0)
  if (reading.plot !== '' && reading.want.length === 0) return { kind: 'identify', quest: questOf(understood, { isPlot: true }) }
  if (hasSomething || before.list.length > 0) {
    const quest = questOf(understood)
    // What was shown and still fits may be shown again after a new condition.
    return { kind: 'suggest', quest: { ...quest, exclude: uniqueOf([...state.hated, ...state.read, ...like]) }, occasion: 'noted' }
  }
  if (limits.age !== undefined || audience !== undefined || state.conditions.avoid.length > 0)
    return { kind: 'talk', topic: 'noted' }
  if (reading.series.some(({ id, role }) => id !== undefined && role === 'title')) return titled(understood)
  return { kind: 'ask', what: 'taste' }
}

/** A yes without an offer: to the series that is talked about. */
function accepted(understood: Understood): Intent {
  const { state, reading, before } = understood
  if (reading.want.length + reading.avoid.length + Object.keys(reading.limits).length > 0) return recommending(understood)
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
    return { kind: 'suggest', quest: { ...quest, exclude: uniqueOf([...quest.exclude, ...before.seen]) }, occasion: 'declined' }
  }
  return { kind: 'talk', topic: 'declined' }
}

function choiceOf({ reading, state, before }: Understood): readonly string[] {
  const meant = referred(reading, before)
  if (meant.length > 0) return meant
  const named = reading.series.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (named.length > 0) return named
  if (state.focus.length > 0) return state.focus
  return before.page !== undefined && before.list.length === 0 ? [before.page] : before.list
}

const CHANGE = /変更|変えたい|追加|住所|change|edit|address|add .{0,20}to my order/iu
const CANCEL = /キャンセル|取り消|取消|cancel/iu
const REFUND = /返金|返品|refund|money back|return/iu

function orderTopic(words: string): OrderTopic {
  if (CANCEL.test(words)) return 'cancel'
  if (REFUND.test(words)) return 'refund'
  return CHANGE.test(words) ? 'change' : 'status'
}

const GRIEVANCE_WORDS: readonly (readonly [RegExp, Extract<Intent, { kind: 'complaint' }>['grievance']])[] = [
  [/届か|来ない|遅|待って|late|not (?:here|arrived)|hasn.t (?:come|arrived)|where is|still waiting|weeks?/iu, 'late'],
  [/破れ|折れ|傷|汚れ|濡れ|ページが(?:抜け|ない)|落丁|乱丁|damag|torn|ripped|wet|bent|missing pages?/iu, 'damaged'],
  [/違う(?:本|巻|商品)|間違|wrong/iu, 'wrong'],
  [/足りな|入ってな|一冊ない|missing/iu, 'missing'],
  [/請求|二重|引き落と|課金|charged|twice|overcharg/iu, 'charge'],
]

function complaining({ reading, state, words, before }: Understood): Intent {
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  const [stated] = reading.grievances
  const grievance = stated ?? GRIEVANCE_WORDS.find(([pattern]) => pattern.test(words))?.[1]
  if (grievance !== undefined) return { kind: 'complaint', grievance, ...order }
  return { kind: 'complaint', grievance: before.previous === 'list' || before.previous === 'one' ? 'answer' : 'other', ...order }
}

/** Words that were not understood are searched; only sounds and signs are asked about. */
function unclear(understood: Understood, before: DialogueState): Intent {
  const { words } = understood
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  const isWords = letters >= (detectLanguage(words) === 'ja' ? 3 : 6)
  if (isWords && before.previous !== 'service')
    return { kind: 'identify', quest: { ...questOf(understood, { isPlot: true }), text: words } }
  return { kind: 'talk', topic: 'unclear' }
}
