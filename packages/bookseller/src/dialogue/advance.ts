// How a message changes the state: wishes are added or replaced, dislikes and limits stay until they are taken back.
import { fold, foldedPrefix } from '../text/words.ts'
import { aspectOf } from '../understanding/aspects.ts'
import type { Act, Aspect, Limits, Measure, Reading } from '../understanding/reading.ts'
import { isNewRequest } from './asking/new-request.ts'
import { isForOther, isFromOther, withoutOtherRequest } from './asking/other-request.ts'
import type { Conditions } from './conditions.ts'
import { defined } from './conditions.ts'
import { referred, subjectOf } from './referring/referred.ts'
import { withoutDropped } from './repairing/dropped-wishes.ts'
import { CONDITIONS_MAX } from './state.ts'
import type { DialogueState } from './state.ts'

const READ_MAX = 60
/** Longer messages are read up to this many UTF-16 units. */
const READ_UNITS_MAX = 600
const ADULT_FROM = 18
const FOR_ONESELF = /自分用|自分で読|自分が読|自分の(?:ため|分)|for myself|for me\b|my own reading/iu
const REFINING = /もっと|もう少し|より|けど|ただ|\bmore\b|\bless\b|\bbut\b|\bonly\b/iu
const AS_WELL =
  /も(?:あ|ほし|欲し|入|いい|好|含)|さらに|加えて|それと|しかも|\balso\b|\btoo\b|as well|\bplus\b|on top/iu

const SIMILAR =
  /似た|似て|にた(?=の|やつ|よう|かんじ|感じ|まんが|漫画|マンガ|さくひん|作品)|同じような|\bsimilar\b|\blike (?:it|this|that|those|these)\b/iu

/** What each kind of condition is called when a shopper takes it back. */
const TAKEN_BACK: readonly (readonly [RegExp, readonly (keyof Limits)[]])[] = [
  [
    /price|budget|cost|money|expensive|yen|¥|spend|予算|値段|金額|価格|いくら|高く|高い|円/iu,
    ['totalYenMax', 'volumeYenMax', 'volumeYenMin'],
  ],
  [/length|long|short|volume|長|短|巻|冊/iu, ['volumesMax', 'volumesMin']],
  [/finish|complete|running|ongoing|unfinished|完結|連載|未完/iu, ['status']],
  [/\bold|\bnew|year|recent|古|新し|年代|最近/iu, ['yearFrom', 'yearTo']],
  [/stock|在庫|取り寄せ/iu, ['inStock']],
  [/shou?nen|shou?jo|seinen|josei|少年|少女|青年|女性/iu, ['demographic']],
  [/\bage\b|adult|grown|年齢|大人/iu, ['age']],
]
const EVERYTHING =
  /forget (?:all|everything|the condition|my condition)|start over|条件(?:は|を)?(?:全部|すべて)?(?:なし|なく|忘れ|リセット|外)/iu

export function advance(state: DialogueState, reading: Reading, message: string): DialogueState {
  const { series } = reading
  const ids = (role: (typeof series)[number]['role']) =>
    series.flatMap((named) => (named.role === role && named.id !== undefined ? [named.id] : []))
  const read = uniqueOf([...state.read, ...ids('read')]).slice(-READ_MAX)
  const hated = uniqueOf([...state.hated, ...ids('hate')]).slice(-READ_MAX)
  const unknown = series.find(({ id, role }) => id === undefined && (role === 'title' || role === 'like'))
  const { unstocked: _, compared: __, ...rest } = state
  const orderId = reading.orderId ?? state.orderId
  const agreed = reading.answerIn ?? state.agreed
  return {
    ...rest,
    conditions: conditionsAfter(state, reading, { message, ids }),
    read,
    hated,
    focus: focusAfter(state, reading),
    ...(unknown === undefined ? {} : { unstocked: unknown.text }),
    ...defined({ orderId, agreed, compared: comparedAfter(state, reading, message) }),
  }
}

/** "Cheaper ones" stays in force while only others, or details, are asked for. */
function comparedAfter(state: DialogueState, reading: Reading, message: string): DialogueState['compared'] {
  const { act, changes } = reading
  const measures = relativeMeasures(reading)
  // 「一番安い漫画」 is the cheapest of all.
  if (act === 'recommend' && measures.length > 0 && SUPERLATIVE.test(message)) return { measures, than: [] }
  const isFrom = isFromOther(reading, state.conditions, message)
  const than = isFrom ? likedIn(reading) : state.list.length > 0 ? state.list : state.focus
  if ((act === 'recommend' || act === 'author') && measures.length > 0 && than.length > 0) return { measures, than }
  const isOther = reading.want.length + reading.series.length > 0 || reading.plot !== '' || reading.by.length > 0
  const isNewWish = (act === 'recommend' && isOther && !changes.includes('others')) || act === 'find'
  return isNewWish || isForOther(reading, state.conditions, message) ? undefined : state.compared
}

/** "Like X, but darker": darker than X. */
const likedIn = ({ series }: Reading): readonly string[] =>
  series.flatMap(({ role, id }) => (role === 'like' && id !== undefined ? [id] : []))

const MEASURE_WORDS: readonly (readonly [RegExp, Measure])[] = [
  [/安(?!心|全|定)|手頃|お得|cheap|afford/iu, 'cheaper'],
  [/短(?!大)|少な(?=い|く|め)|\bshort(?:er|est)?\b|\bfewe(?:r|st)\b/iu, 'shorter'],
  [/長(?=い|く|め)|多(?=い|く|め)|\blong(?:er|est)?\b/iu, 'longer'],
  [/新し|最近|\bnew(?:er|est)?\b|\brecent/iu, 'newer'],
  [/古(?=い|く)|昔|\bold(?:er|est)?\b/iu, 'older'],
  [/読みやす|簡単|易し|\beas(?:y|ier|iest)\b|\bsimple/iu, 'easier'],
  [/暗(?=い|く|め)|ダーク|重(?=い|め)|\bdark/iu, 'darker'],
]

/** The measures that words name. */
export const measuresIn = (...texts: readonly string[]): readonly Measure[] =>
  MEASURE_WORDS.flatMap(([words, measure]) => (texts.some((text) => words.test(text)) ? [measure] : []))

const SUPERLATIVE =
  /一番|いちばん|最も|最[安短長新古高]|\b(?:most|least|cheapest|shortest|longest|newest|latest|oldest|easiest|darkest)\b/iu

/** "Cheaper" beside a number is the number; without one it compares with what was shown. */
export function relativeMeasures(reading: Pick<Reading, 'measures' | 'limits' | 'spans'>): readonly Measure[] {
  const { limits, spans } = reading
  const compared = spans.flatMap(({ role, text }) => (role === 'cmp' ? [text] : []))
  const worded = measuresIn(...compared)
  const measures = reading.measures.length > 0 ? reading.measures : worded
  const { totalYenMax, volumeYenMax, volumesMax, volumesMin, yearFrom, yearTo } = limits
  const stated: Readonly<Partial<Record<Measure, readonly unknown[]>>> = {
    cheaper: [totalYenMax, volumeYenMax],
    shorter: [volumesMax],
    longer: [volumesMin],
    newer: [yearFrom],
    older: [yearTo],
  }
  return measures.filter((measure) => !(stated[measure] ?? []).some((limit) => limit !== undefined))
}

function focusAfter(state: DialogueState, reading: Reading): readonly string[] {
  const named = reading.series.flatMap(({ role, id }) => (role === 'title' && id !== undefined ? [id] : []))
  if (named.length > 0) {
    // "…and the other?" compares with what was talked about.
    const withOther = reading.act === 'compare' && named.length === 1 ? [...state.focus.slice(0, 1), ...named] : named
    return uniqueOf(withOther).slice(0, 4)
  }
  if (reading.referents.length === 0) return state.focus
  const meant = referred(reading, state)
  return meant.length > 0 && meant.length <= 2 ? meant : state.focus
}

type IdsOf = (role: 'title' | 'like' | 'read' | 'hate') => readonly string[]

/** Acts whose words are about books; a complaint states no wish. */
const ABOUT_BOOKS: ReadonlySet<Act> = new Set([
  'recommend',
  'find',
  'tell',
  'title',
  'fact',
  'compare',
  'author',
  'why',
  'yes',
  'no',
  'choose',
  'unclear',
])

function conditionsAfter(
  state: DialogueState,
  reading: Reading,
  { message, ids }: { readonly message: string; readonly ids: IdsOf },
): Conditions {
  if (!ABOUT_BOOKS.has(reading.act)) return state.conditions
  const before = withoutOtherRequest(takenBack(state.conditions, reading, message), reading, message)
  const isWish = reading.act === 'recommend' || reading.act === 'find' || reading.act === 'tell'
  const isOwn = FOR_ONESELF.test(message)
  const like = likeAfter(before, reading, { ids, message, subject: subjectOf(reading, state) })
  const disliked = beside(reading.avoid, isWish ? reading.want : [], before.want)
  const avoid = merged(before.avoid, disliked)
  const audience = reading.audience ?? (isOwn ? undefined : before.audience)
  // An age in a described story belongs to its characters, not to the reader.
  const stated = reading.act === 'find' ? omit(reading.limits, ['age']) : reading.limits
  const { age: after, ...limits } = limitsAfter(before.limits, stated)
  // "Nothing for adults" leaves a child a child.
  const isOfAdults = reading.avoid.length > 0 && after === ADULT_FROM - 1 && reading.audience === undefined
  const age = isOfAdults && before.limits.age !== undefined ? Math.min(before.limits.age, ADULT_FROM - 1) : after
  const isWithoutAge = age === undefined || (isOwn && reading.limits.age === undefined)
  return {
    want: without(isWish ? wantAfter(before, reading, message) : before.want, disliked),
    // What is wanted now is no longer disliked.
    avoid: without(avoid, isWish ? reading.want.filter(({ text }) => !sameIn(reading.avoid, text)) : []).slice(
      -CONDITIONS_MAX,
    ),
    like,
    by: byAfter(before, reading, { message, isWish }),
    notBy: uniqueOf([...before.notBy, ...reading.notBy]).slice(-CONDITIONS_MAX),
    publishedIn:
      isWish && (reading.publishedIn.length > 0 || isFresh(reading, message))
        ? reading.publishedIn
        : before.publishedIn,
    notPublishedIn: uniqueOf([...before.notPublishedIn, ...reading.notPublishedIn]).slice(-CONDITIONS_MAX),
    limits: isWithoutAge ? limits : { ...limits, age },
    ...defined({ audience }),
  }
}

/** 「東村さんじゃなくていいので」 takes the author back. */
function byAfter(
  before: Conditions,
  reading: Reading,
  { message, isWish }: { readonly message: string; readonly isWish: boolean },
): readonly string[] {
  if (NEED_NOT_BE.test(message)) return before.by.filter((name) => !reading.by.includes(name))
  return isWish && (reading.by.length > 0 || isFresh(reading, message)) ? reading.by : before.by
}
const NEED_NOT_BE =
  /(?:さん|先生|氏)の?(?:じゃ|で(?:は)?)なくて(?:も)?(?:いい|良い|大丈夫|構)|\b(?:does(?:n['’]t| not)|need(?:n['’]t| not)) (?:have to |need to )?be (?:by|from) /iu

/** A wish for other genres than before is a new wish; a mood, or "also", refines the one before. */
function wantAfter(before: Conditions, reading: Reading, message: string): readonly Aspect[] {
  const { want } = before
  if (reading.want.length === 0)
    return isFresh(reading, message) ? [] : (unmarkedWish(before, reading, message) ?? want)
  if (isNewRequest(reading, message)) return reading.want.slice(-CONDITIONS_MAX)
  const isRefined =
    reading.act === 'tell' ||
    AS_WELL.test(message) ||
    REFINING.test(message) ||
    (reading.want.every(({ genres }) => genres.length === 0) && !reading.want.some(isStoryLike))
  return (isRefined ? merged(want, reading.want) : reading.want).slice(-CONDITIONS_MAX)
}

/** A request in which no wish was marked, and none stands, wishes for the genres and moods that its other words name. */
function unmarkedWish(before: Conditions, reading: Reading, message: string): readonly Aspect[] | undefined {
  const { act, spans, changes, measures, series, by, plot } = reading
  const isOpen =
    act === 'recommend' && changes.length + measures.length + series.length + by.length === 0 && plot === ''
  if (!isOpen || before.want.length + before.like.length + before.by.length > 0) return undefined
  const words = spans.reduce(
    (rest, { text }) => rest.replace(text, ' '),
    foldedPrefix(message, READ_UNITS_MAX).normalize('NFKC'),
  )
  const aspect = aspectOf(words.trim())
  return aspect.genres.length + aspect.moods.length === 0 ? undefined : [aspect]
}

/** A wish that tells what happens stands for itself: 「家族を亡くした人がゆっくり立ち直っていく」. */
const isStoryLike = ({ text }: Aspect): boolean =>
  /\p{Script=Hiragana}/u.test(text) ? text.length >= 14 : text.split(/\s+/u).length >= 7

/** No wish, limit, name or change was recognised: the words themselves are all there is. */
export const saysNothing = ({ spans, want, changes, measures, series, by, publishedIn }: Reading): boolean =>
  [spans, want, changes, measures, series, by, publishedIn].every((list) => list.length === 0)

/** "Like X", a described story, or a request of its own, begins a new search. */
function isFresh(reading: Reading, message: string): boolean {
  const { act, series, plot, want, changes, measures } = reading
  if (isNewRequest(reading, message)) return true
  if (act === 'find' && saysNothing(reading)) return true
  if (changes.includes('surprise') && want.length === 0) return true
  if (changes.length > 0 || measures.length > 0) return false
  return (act === 'recommend' || act === 'find') && (plot !== '' || series.some(({ role }) => role === 'like'))
}

function likeAfter(
  before: Conditions,
  reading: Reading,
  { ids, message, subject }: { readonly ids: IdsOf; readonly message: string; readonly subject: readonly string[] },
): readonly string[] {
  const { act, want, plot, changes, measures, by } = reading
  const { like } = before
  const named = ids('like')
  if (named.length > 0) return named
  // "Something similar" is similar to what is talked about.
  if (act === 'recommend' && SIMILAR.test(message) && subject.length > 0) return subject
  // A request that names a series and wishes for nothing else: "readalikes for X".
  const isBare = want.length === 0 && before.want.length === 0 && changes.length + measures.length === 0 && plot === ''
  if (act === 'recommend' && isBare && like.length === 0 && ids('title').length > 0) return ids('title')
  const read = ids('read')
  // "I have just read X. What next?"
  if (read.length > 0 && want.length === 0 && (act === 'recommend' || (act === 'tell' && like.length === 0)))
    return read
  if (isFresh(reading, message)) return []
  const isElse = (act === 'recommend' && want.length > 0) || act === 'find' || plot !== ''
  const isChanged = changes.length > 0 || measures.length > 0 || REFINING.test(message)
  return (isElse && !isChanged) || by.length > 0 ? [] : like
}

function limitsAfter(before: Limits, now: Limits): Limits {
  const after = { ...before, ...now }
  const { volumesMin, volumesMax, yearFrom, yearTo, ...rest } = after
  const isLength = volumesMin === undefined || volumesMax === undefined || volumesMin <= volumesMax
  const isSpan = yearFrom === undefined || yearTo === undefined || yearFrom <= yearTo
  return {
    ...rest,
    ...(isLength
      ? defined({ volumesMin, volumesMax })
      : defined({ volumesMin: now.volumesMin, volumesMax: now.volumesMax })),
    ...(isSpan ? defined({ yearFrom, yearTo }) : defined({ yearFrom: now.yearFrom, yearTo: now.yearTo })),
  }
}

function takenBack(conditions: Conditions, { allow, changes }: Reading, message: string): Conditions {
  if (EVERYTHING.test(message)) {
    const { age } = conditions.limits
    return { ...conditions, want: [], by: [], publishedIn: [], limits: defined({ age }) }
  }
  const relaxed = changes.includes('relax') ? [withoutKept(message)] : welcomed(message)
  const texts = [...allow.map(({ text }) => text), ...relaxed]
  const dropped = TAKEN_BACK.flatMap(([words, names]) => (texts.some((text) => words.test(text)) ? names : []))
  // "Drop a condition" without naming it: the limits that were stated, but never an age.
  const isBare = changes.includes('relax') && dropped.length === 0 && allow.length === 0
  const limits = isBare ? defined({ age: conditions.limits.age }) : omit(conditions.limits, dropped)
  const want = withoutDropped(conditions.want, message)
  const { audience, ...others } = conditions
  if (audience !== undefined && allow.some(({ text }) => isPartOf(text, audience)))
    return { ...others, want, avoid: without(conditions.avoid, allow), limits: omit(limits, ['age']) }
  return { ...conditions, want, avoid: without(conditions.avoid, allow), limits }
}

/** Without the clauses that say what stays: 「短いのはそのままで」. */
const withoutKept = (message: string): string =>
  message
    .split(/(?<=[。、！!?？,.;])/u)
    .filter((clause) => !KEPT.test(clause))
    .join('')

/** The clauses that no longer mind something: "newer works are welcome", 「長くても大丈夫」. A number there is another limit. */
const welcomed = (message: string): readonly string[] =>
  message.split(/[。、！!?？,.;]/u).filter((clause) => WELCOME.test(clause) && !/\d/u.test(clause))
const WELCOME =
  /\b(?:newer|older|longer|shorter|pricier|dearer|unfinished|ongoing)\b[^,.;]{0,24}\b(?:is|are|would be) (?:fine|ok|okay|welcome|all right|alright)\b|(?:古|新し|長|短|高)くても(?:いい|大丈夫|OK|構)/iu

const KEPT = /そのまま|変わら|変えな|同じ|守っ|忘れないで|\b(?:same|stays?|keep|still|unchanged)\b/iu

/** "Forget my sister" drops the reader. */
function isPartOf(words: string, audience: string): boolean {
  const [a, b] = [fold(words), fold(audience)]
  return a.length > 1 && (b.includes(a) || a.includes(b))
}

/**
 * "Food, but no cooking contests": a dislike inside a wish is matched by its words only, because its genre is wished
 * for. Of two genres, as in "high-school romance", the one that was already wished for is not excluded.
 */
function beside(avoid: readonly Aspect[], now: readonly Aspect[], earlier: readonly Aspect[]): readonly Aspect[] {
  return avoid.map((aspect) => {
    const want = aspect.genres.length > 1 ? [...now, ...earlier] : now
    const keys = new Set(want.flatMap(({ genres, moods }) => [...genres, ...moods]))
    const others = (own: readonly string[]) => own.filter((key) => !keys.has(key))
    return { ...aspect, genres: others(aspect.genres), moods: others(aspect.moods) }
  })
}

/** Without the aspects that mean the same as one of `others`. */
function without(aspects: readonly Aspect[], others: readonly Aspect[]): readonly Aspect[] {
  return aspects.filter((aspect) => !others.some((other) => isSame(aspect, other)))
}

function merged(before: readonly Aspect[], now: readonly Aspect[]): readonly Aspect[] {
  return [...before.filter((aspect) => !sameIn(now, aspect.text)), ...now]
}

const sameIn = (aspects: readonly Aspect[], text: string) => aspects.some((aspect) => fold(aspect.text) === fold(text))

function isSame(a: Aspect, b: Aspect): boolean {
  if (fold(a.text) === fold(b.text)) return true
  const overlaps = (one: readonly string[], other: readonly string[]) => one.some((key) => other.includes(key))
  return overlaps(a.genres, b.genres) || overlaps(a.moods, b.moods) || overlaps(a.content, b.content)
}

export const uniqueOf = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]

function omit(limits: Limits, names: readonly (keyof Limits)[]): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => !names.some((own) => own === name)))
}
