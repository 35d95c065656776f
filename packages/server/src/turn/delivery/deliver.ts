// Writes what invocation yields to the turn's log, where readers find it. Ends the text: after `text-end` only settlement
// is left, which any node can run from the log alone.
import type { Config } from '#config/config.ts'
import type { AnswerTier, ProductCard } from '@mangaassist/protocol'
import { toCard } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import { offersNote } from '#domain/answers/offers-note.ts'
import { shownWith } from '#domain/answers/shown-with.ts'
import type { ShownWith } from '#domain/answers/shown-with.ts'
import { quotaWarnings } from '#domain/budget/quota.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import { quotaView, quotaWarning } from '#domain/budget/quota-view.ts'
import type { StreamEvent } from '#domain/turn/stream-state.ts'
import { recordedRoute } from '#domain/routing/route-choice.ts'
import type { RecordedRoute } from '#domain/routing/route-choice.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { AnswerMismatch, TurnMeta, TurnOutcome } from '#domain/turn/log-records.ts'
import { compose } from '@mangaassist/bookseller/dialogue/compose'
import type { Answer } from '@mangaassist/bookseller/dialogue/compose'
import { fold } from '@mangaassist/bookseller/text/words'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { AnswerSource, Delivered, Invocation, InvocationEnd, Routed } from '../turn.ts'
import { needsPerson } from './needs-person.ts'
import { reportSpendSteps } from './spend-steps.ts'
import { createTextWriter } from './text-writer.ts'
import { turnStoryOf } from './turn-story-of.ts'

export interface DeliverParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly config: Config
  /** Compares the claims of the answer with the store. Never rejects. */
  readonly check: (
    routed: Routed,
    made: Pick<TurnOutcome, 'tier' | 'model' | 'finishReason'> & { readonly text: string },
  ) => Promise<{ readonly mismatches: readonly AnswerMismatch[]; readonly note?: string }>
}

export type Deliver = (
  routed: Routed,
  invocation: Invocation,
  turn: { readonly stream: { apply(event: StreamEvent): void }; readonly own: AbortController },
) => Promise<Delivered>

type Source = AnswerSource

/** The source of a turn that was stopped before any text. */
const NO_SOURCE: Source = { type: 'source', tier: 'message', model: 'none', degraded: false, confidence: 1 }

export function createDeliver(parts: DeliverParts): Deliver {
  const { clock, config } = parts

  return async function deliver(routed, invocation, { stream, own }) {
    const { start, policy, epoch, begun, scope: telemetry } = routed
    using span = telemetry.span('delivery')
    using writer = createTextWriter({
      ...parts,
      telemetry,
      span,
      streaming: config.streaming,
      turnId: start.turnId,
      epoch,
      shown: begun?.text ?? '',
      isUnlogged: begun?.isUnlogged === true,
      answeredBy: () => answeredBy(source),
      onFailure: (error) => own.abort(error),
    })
    // The built-in responder's answer to the same grounding: its reasons serve every answer about these products.
    const composed = once(() => compose(routed.grounding, start.language))
    let source = sourceBefore(begun) ?? NO_SOURCE
    let shown = shownBefore(routed)
    const readAt = clock.now()
    const route = routeOnce(routed)
    const end = await invocation((part) => {
      if (part.type === 'source') {
        source = part
        shown = mayShow(routed, part)
        const meta = metaOf(routed, { source: part, products: shown, own: composed() }, { config, now: clock.now() })
        writer.add({ kind: 'meta', meta, ...route() })
      } else if (part.type === 'text-delta') {
        stream.apply({ type: 'word' })
        writer.push(part.text)
      } else if (part.type === 'attempt-start') {
        writer.add({ kind: 'attempt-start', attempt: { ...part.attempt, offset: writer.length }, ...route() })
      } else if (part.type === 'thinking') {
        const meta = metaOf(
          routed,
          { source: part.source, products: [], own: composed() },
          { config, now: clock.now() },
        )
        writer.add({ kind: 'meta', meta: { ...meta, thinking: true }, ...route() })
      } else if (part.type === 'queued') {
        writer.add({ kind: 'queued', place: part.place })
      } else {
        if (part.isBeside !== true) stream.apply({ type: 'broken-off' })
        writer.add({ kind: 'attempt-end', record: part.record })
      }
    })
    if (own.signal.reason instanceof TurnAbort && own.signal.reason.continuesElsewhere) {
      writer.finish()
      await writer.settled()
      throw own.signal.reason
    }
    const { finishReason } = end
    const invocationMs = clock.now() - readAt
    const { mismatches, note } = await parts.check(routed, { ...source, finishReason, text: writer.text })
    // Shown text is never taken back: a correction follows it.
    const { text, sha256 } = writer.finish(note)
    const named = namedIn(text, shown)
    const extras = source.shownWith ?? shownWith({ ...routed, ...source, ...end, products: named, readAt })
    const outcome: TurnOutcome = {
      finishReason,
      tier: source.tier,
      model: source.model,
      length: text.length,
      sha256,
      attempts: end.attempts,
      productIds: named.map((product) => product.id),
      ...extras,
      ...contactOf(routed, source, config),
      language: start.language,
      ...(mismatches.length === 0 ? {} : { mismatches }),
      ...routeOf(routed, source),
      ...storyOf(routed, source, end),
      story: turnStoryOf(routed, { end, invocationMs, deliveryMs: clock.now() - readAt, signal: own.signal }),
      deltas: writer.deltas,
      frames: writer.frames,
      firstWordAt: writer.firstWordAt,
      endedAt: clock.now(),
    }
    stream.apply({ type: 'text-end', finishReason })
    // The last meta counts: cards only for products that the answer named, and what is offered after it.
    if (named.length < shown.length || Object.keys(extras).length > 0) {
      const last = metaOf(routed, { source, products: named, own: composed() }, { config, now: clock.now() })
      writer.add({ kind: 'meta', meta: { ...last, ...forFrame(extras) } }, { kind: 'text-end', outcome })
    } else writer.add({ kind: 'text-end', outcome })
    await writer.settled()
    // After a takeover the previous owner has reported these already. A continuation of another turn's text is a turn
    // of its own, and reports them.
    const isFirstOwner = begun === undefined || begun.isUnlogged === true
    if (isFirstOwner) reportSpendSteps(telemetry, routed, end.attempts)
    if (writer.firstWordAt !== null && begun === undefined) {
      const firstWordMs = writer.firstWordAt - start.acceptedAt
      telemetry.observe('turn_first_word_seconds', firstWordMs / 1000, answeredBy(source))
    }
    if (isFirstOwner) reportWarnings(telemetry, routed.quota)
    span.end()
    return { start, policy, epoch, text, outcome, scope: telemetry }
  }
}

function answeredBy({ name, tier }: Source) {
  return { tier, model: name ?? 'none' }
}

/** Counted once per turn, however often its meta was shown. */
function reportWarnings(reports: Reports, quota: QuotaState): void {
  for (const { budget, step } of quotaWarnings(quota)) {
    reports.count('quota_warnings_total', { budget, percent: step >= 0.9 ? 90 : 80 })
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** The schema of the frame has mutable lists. */
function forFrame({ suggestions, sources }: ShownWith): Pick<TurnMeta, 'suggestions' | 'sources'> {
  return {
    ...(suggestions === undefined ? {} : { suggestions: [...suggestions] }),
    ...(sources === undefined ? {} : { sources: [...sources] }),
  }
}

/** The source of an earlier owner's text, if any. */
function sourceBefore(begun: Routed['begun']): Source | undefined {
  if (begun?.meta === undefined) return undefined
  const { tier, model, degraded, confidence, reason, cached } = begun.meta
  return {
    type: 'source',
    tier,
    model,
    degraded,
    confidence,
    ...(reason === undefined ? {} : { reason }),
    ...(cached === true ? { cached } : {}),
  }
}

function shownBefore({ begun, grounding }: Routed): readonly Product[] {
  const ids = new Set(begun?.meta?.products.map(({ id }) => id))
  return grounding.products.filter(({ id }) => ids.has(id))
}

/** Products whose cards may be shown: only for an answer about products, not for a greeting or an apology. */
function mayShow(routed: Routed, source: Source): readonly Product[] {
  if (source.tier === 'message' || source.tier === 'faq') return []
  return routed.grounding.products.filter((product) => routed.productIds.includes(product.id))
}

/** The products that the text names, by any of their titles. */
function namedIn(text: string, products: readonly Product[]): readonly Product[] {
  const said = fold(text)
  return products.filter(({ title }) => [title.ja, title.en, title.romaji].some((name) => said.includes(fold(name))))
}

function cardOf(product: Product, { start }: Routed, { cards }: Answer): ProductCard {
  return toCard(product, start.language, cards.find((card) => card.product.id === product.id)?.why)
}

function metaOf(
  routed: Routed,
  { source, products, own }: { readonly source: Source; readonly products: readonly Product[]; readonly own: Answer },
  { config, now }: { readonly config: Config; readonly now: number },
): TurnMeta {
  const { language } = routed.start
  const stale = staleOffers(routed, source)
  const warnings = [
    quotaWarning(routed.quota, language),
    stale && offersNote(stale.asOf, language, { now, timeZone: config.store.timeZone }),
  ]
  const warning = warnings.filter((text) => text !== undefined).join(language === 'ja' ? '' : ' ')
  return {
    tier: source.tier,
    model: source.model,
    degraded: source.degraded || routed.missing.length > 0 || cutShortFor(routed, source).length > 0,
    confidence: source.confidence,
    ...reasonOf(routed, source),
    ...(source.cached === true ? { cached: true } : {}),
    ...promptInfo(routed, source),
    ...routeInfo(routed),
    ...(routed.start.unsaved === undefined ? {} : { unsaved: true }),
    products: products.map((product) => cardOf(product, routed, own)),
    quota: quotaView(routed.quota),
    ...(stale === undefined ? {} : { offersAsOf: stale.asOf === null ? null : isoTime(stale.asOf) }),
    ...(warning === '' ? {} : { warning }),
    ...contactOf(routed, source, config),
  }
}

/** Where the answer needs a person of the shop. */
function contactOf(
  { grounding, start }: Pick<Routed, 'grounding' | 'start'>,
  { tier }: Source,
  { store }: Pick<Config, 'store'>,
): Pick<TurnMeta, 'contact'> {
  return needsPerson(tier, grounding.intent) ? { contact: store.contact[start.language] } : {}
}

/** For an answer from products whose price and stock could not be read now: when they were current. */
function staleOffers(
  { grounding: { offersAsOf, products } }: Routed,
  { tier }: Source,
): { readonly asOf: number | null } | undefined {
  const isMadeFrom = tier !== 'message' && tier !== 'faq' && products.length > 0
  return offersAsOf === undefined || !isMadeFrom ? undefined : { asOf: offersAsOf }
}

/** A cached answer was made with the same prompt: its version is a part of the key. */
const PROMPTED: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'cached'])

function promptInfo({ promptVersion }: Routed, { tier }: Source): Pick<TurnMeta, 'prompt'> {
  return promptVersion === undefined || !PROMPTED.has(tier) ? {} : { prompt: { version: promptVersion } }
}

/** Returns the route once, for the first record of this owner, and nothing afterwards. */
function routeOnce(routed: Routed): () => { readonly route?: RecordedRoute } {
  const route = recordedRoute(routed, false)
  let left = Object.keys(route).length === 0 ? {} : { route }
  return () => {
    const taken = left
    left = {}
    return taken
  }
}

/** What is recorded of how the answer came about. */
function routeOf(
  routed: Routed,
  source: Source,
): Pick<TurnOutcome, 'routing' | 'weighed' | 'isDegraded' | 'isCached' | 'promptVersion'> {
  const { promptVersion } = routed
  const isCached = source.cached === true
  return {
    ...recordedRoute(routed, isCached),
    isDegraded: source.degraded,
    isCached,
    ...(promptVersion === undefined || !PROMPTED.has(source.tier) ? {} : { promptVersion }),
  }
}

/** What operators read of the turn besides. */
function storyOf(
  routed: Routed,
  source: Source,
  { answerUsage, failure, queuedMs, retryAfterMs }: InvocationEnd,
): Pick<TurnOutcome, 'answerUsage' | 'failure' | 'missing' | 'modelName' | 'queuedMs' | 'reason' | 'retryAfterMs'> {
  const { missing } = routed
  return {
    ...reasonOf(routed, source),
    ...(source.name === undefined ? {} : { modelName: source.name }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(queuedMs === undefined ? {} : { queuedMs }),
    ...(answerUsage === undefined ? {} : { answerUsage }),
    ...(failure === undefined ? {} : { failure }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

function routeInfo({ routing }: Routed): Pick<TurnMeta, 'route'> {
  const choice = routing?.choice
  if (choice === undefined) return {}
  const { first, judged, rule, why } = choice
  return { route: { first, rule, why, complexity: judged.level } }
}

function reasonOf(routed: Routed, source: Source): { reason?: string } {
  const missing = routed.missing.map((what) => `no-${what}`)
  const cutShort = cutShortFor(routed, source).map((what) => `less-${what}`)
  // A lost owner may have named the same reasons.
  const reasons = new Set([...(source.reason?.split(' ') ?? []), ...missing, ...cutShort])
  return reasons.size === 0 ? {} : { reason: [...reasons].join(' ') }
}

/** Only a model's answer depends on a shortened prompt. */
function cutShortFor({ cutShort = [] }: Routed, { tier }: Source): readonly string[] {
  return tier === 'primary' || tier === 'economy' ? cutShort : []
}
