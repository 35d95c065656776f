// Decides at the end of a scope whether its spans are exported, and holds them until then. A scope that failed, was slow,
// was degraded or has a flag is always kept; of the others some every second, and a share. Everything is bounded: past a
// bound the oldest scope loses its spans, and what is lost is reported by reason.
import { takeUpTo } from '#lib/rates/leaky-bucket.ts'
import type { BucketLevel } from '#lib/rates/leaky-bucket.ts'
import { isFlagEvent } from './span-names.ts'
import { spanSize } from './span-size.ts'
import type { SizedSpan } from './span-size.ts'

export interface SamplerSettings {
  readonly perSecond: number
  readonly share: number
  readonly slowMs: number
  readonly slowRequestMs: number
  readonly callerPerSecond: number
  readonly openMax: number
  readonly spansMax: number
  readonly bytesMax: number
}

/** The part of an ended span that the decision is made from. */
export interface SampledSpan extends SizedSpan {
  readonly kind: 'scope' | 'span'
  readonly trace: { readonly spanId: string; readonly sampled: boolean }
  readonly scopeSpanId: string
  readonly parentSpanId: string | undefined
  readonly durationMs: number
  readonly outcome: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

export const KEPT = ['error', 'slow', 'degraded', 'flagged', 'caller', 'guaranteed', 'share'] as const
export type KeptReason = (typeof KEPT)[number]
export const SPANS_DROPPED = ['not-sampled', 'open-scopes', 'spans', 'bytes'] as const
export type SpansDropped = (typeof SPANS_DROPPED)[number]

export interface SamplerParts<Span extends SampledSpan> {
  readonly settings: SamplerSettings
  /** Milliseconds. */
  readonly now: () => number
  /** Uniform in [0, 1). Not the trace id: a caller chooses that. */
  readonly float: () => number
  /** A trace that is exported: once for each scope, and for spans that end after it. */
  readonly keep: (spans: readonly Span[]) => void
  /** Why a scope is exported. */
  readonly onKept: (reason: KeptReason) => void
  readonly onDropped: (reason: SpansDropped, spans: number) => void
}

/** Spans that end after their scope follow its decision; of so many scopes it is remembered. */
const DECISIONS_MAX = 2048
/** Their scopes can last as long as the client wants. */
const LONG_DOORS = new Set(['sse', 'ws'])

interface Held<Span> {
  readonly spans: Span[]
  bytes: number
}

export class TailSampler<Span extends SampledSpan> {
  readonly #parts: SamplerParts<Span>
  /** In the order in which their first span ended. */
  readonly #open = new Map<string, Held<Span>>()
  readonly #decided = new Map<string, boolean>()
  readonly #turns: Allowance
  readonly #requests: Allowance
  readonly #callers: Allowance
  #bytes = 0

  constructor(parts: SamplerParts<Span>) {
    const { settings, now } = parts
    this.#parts = parts
    this.#turns = new Allowance(settings.perSecond, now)
    this.#requests = new Allowance(settings.perSecond, now)
    this.#callers = new Allowance(settings.callerPerSecond, now)
  }

  /** How many scopes have spans here. */
  get open(): number {
    return this.#open.size
  }

  /** The estimated size of all spans that are held. */
  get bytes(): number {
    return this.#bytes
  }

  add(span: Span): void {
    const decided = this.#decided.get(span.scopeSpanId)
    if (decided === true) return this.#parts.keep([span])
    if (decided === false) return this.#parts.onDropped('not-sampled', 1)
    if (span.kind === 'scope') return this.#decide(span)
    this.#hold(span)
  }

  /** At shutdown: what is still open is decided as it is, so that a trace of the last turns is not lost. */
  flush(): void {
    for (const [scopeSpanId, { spans }] of this.#open) {
      this.#release(scopeSpanId)
      const isKept = spans.some((span) => this.#alwaysKept(span) !== undefined)
      if (isKept) this.#parts.keep(spans)
      else this.#parts.onDropped('not-sampled', spans.length)
    }
  }

  #hold(span: Span): void {
    const { settings, onDropped } = this.#parts
    let held = this.#open.get(span.scopeSpanId)
    if (held === undefined) {
      if (this.#open.size >= settings.openMax) this.#evict('open-scopes')
      held = { spans: [], bytes: 0 }
      this.#open.set(span.scopeSpanId, held)
    }
    if (held.spans.length >= settings.spansMax) return onDropped('spans', 1)
    const size = spanSize(span)
    held.spans.push(span)
    held.bytes += size
    this.#bytes += size
    while (this.#bytes > settings.bytesMax && this.#open.size > 0) this.#evict('bytes')
  }

  #evict(reason: SpansDropped): void {
    const [oldest] = this.#open.keys()
    if (oldest === undefined) return
    this.#parts.onDropped(reason, this.#release(oldest).length)
  }

  #release(scopeSpanId: string): readonly Span[] {
    const held = this.#open.get(scopeSpanId)
    if (held === undefined) return []
    this.#open.delete(scopeSpanId)
    this.#bytes -= held.bytes
    return held.spans
  }

  #decide(scope: Span): void {
    const spans = [...this.#release(scope.scopeSpanId), scope]
    const reason = this.#reasonFor(scope, spans)
    this.#remember(scope.scopeSpanId, reason !== undefined)
    if (reason === undefined) return this.#parts.onDropped('not-sampled', spans.length)
    this.#parts.onKept(reason)
    this.#parts.keep(spans)
  }

  #remember(scopeSpanId: string, isKept: boolean): void {
    const [oldest] = this.#decided.keys()
    if (this.#decided.size >= DECISIONS_MAX && oldest !== undefined) this.#decided.delete(oldest)
    this.#decided.set(scopeSpanId, isKept)
  }

  #reasonFor(scope: Span, spans: readonly Span[]): KeptReason | undefined {
    for (const span of spans) {
      const reason = this.#alwaysKept(span)
      if (reason !== undefined) return reason
    }
    const { float, settings } = this.#parts
    // A turn that outlived its request follows the decision about the request.
    if (scope.parentSpanId !== undefined && this.#decided.get(scope.parentSpanId) === true) return 'caller'
    if (scope.parentSpanId !== undefined && !this.#decided.has(scope.parentSpanId)) {
      // The caller did not sample its trace, so our part of it would be of no use there.
      if (!scope.trace.sampled) return undefined
      if (this.#callers.take()) return 'caller'
    }
    const guaranteed = scope.attributes['turnId'] === undefined ? this.#requests : this.#turns
    if (guaranteed.take()) return 'guaranteed'
    return float() < settings.share ? 'share' : undefined
  }

  #alwaysKept(span: Span): KeptReason | undefined {
    const { attributes, events, outcome } = span
    if (outcome === 'failed') return 'error'
    if (this.#isSlow(span)) return 'slow'
    if (attributes['isDegraded'] === true || hasText(attributes['failure'])) return 'degraded'
    const isFlagged = attributes['isEstimated'] === true || events.some(({ name }) => isFlagEvent(name))
    return isFlagged ? 'flagged' : undefined
  }

  /** A connection or a stream of a reader lasts as long as its client wants: only turns and plain requests can be slow. */
  #isSlow({ attributes, durationMs, kind }: Span): boolean {
    const { slowMs, slowRequestMs } = this.#parts.settings
    if (kind !== 'scope') return false
    if (attributes['finishReason'] !== undefined) return durationMs > slowMs
    return !LONG_DOORS.has(String(attributes['door'])) && durationMs > slowRequestMs
  }
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** So many a second, and not more at once: what a quiet second did not use is lost. */
class Allowance {
  readonly #rate: { readonly perSecond: number; readonly burst: number }
  readonly #now: () => number
  #level: BucketLevel | undefined

  constructor(perSecond: number, now: () => number) {
    this.#rate = { perSecond, burst: Math.max(1, perSecond) }
    this.#now = now
  }

  take(): boolean {
    if (this.#rate.perSecond <= 0) return false
    const { granted, level } = takeUpTo(this.#rate, this.#level, { tokens: 1, now: this.#now() })
    this.#level = level
    return granted === 1
  }
}
