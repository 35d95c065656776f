// One question and its answer as a value, and how each part of an answer changes it. Pure: `conversation.ts` acts on an
// end, and `exchange-view.ts` shows it.
import type { ChatPart } from '@mangaassist/client'
import type { AnswerTier, DoneFrame, MetaFrame, ProductCard, Source, Suggestion } from '@mangaassist/protocol'
import type { chatWords, Say } from '../../i18n.ts'
import type { endedWords } from '../exchange/ended-words.ts'
import { isRateable, rated } from './rating.ts'
import type { Rating } from './rating.ts'

export type Word = keyof typeof chatWords
/** The words that say what kind of answer it is: they are loaded with what shows them. */
type OriginWord = keyof typeof endedWords

/** A card as the catalogue may send it: with genres, its cover has their colours. */
export type Product = ProductCard & { readonly genres?: readonly string[] }

/**
 * What the retry button does: `ask` again, `ask-elsewhere` (in a new conversation), `read` the same answer again, or
 * `resend` a question that may have arrived (with the same key it is answered once).
 */
type Remedy = 'ask' | 'ask-elsewhere' | 'read' | 'resend'

export interface End {
  /** The key of our own text; `text` is the server's. Neither is set when there is no notice. */
  readonly word?: Word
  /** The number for the placeholder of `word`. */
  readonly n?: number
  readonly text?: string
  readonly remedy?: Remedy
  /** The server refuses retries before this. */
  readonly retryAfterMs?: number
  /** The answer is incomplete and can be continued where it ended. */
  readonly goesOn?: boolean
}

/** The earlier turn whose place a turn takes. */
export interface TurnLink {
  /** It was asked again, or with an edited question. */
  readonly replaces?: string | undefined
  /** Its answer was cut off: the new one begins with its text. */
  readonly continues?: string | undefined
}

type Phase =
  /** `held`: the client has not sent the question yet, because the server asked for a pause. */
  /** `thinks`: the model says that it thinks before its first text. */
  | { readonly type: 'waiting'; readonly position?: number; readonly held?: true; readonly thinks?: true }
  | { readonly type: 'streaming' }
  | { readonly type: 'ended'; readonly end: End }

export interface Exchange {
  readonly id: number
  /** Undefined when only the id of the turn is known. */
  readonly question: string | undefined
  readonly turnId: string | undefined
  readonly link: TurnLink
  /** The exchanges that this one was asked in place of, the oldest first. */
  readonly earlier: readonly Exchange[]
  /** When it was asked, in milliseconds since 1970; undefined when it is not known. */
  readonly atMs: number | undefined
  /** Undefined until the server says what kind of answer it is. */
  readonly tier: AnswerTier | undefined
  readonly text: string
  readonly products: readonly Product[]
  /** Follow-ups to choose from, below the last answer. */
  readonly suggestions: readonly Suggestion[]
  readonly sources: readonly Source[]
  readonly phase: Phase
  /** No part has arrived for a while: the panel says that the answer is still being made. */
  readonly silent: boolean
  /** The connection is lost: nothing can arrive, and the answer continues when it is back. */
  readonly offline: boolean
  /** A small note below the answer about what kind of answer it is. */
  readonly origin: readonly OriginWord[]
  /** Texts of the server, such as a warning about the budget. */
  readonly remarks: readonly string[]
  /** How to reach a person of the shop, where the server says that this answer needs one. */
  readonly contact?: string
  /** The reader's thumb; absent where there is no answer to rate. */
  readonly rating?: Rating
}

export function newExchange(id: number, question: string | undefined, turnId?: string): Exchange {
  return {
    id,
    question,
    turnId,
    link: {},
    earlier: [],
    atMs: undefined,
    tier: undefined,
    text: '',
    products: [],
    suggestions: [],
    sources: [],
    phase: { type: 'waiting' },
    silent: false,
    offline: false,
    origin: [],
    remarks: [],
  }
}

export function advance(exchange: Exchange, part: ChatPart): Exchange {
  const current = { ...exchange, silent: false, offline: false }
  switch (part.type) {
    case 'held':
      return { ...current, phase: { type: 'waiting', held: true } }
    case 'accepted':
      return { ...current, turnId: part.turnId, phase: { type: 'waiting' } }
    case 'queued':
      return current.text === '' ? { ...current, phase: { type: 'waiting', position: part.position } } : current
    case 'meta':
      if (part.meta.thinking === true) return { ...current, phase: { type: 'waiting', thinks: true } }
      return { ...current, ...fromMeta(part.meta) }
    case 'text':
      return { ...current, text: current.text.slice(0, part.offset) + part.text, phase: { type: 'streaming' } }
    case 'done':
      return withEnd({ ...current, text: part.text }, part)
  }
}

function withEnd(exchange: Exchange, { done, text, verified }: ChatPart & { type: 'done' }): Exchange {
  if (!verified) return { ...exchange, phase: { type: 'ended', end: damaged } }
  const { rating: _, ...rest } = exchange
  const rating = isRateable({ ...done, text }) ? { rating: rated(null) } : {}
  return { ...rest, ...rating, phase: { type: 'ended', end: endOf(done) } }
}

/** The text that is shown while no part arrives. */
export function waitingWords({ phase, silent, offline }: Exchange, say: Say<typeof chatWords>): string {
  // Never that something is being made: the page cannot know.
  if (offline) return say('waitingOffline')
  if (phase.type === 'waiting' && phase.position !== undefined) return say('queued', phase.position)
  if (phase.type === 'waiting' && phase.held) return say('busy')
  if (phase.type === 'waiting' && phase.thinks) return say('thinksLonger')
  return say(silent ? 'stillWorking' : 'thinking')
}

/** It can be asked again or edited. A deferred question cannot: its answer comes whatever is asked in its place. */
export function isReplaceable({ phase, turnId, question }: Exchange): boolean {
  return phase.type === 'ended' && turnId !== undefined && question !== undefined && phase.end.word !== 'endDeferred'
}

/** The counterpart of `advance` for an error that the client throws instead of an end. */
export function ended(exchange: Exchange, end: End): Exchange {
  return { ...exchange, silent: false, offline: false, phase: { type: 'ended', end } }
}

const damaged: End = { word: 'unverified', remedy: 'read' }

const ends: Record<DoneFrame['finishReason'], End> = {
  stop: {},
  // A blocked answer is itself the text that explains what the assistant can help with.
  blocked: {},
  length: { word: 'endLength', goesOn: true },
  budget: { word: 'endBudget' },
  stopped: { word: 'endStopped', remedy: 'ask', goesOn: true },
  deferred: { word: 'endDeferred' },
  timeout: { word: 'endTimeout', remedy: 'ask', goesOn: true },
  interrupted: { word: 'endInterrupted', remedy: 'ask', goesOn: true },
}

export function endOf({ finishReason, continuable }: Pick<DoneFrame, 'finishReason' | 'continuable'>): End {
  const end = ends[finishReason] ?? {}
  return continuable === false && end.goesOn ? { ...end, remedy: 'ask', goesOn: false } : end
}

/** The label of the kind of answer. Only a model's answer may be called an AI's. */
const tierWords: Record<AnswerTier, OriginWord> = {
  primary: 'tierPrimary',
  economy: 'tierEconomy',
  cached: 'tierCached',
  faq: 'tierFaq',
  message: 'tierMessage',
  embedded: 'tierEmbedded',
}

/** The kind of answer, and a mark if it is below the first choice. */
export function originOf({
  tier,
  degraded,
  sources = [],
}: Pick<MetaFrame, 'tier' | 'degraded'> & { readonly sources?: readonly Source[] | undefined }): readonly OriginWord[] {
  // The line of sources names the FAQ already.
  if (tier === 'faq' && sources.some(({ kind }) => kind === 'faq')) return []
  if (degraded && tier === 'embedded') return ['tierEmbeddedInstead']
  const isPlain = degraded && tier === 'primary'
  return isPlain ? [tierWords[tier], 'tierReduced'] : [tierWords[tier]].filter((word) => word !== undefined)
}

type FromMeta = Pick<Exchange, 'products' | 'suggestions' | 'sources' | 'origin' | 'remarks' | 'contact' | 'tier'>

function fromMeta(meta: MetaFrame): FromMeta {
  return {
    tier: meta.tier,
    products: meta.products,
    suggestions: meta.suggestions ?? [],
    sources: meta.sources ?? [],
    origin: [...originOf(meta), ...(meta.unsaved ? ['unsaved' as const] : [])],
    remarks: meta.warning === undefined ? [] : [meta.warning],
    ...(meta.contact === undefined ? {} : { contact: meta.contact }),
  }
}
