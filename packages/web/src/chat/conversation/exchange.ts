// One question and its answer as a value, and how each part of an answer changes it. Pure: what to do about an end is
// decided in `conversation.ts`, how it looks in `exchange-view.ts`.
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame, MetaFrame, ProductCard } from '@mangaassist/protocol'
import type { chatWords, Say } from '../../i18n.ts'

export type Word = keyof typeof chatWords

/** A card as the catalogue may send it: with genres, its cover has their colours. */
export type Product = ProductCard & { readonly genres?: readonly string[] }

/**
 * What helps: `ask` again, `ask-elsewhere` (in a new conversation), `read` the same answer again, or `resend` a question
 * that may have arrived (under its old key it is answered once).
 */
type Remedy = 'ask' | 'ask-elsewhere' | 'read' | 'resend'

export interface End {
  /** In our words, or in the server's. Neither when there is nothing to say. */
  readonly word?: Word
  /** The number in the word. */
  readonly n?: number
  readonly text?: string
  readonly remedy?: Remedy
  /** The server asked us not to come back sooner. */
  readonly retryAfterMs?: number
}

type Phase =
  /** `held`: not sent yet, because the server asked for a pause. */
  | { readonly type: 'waiting'; readonly position?: number; readonly held?: true }
  | { readonly type: 'streaming' }
  | { readonly type: 'ended'; readonly end: End }

export interface Exchange {
  readonly id: number
  /** Absent for a turn that is known by its id only. */
  readonly question: string | undefined
  readonly turnId: string | undefined
  readonly text: string
  readonly products: readonly Product[]
  readonly phase: Phase
  /** Nothing came for a while: say that we are still at it. */
  readonly silent: boolean
  /** Quiet words about where the answer came from. */
  readonly origin: readonly Word[]
  /** The server's own words: a warning about the allowance, whom to turn to. */
  readonly remarks: readonly string[]
}

export function newExchange(id: number, question: string | undefined, turnId?: string): Exchange {
  return {
    id,
    question,
    turnId,
    text: '',
    products: [],
    phase: { type: 'waiting' },
    silent: false,
    origin: [],
    remarks: [],
  }
}

export function advance(exchange: Exchange, part: ChatPart): Exchange {
  const heard = { ...exchange, silent: false }
  switch (part.type) {
    case 'held':
      return { ...heard, phase: { type: 'waiting', held: true } }
    case 'accepted':
      return { ...heard, turnId: part.turnId, phase: { type: 'waiting' } }
    case 'queued':
      return heard.text === '' ? { ...heard, phase: { type: 'waiting', position: part.position } } : heard
    case 'meta':
      return { ...heard, ...fromMeta(part.meta) }
    case 'text':
      return { ...heard, text: heard.text.slice(0, part.offset) + part.text, phase: { type: 'streaming' } }
    case 'done':
      return { ...heard, text: part.text, phase: { type: 'ended', end: part.verified ? endOf(part.done) : damaged } }
  }
}

/** What is said while nothing comes. */
export function waitingWords({ phase, silent }: Exchange, say: Say<typeof chatWords>): string {
  if (phase.type === 'waiting' && phase.position !== undefined) return say('queued', phase.position)
  if (phase.type === 'waiting' && phase.held) return say('busy')
  return say(silent ? 'stillWorking' : 'thinking')
}

/** As `advance`, for what the client throws instead of an end. */
export function ended(exchange: Exchange, end: End): Exchange {
  return { ...exchange, silent: false, phase: { type: 'ended', end } }
}

const damaged: End = { word: 'unverified', remedy: 'read' }

const ends: Record<DoneFrame['finishReason'], End> = {
  stop: {},
  // The answer itself says what the assistant can help with.
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

/** Where an answer came from, unless it is the assistant's own. */
export function originOf({ tier, degraded }: Pick<MetaFrame, 'tier' | 'degraded'>): readonly Word[] {
  const word = tierWords[tier] ?? (degraded ? 'tierReduced' : undefined)
  return word === undefined ? [] : [word]
}

function fromMeta(meta: MetaFrame): Pick<Exchange, 'products' | 'origin' | 'remarks'> {
  return {
    products: meta.products,
    origin: [...originOf(meta), ...(meta.unsaved ? ['unsaved' as const] : [])],
    remarks: [meta.warning, meta.contact].filter((text) => text !== undefined),
  }
}
