// Reads a message: names of the catalogue first, then the learned act and roles, then the exact values of numbers, keys
// and names. Pure: the same words with the same catalogue and model always give the same Reading.
import type { Language } from '@mangaassist/protocol'
import type { FaqEntry, Product } from '../catalogue/catalogue.ts'
import { faqIndex } from '../catalogue/faq-index.ts'
import type { FaqIndex, FaqMatch } from '../catalogue/faq-match.ts'
import type { WordVectors } from '../retrieval/word-vectors.ts'
import { orderIdIn, withPlainNumbers } from '../text/order-ids.ts'
import { foldedPrefix } from '../text/words.ts'
import { aspectOf, demographicIn, dislikeOf, isNamedKey } from './aspects.ts'
import { contradicts, dislikedLimit, limitsOf } from './limits.ts'
import { faqMatched } from './model/faq-matches.ts'
import type { Flag, Judged, UnderstandingModel } from './model/model.ts'
import { tokensOf } from './model/tokens.ts'
import { namesOf } from './names.ts'
import type { Mention, Names } from './names.ts'
import { numberIn } from './numbers.ts'
import { plausibleSpans } from './plausible-spans.ts'
import { deniedNames, withPolarity } from './polarity.ts'
import type { IsWord } from './spelling.ts'
import { withStatedLimits } from './stated-limits.ts'
import { CHANGES, FACTS, GRIEVANCES, MEASURES } from './reading.ts'
import type { Act, Aspect, NamedSeries, Previous, Reading, Referent, Role, Span } from './reading.ts'

/** What is needed of the catalogue to read messages. Built once for each edition. */
export interface Lexicon {
  readonly names: Names
  readonly faq: FaqIndex
}

/** A plain list of FAQ entries is matched by words only. With `vectors`, everyday words are distinguished from names. */
export function buildLexicon(
  products: readonly Product[],
  faq: readonly FaqEntry[] | FaqIndex,
  vectors?: WordVectors,
): Lexicon {
  return { names: namesOf(products, isWordOf(vectors), isCommonOf(vectors)), faq: 'match' in faq ? faq : faqIndex(faq) }
}

export const isWordOf = (vectors: WordVectors | undefined): IsWord | undefined =>
  vectors === undefined ? undefined : (word) => vectors.find(word) !== -1

/** A rarer word may name a series by itself. */
const COMMON_BELOW = 0.97
export const isCommonOf = (vectors: WordVectors | undefined): IsWord | undefined =>
  vectors === undefined
    ? undefined
    : (word) => {
        const row = vectors.find(word)
        return row !== -1 && vectors.weight(row) < COMMON_BELOW
      }

export interface MessageToRead {
  readonly message: string
  readonly language: Language
  readonly previous: Previous
}

/** A question is shorter; the rest of a long message is for the model alone. */
const READ_UNITS_MAX = 600

export function read(
  { message, language, previous }: MessageToRead,
  lexicon: Lexicon,
  model: UnderstandingModel,
): Reading {
  const written = foldedPrefix(message, READ_UNITS_MAX).normalize('NFKC')
  const text = yearsInDigits(withPlainNumbers(written))
  const mentions = lexicon.names.find(text)
  const end = endOfWords(text)
  const tokens = tokensOf(text, mentions).filter(({ from }) => from < end)
  const words = withoutTitles(text, mentions)
  const faq = lexicon.faq.match(words, language)
  const judged = model.judge({ tokens, previous, words, faq: faqMatched(faq) })
  const judgedSpans = withPolarity(text, plausibleSpans(text, tokens, judged.spans))
  const marked = STATES_TASTE.has(judged.act) ? [...judgedSpans, ...deniedNames(text, judgedSpans)] : judgedSpans
  const spans = ASKS_OTHERWISE.has(judged.act) ? marked : withStatedLimits(text, marked)
  const of = (...roles: readonly Role[]) => spans.filter(({ role }) => roles.includes(role))
  const flagged = <Name extends Flag>(names: readonly Name[]) => names.filter((name) => judged.flags.includes(name))
  const limits = limitsOf(spans)
  const people = peopleOf({ text, spans, mentions, act: judged.act })
  const series = seriesOf({ text, spans, mentions, act: judged.act, names: lexicon.names })
  const volume = numberOf(of('vol'))
  const count = numberOf(of('count'))
  const storeId = orderIdIn(written)
  const orderId = storeId ?? /[\w-]*\d[\w-]*/u.exec(of('orderid')[0]?.text ?? '')?.[0]
  const audience = of('for')[0]?.text
  const answerIn = judged.act === 'language' ? languageWished(text) : undefined
  return {
    language,
    act: actBeside(isOfPlace(judged.act, people, series) ? 'recommend' : judged.act, storeId),
    sureness: judged.sureness,
    otherwise: judged.otherwise,
    facts: flagged(FACTS),
    measures: flagged(MEASURES).filter((measure) => !contradicts(measure, limits)),
    changes: flagged(CHANGES),
    grievances: flagged(GRIEVANCES),
    isComplex: judged.flags.includes('complex'),
    isPersonal: judged.flags.includes('personal'),
    spans,
    series,
    ...people,
    want: wished(judged, spans)
      .filter(({ from }) => text[from - 1] !== '『')
      .map((span) => aspectOf(span.text)),
    avoid: disliked(judged.act === 'find' ? outsideStory(text, of('avoid'), of('plot')) : of('avoid')),
    allow: of('allow').map((span) => aspectOf(span.text)),
    plot: of('plot')
      .map((span) => span.text)
      .join(' '),
    limits,
    referents: [...new Set(spans.flatMap(({ role }) => (role.startsWith('ref:') ? [role.slice(4) as Referent] : [])))],
    ...(volume === undefined ? {} : { volume }),
    ...(count === undefined ? {} : { count }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(audience === undefined ? {} : { audience }),
    ...(faq === undefined ? {} : { faq: { id: faq.entry.id, isSure: faq.sure, isAsked: isAsked(faq, judged) } }),
    ...(answerIn === undefined ? {} : { answerIn }),
    ...(DISTRESS.test(text.toLowerCase()) ? { isDistressed: true as const } : {}),
  }
}

/** A full stop at the end may as well be left out, and so may a question mark after words that ask or request by themselves. */
function endOfWords(text: string): number {
  let end = text.length
  while (/[。.!?\s]/u.test(text[end - 1] ?? '')) end -= 1
  const mark = text.lastIndexOf('?')
  return mark < end || ASKS_BY_WORDS.test(text.slice(0, end)) ? end : mark + 1
}
const ASKS_BY_WORDS = /(?:て|ください|いくら|いつ|誰|どこ|どれ|どっち|どちら|何[巻冊話]?|どんな.{1,6})$/u

/** Who writes the id of an order speaks of that order. */
const actBeside = (act: Act, storeId: string | undefined): Act =>
  storeId === undefined || OF_ORDERS.has(act) ? act : 'order'
const OF_ORDERS: ReadonlySet<Act> = new Set(['order', 'complaint', 'person', 'faq'])

/** 「一九九〇年」 is 1990年, with as many characters. */
const yearsInDigits = (text: string): string =>
  text.replaceAll(/[〇一二三四五六七八九]{4}(?=年)/gu, (year) =>
    [...year].map((digit) => '〇一二三四五六七八九'.indexOf(digit)).join(''),
  )

/** "Something lighter" compares by no measure: it is a wish. So is a readership that is none: 「BL」. */
function wished({ act, flags }: Judged, spans: readonly Span[]): readonly Span[] {
  const isMeasured = act !== 'recommend' || MEASURES.some((measure) => flags.includes(measure))
  const isWish = ({ role, text }: Span) =>
    role === 'want' || (role === 'cmp' && !isMeasured) || (role === 'demo' && demographicIn(text) === undefined)
  return spans.filter(isWish)
}

/** A described story has no dislikes: 「戦争」 in it is what happens there. A sentence of its own states one. */
function outsideStory(text: string, avoid: readonly Span[], plot: readonly Span[]): readonly Span[] {
  if (plot.length === 0) return []
  const ends = [...text.matchAll(/[.!?。！？](?:\s|$)|[。！？]/gu)].map(({ index }) => index)
  const sentenceOf = ({ from }: Span) => ends.filter((end) => end < from).length
  return avoid.filter((span) => !plot.some((story) => sentenceOf(story) === sentenceOf(span)))
}

/** What is disliked of the story; 「古い」 or "unfinished" is a limit. */
const disliked = (spans: readonly Span[]): readonly Aspect[] =>
  spans
    .map(({ text }) => ({ aspect: dislikeOf(text), limit: dislikedLimit(text) }))
    .flatMap(({ aspect, limit }) => (limit === undefined || aspect.content.length > 0 ? [aspect] : []))

/** The surer the entry, the less the act must speak for the shop's service. */
function isAsked({ probability }: FaqMatch, { service }: Judged): boolean {
  return ASKED.some(([entryMin, serviceMin]) => probability >= entryMin && service >= serviceMin)
}

const ASKED = [
  [0.3, 0.5],
  [0.5, 0.2],
  [0.75, 0.08],
  [0.92, 0.04],
] as const

/** Acts in which a dislike is stated. */
const STATES_TASTE: ReadonlySet<Act> = new Set(['recommend', 'tell', 'no'])

/** A number in such a message is part of a question, and no condition. */
const ASKS_OTHERWISE: ReadonlySet<Act> = new Set(['fact', 'buy', 'order', 'complaint', 'person', 'faq'])

/** The words of a title are no words of a question to the shop. */
export function withoutTitles(text: string, mentions: readonly Mention[]): string {
  const titles = mentions.filter(({ kind }) => kind === 'title')
  return titles.reduceRight((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, text)
}

const DISTRESS =
  /自殺したい|死にたい|消えてしまいたい|生きていたくない|生きるのがつらい|\b(?:i (?:just )?(?:want|wanna) (?:to )?die(?! laughing)|kill myself|end my life|suicidal|don't want to live)\b/u

function languageWished(text: string): Language | undefined {
  if (/英語|english|eigo/iu.test(text))
    return /(?:英語|english).{0,12}(?:わから|読め|できな|don't|can't|cannot)|(?:don't|can't|cannot|no) .{0,20}english/iu.test(
      text,
    )
      ? 'ja'
      : 'en'
  if (/日本語|japanese|nihongo/iu.test(text))
    return /(?:日本語|japanese).{0,12}(?:わから|読め|できな|don't|can't|cannot)|(?:don't|can't|cannot|no) .{0,20}japanese/iu.test(
      text,
    )
      ? 'en'
      : 'ja'
  return undefined
}

const numberOf = (spans: readonly Span[]): number | undefined =>
  spans.map(({ text }) => numberIn(text)).find((number) => number !== undefined)

const overlaps = (a: { from: number; to: number }, b: { from: number; to: number }): boolean =>
  a.from < b.to && b.from < a.to

const SERIES_ROLES = ['title', 'like', 'read', 'hate'] as const
const isSeriesRole = (role: Role): role is NamedSeries['role'] => (SERIES_ROLES as readonly Role[]).includes(role)

interface Context {
  readonly spans: readonly Span[]
  readonly mentions: readonly Mention[]
  readonly act: Act
}

/** Names of the catalogue with the role of their words; and words with such a role that the catalogue does not have. */
function seriesOf({
  text: message,
  spans,
  mentions,
  act,
  names,
}: Context & { readonly text: string; readonly names: Names }): readonly NamedSeries[] {
  const titles = mentions.filter(({ kind }) => kind === 'title')
  const found = titles.flatMap((mention): (NamedSeries & { from: number })[] => {
    const around = spans.find((span) => overlaps(span, mention))
    // A title inside a remembered plot is a word there, and so is one inside a longer dislike.
    if (around?.role === 'plot') return []
    if (around?.role === 'avoid' && around.to - around.from > mention.to - mention.from + 1) return []
    const role =
      around?.role === 'avoid'
        ? 'hate'
        : around !== undefined && isSeriesRole(around.role)
          ? around.role
          : act === 'recommend'
            ? 'like'
            : 'title'
    const id = mention.means[0]
    const guessed = mention.guessed === true ? { guessed: true as const } : {}
    return id === undefined
      ? []
      : [{ role, text: around?.text ?? message.slice(mention.from, mention.to), id, ...guessed, from: mention.from }]
  })
  const unknown = spans.flatMap((span): (NamedSeries & { from: number })[] => {
    if (!isSeriesRole(span.role) || titles.some((mention) => overlaps(span, mention))) return []
    // A misspelt title is guessed, the name of a genre is none: 「バレーボール」.
    const id = isNamedKey(span.text) ? undefined : names.guess(span.text)
    if (id === undefined && isNamedKey(span.text)) return []
    const { role, text, from } = span
    return [id === undefined ? { role, text, from } : { role, text, id, guessed: true, from }]
  })
  // Double corner brackets stand around titles alone.
  const quoted = [...message.matchAll(/『([^』]{1,40})』/gu)].flatMap(
    ({ 1: text = '', index: from }): (NamedSeries & { from: number })[] => {
      const name = { from, to: from + text.length + 2 }
      if ([...titles, ...spans.filter(({ role }) => isSeriesRole(role))].some((other) => overlaps(other, name)))
        return []
      return [{ role: act === 'recommend' ? 'like' : 'title', text, from }]
    },
  )
  const seen = new Set<string>()
  return [...found, ...unknown, ...quoted]
    .sort((a, b) => a.from - b.from)
    .filter(({ id, text }) => !seen.has(id ?? text) && seen.add(id ?? text))
    .map(({ from: _, ...series }) => series)
}

function peopleOf({ text, spans, mentions, act }: Context & { readonly text: string }): People {
  const meant = (kind: Mention['kind'], role: Role, isDefault: (mention: Mention) => boolean) => [
    ...new Set(
      mentions
        .filter((mention) => mention.kind === kind)
        .filter((mention) => {
          const around = spans.find((span) => overlaps(span, mention))
          return around === undefined ? isDefault(mention) : around.role === role
        })
        .flatMap(({ means }) => means),
    ),
  ]
  const wishes = act === 'recommend' || act === 'author' || act === 'find'
  return {
    by: [...meant('person', 'by', () => wishes), ...(act === 'find' ? [] : unknownNames(spans, mentions, 'by'))],
    notBy: [
      ...meant('person', 'notby', () => false),
      ...meant('person', 'hate', () => false),
      ...meant('person', 'avoid', () => false),
    ],
    publishedIn: meant('magazine', 'in', (mention) => !OF_SERVICE.has(act) && isNamedAsPlace(mention, text)),
    notPublishedIn: meant('magazine', 'notin', () => false),
  }
}

/** Words of every day are names of magazines too: "good afternoon", "back to books", "Margaret's son". */
function isNamedAsPlace({ from, to }: Mention, text: string): boolean {
  if (!/^[\p{Script=Latin}\d\s!'’&.-]+$/u.test(text.slice(from, to))) return true
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const isAlone = /^[\s"'“「]*$/u.test(before) && /^[\s"'”」?!.]*$/u.test(after)
  return isAlone || PLACE_BEFORE.test(before) || PLACE_AFTER.test(after)
}
const PLACE_BEFORE =
  /(?:\b(?:in|from|by|of|published|serialised|serialized|ran|magazines?|publishers?|called|any|other|more|some|best|good|old|classic|current|new|weekly|monthly|shou?nen)\s+(?:the\s+)?["'“]?|[、。\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s*)$/iu
const PLACE_AFTER =
  /^["'”]?\s*(?:(?:magazine|manga|series|titles?|stuff|books|works|comics|label|imprint|author|artist|hits?|classics?|readers?)\b|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/iu

type People = Pick<Reading, 'by' | 'notBy' | 'publishedIn' | 'notPublishedIn'>

/** A magazine or publisher and nothing else that is named asks for what it publishes, however few the words are. */
const isOfPlace = (act: Act, { publishedIn, by }: People, series: readonly NamedSeries[]): boolean =>
  publishedIn.length > 0 && by.length === 0 && series.length === 0 && MAY_BE_OF_PLACE.has(act)
const MAY_BE_OF_PLACE: ReadonlySet<Act> = new Set([
  'greet',
  'smalltalk',
  'unclear',
  'thanks',
  'bye',
  'title',
  'author',
  'tell',
])

/** Acts in which the name of a publisher is no wish. */
const OF_SERVICE: ReadonlySet<Act> = new Set(['fact', 'faq', 'order', 'complaint', 'person', 'buy'])

const NAME = /^(?:\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*|[\p{Script=Han}\p{Script=Katakana}ー・]{2,}(?:先生|さん)?)$/u

/** Authors that the catalogue does not have. */
function unknownNames(spans: readonly Span[], mentions: readonly Mention[], role: Role): readonly string[] {
  return spans
    .filter(
      (span) => span.role === role && NAME.test(span.text) && !mentions.some((mention) => overlaps(span, mention)),
    )
    .map(({ text }) => text.replace(/(?:先生|さん)$/u, ''))
}
