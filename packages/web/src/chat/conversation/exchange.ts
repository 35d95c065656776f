// One question and its answer as a value, and how each part of an answer changes it. Pure: `conversation.ts` acts on an
// end, and `exchange-view.ts` shows it.
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame, MetaFrame, ProductCard, Source, Suggestion } from '@mangaassist/protocol'
import type { chatWords, Say } from '../../i18n.ts'
import { isRateable, rated } from './rating.ts'
import type { Rating } from './rating.ts'

export type Word = keyof typeof chatWords

/** A card as the catalogue may send it: with genres, its cover has their colours. */
export type Product = ProductCard & { readonly genres?: readonly string[] }

/**
 * What the retry button does: `ask` again, `ask-elsewhere` (in a new conversation), `read` the same answer again, or
 * `resend` a question that may have arrived (with the same key it is answered once).
 */
type Remedy = 'ask' | 'ask-elsewhere' | 'read' | 'resend'

export interface End {
  /** The key of our own text; `text` is the server's. Neither is set when there is nothing to say. */
  readonly word?: Word
  /** The number for the placeholder of `word`. */
  readonly n?: number
  readonly text?: string
  readonly remedy?: Remedy
  /** The server refuses retries before this. */
  readonly retryAfterMs?: number
}

type Phase =
  /** `held`: the client has not sent the question yet, because the server asked for a pause. */
  | { readonly type: 'waiting'; readonly position?: number; readonly held?: true }
  | { readonly type: 'streaming' }
  | { readonly type: 'ended'; readonly end: End }

export interface Exchange {
  readonly id: number
  /** Undefined when only the id of the turn is known. */
  readonly question: string | undefined
  readonly turnId: string | undefined
  readonly text: string
  readonly products: readonly Product[]
  /** Follow-ups to choose from, below the last answer. */
  readonly suggestions: readonly Suggestion[]
  readonly sources: readonly Source[]
  readonly phase: Phase
  /** No part has arrived for a while: the panel says that the answer is still being made. */
  readonly silent: boolean
  /** A small note below the answer about where it came from. */
  readonly origin: readonly Word[]
  /** Texts of the server: a warning about the budget, how to contact the shop. */
  readonly remarks: readonly string[]
  /** The reader's thumb; absent where there is no answer to rate. */
  readonly rating?: Rating
}

export function newExchange(id: number, question: string | undefined, turnId?: string): Exchange {
  return {
    id,
    question,
    turnId,
    text: '',
    products: [],
    suggestions: [],
    sources: [],
    phase: { type: 'waiting' },
    silent: false,
    origin: [],
    remarks: [],
  }
}

export function advance(exchange: Exchange, part: ChatPart): Exchange {
  const current = { ...exchange, silent: false }
  switch (part.type) {
    case 'held':
      return { ...current, phase: { type: 'waiting', held: true } }
    case 'accepted':
      return { ...current, turnId: part.turnId, phase: { type: 'waiting' } }
    case 'queued':
      return current.text === '' ? { ...current, phase: { type: 'waiting', position: part.position } } : current
    case 'meta':
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
export function waitingWords({ phase, silent }: Exchange, say: Say<typeof chatWords>): string {
  if (phase.type === 'waiting' && phase.position !== undefined) return say('queued', phase.position)
  if (phase.type === 'waiting' && phase.held) return say('busy')
  return say(silent ? 'stillWorking' : 'thinking')
}

/** The counterpart of `advance` for an error that the client throws instead of an end. */
export function ended(exchange: Exchange, end: End): Exchange {
  return { ...exchange, silent: false, phase: { type: 'ended', end } }
}

const damaged: End = { word: 'unverified', remedy: 'read' }

const ends: Record<DoneFrame['finishReason'], End> = {
  stop: {},
  // A blocked answer is itself the text that explains what the assistant can help with.
  blocked: {},
  length: { word: 'endLength' },
  budget: { word: 'endBudget' },
  stopped: { word: 'endStopped' },
  deferred: { word: 'endDeferred' },
  timeout: { word: 'endTimeout', remedy: 'ask' },
  interrupted: { word: 'endInterrupted', remedy: 'ask' },
}

export function endOf({ finishReason }: Pick<DoneFrame, 'finishReason'>): End {
  return ends[finishReason] ?? {}
}

const tierWords: Partial<Record<MetaFrame['tier'], Word>> = {
  economy: 'tierEconomy',
  cached: 'tierCached',
  faq: 'tierFaq',
  message: 'tierMessage',
}

/** A note about where a degraded answer or one of a lower tier came from; else empty. */
export function originOf({
  tier,
  degraded,
  sources = [],
}: Pick<MetaFrame, 'tier' | 'degraded'> & { readonly sources?: readonly Source[] | undefined }): readonly Word[] {
  // The line of sources names the FAQ already.
  if (tier === 'faq' && sources.some(({ kind }) => kind === 'faq')) return []
  const word = tierWords[tier] ?? (degraded ? 'tierReduced' : undefined)
  return word === undefined ? [] : [word]
}

function fromMeta(meta: MetaFrame): Pick<Exchange, 'products' | 'suggestions' | 'sources' | 'origin' | 'remarks'> {
  return {
    products: meta.products,
    suggestions: meta.suggestions ?? [],
    sources: meta.sources ?? [],
    origin: [...originOf(meta), ...(meta.unsaved ? ['unsaved' as const] : [])],
    remarks: [meta.warning, meta.contact].filter((text) => text !== undefined),
  }
}
