// What a shopper's message says by itself: its act, what it asks, and the words that carry wishes, limits and names.
// `read` derives it from the message and the kind of the assistant's last message; the dialogue adds the earlier turns.
import type { Language } from '@mangaassist/protocol'

/** The kind of the assistant's last message: it decides what "yes" or "the second one" can mean. */
export const PREVIOUS = ['none', 'list', 'one', 'offer', 'asked', 'faq', 'service', 'talk'] as const
export type Previous = (typeof PREVIOUS)[number]

/** The main thing that the shopper wants now. */
export const ACTS = [
  'recommend',
  'find',
  'title',
  'fact',
  'compare',
  'author',
  'why',
  'tell',
  'yes',
  'no',
  'choose',
  'buy',
  'order',
  'complaint',
  'person',
  'faq',
  'identity',
  'help',
  'language',
  'greet',
  'thanks',
  'bye',
  'smalltalk',
  'abuse',
  'unclear',
] as const
export type Act = (typeof ACTS)[number]

/** What a `fact` asks about series. */
export const FACTS = [
  'status',
  'volumes',
  'price',
  'total',
  'stock',
  'release',
  'author',
  'magazine',
  'publisher',
  'year',
  'age',
  'content',
  'anime',
  'order',
  'edition',
  'synopsis',
  'audience',
  'ending',
  'popularity',
  'other',
] as const
export type AskedFact = (typeof FACTS)[number]

/** How series are compared, or how others should differ from those shown. */
export const MEASURES = ['cheaper', 'shorter', 'longer', 'newer', 'older', 'easier', 'darker', 'better'] as const
export type Measure = (typeof MEASURES)[number]

/** What a `recommend` changes: others than shown, fewer of them, conditions dropped, or anything at all. */
export const CHANGES = ['others', 'fewer', 'relax', 'surprise'] as const
export type Change = (typeof CHANGES)[number]

export const GRIEVANCES = ['late', 'damaged', 'wrong', 'missing', 'answer', 'charge'] as const
export type Grievance = (typeof GRIEVANCES)[number]

/** Words with a role. Positions are in UTF-16 units of the message. */
export interface Span {
  readonly role: Role
  readonly text: string
  readonly from: number
  readonly to: number
}

export const ROLES = [
  'title',
  'like',
  'read',
  'hate',
  'by',
  'notby',
  'in',
  'notin',
  'want',
  'avoid',
  'allow',
  'plot',
  'total<',
  'each<',
  'each>',
  'vols<',
  'vols>',
  'vols=',
  'year<',
  'year>',
  'age',
  'vol',
  'orderid',
  'count',
  'finished',
  'running',
  'instock',
  'for',
  'demo',
  'cmp',
  'ref:1',
  'ref:2',
  'ref:3',
  'ref:4',
  'ref:last',
  'ref:it',
  'ref:both',
  'ref:all',
  'ref:other',
  'ref:page',
] as const
export type Role = (typeof ROLES)[number]

/** A series that the message names, and why: asked about, to resemble, already read, or disliked. */
export interface NamedSeries {
  readonly role: 'title' | 'like' | 'read' | 'hate'
  readonly text: string
  /** Absent when the shop does not have it. */
  readonly id?: string
  /** The name was written with an error, and `id` is the likeliest series. */
  readonly guessed?: true
}

/** A quality of a series: what the shopper wrote, and the keys of genres, moods, content and readership that it means. */
export interface Aspect {
  readonly text: string
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  readonly content: readonly string[]
}

/** Conditions on numbers, dates and availability. */
export interface Limits {
  readonly totalYenMax?: number
  readonly volumeYenMax?: number
  readonly volumeYenMin?: number
  readonly volumesMax?: number
  readonly volumesMin?: number
  readonly yearFrom?: number
  readonly yearTo?: number
  readonly status?: 'completed' | 'running' | 'hiatus'
  readonly inStock?: true
  /** The age of the reader in years. */
  readonly age?: number
  readonly demographic?: string
}

export type Referent = '1' | '2' | '3' | '4' | 'last' | 'it' | 'both' | 'all' | 'other' | 'page'

/** The entry of the FAQ that a message asks for, if it asks the shop. */
export interface AskedPolicy {
  readonly id: string
  /** Hardly another entry can be meant. */
  readonly isSure: boolean
  /** Words and act together say that the shop is asked, and for this. */
  readonly isAsked: boolean
}

export interface Reading {
  readonly language: Language
  readonly act: Act
  /** From 0 to 1: how much likelier the act is than all others. */
  readonly sureness: number
  /** The second likeliest act. */
  readonly otherwise: Act
  readonly facts: readonly AskedFact[]
  readonly measures: readonly Measure[]
  readonly changes: readonly Change[]
  readonly grievances: readonly Grievance[]
  /** Rarely recognised, and used by nothing: `complexity/judge.ts` judges how complex a message is. */
  readonly isComplex: boolean
  /** The answer depends on the shopper's own data, so that it must not be shared. */
  readonly isPersonal: boolean
  readonly spans: readonly Span[]
  readonly series: readonly NamedSeries[]
  /** Japanese names of authors. */
  readonly by: readonly string[]
  readonly notBy: readonly string[]
  /** Japanese names of magazines and publishers. */
  readonly publishedIn: readonly string[]
  readonly notPublishedIn: readonly string[]
  readonly want: readonly Aspect[]
  readonly avoid: readonly Aspect[]
  /** Dislikes and conditions that are taken back. */
  readonly allow: readonly Aspect[]
  /** The half-remembered story, as written; empty when the message has none. */
  readonly plot: string
  readonly limits: Limits
  readonly referents: readonly Referent[]
  /** The number of a single volume. */
  readonly volume?: number
  readonly orderId?: string
  /** How many suggestions or copies. */
  readonly count?: number
  /** For whom, as written: 「娘」, "my boyfriend". */
  readonly audience?: string
  readonly faq?: AskedPolicy
  /** The language that the shopper asks to be answered in. */
  readonly answerIn?: Language
  /** Despair or danger to the shopper: it needs an answer of its own. */
  readonly isDistressed?: true
}
