// Answers when no model of the ladder has answered: runs the steps of the plan until one gives an answer. The last step
// always does, without a store or a network. Each answer names its source; none is ever cached as a good answer.
import type { FinishReason, Source } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { causeOf, planFallback } from '#domain/answers/fallback-plan.ts'
import type { FallbackStep, RungFailure } from '#domain/answers/fallback-plan.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import type { FaqIndex } from '@mangaassist/bookseller/catalogue/faq-match'
import { faqFor, needsNoModel, readinessOf } from '@mangaassist/bookseller/dialogue/readiness'
import type { Readiness } from '@mangaassist/bookseller/dialogue/readiness'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { STAND_IN_CONFIDENCE } from '#domain/answers/whole-answer.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { cachedSource } from '#domain/answers/cached-source.ts'
import type { CacheLookup, Routed } from '../../turn.ts'
import { fallbackSaid } from './canned-answer.ts'
import type { MessageExtras } from './copy.ts'
import type { RungEnd } from '../rung-end.ts'
import type { AnswerDraft } from '../answer-draft.ts'

export interface FallBackParts {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly config: Config
  readonly faq: FaqIndex
  /**
   * The built-in responder's answer in one piece; undefined where it is a rung of the ladder, or there is none. Never
   * rejects.
   */
  readonly respond?: Respond
  /** Series to suggest meanwhile, chosen by the turn. */
  readonly popular: (turnId: string) => MessageExtras['popular']
  /** Stores the question until a model is available; false when there is no room. */
  readonly defer: (start: TurnStart) => Promise<boolean>
  readonly handover?: Handover
  /** Queues the refresh of a stale answer that was given. */
  readonly due: (key: string, routed: Routed) => void
}

/** The built-in responder's answer. */
interface Response {
  readonly model: string
  readonly text: string
}

/** Never rejects. */
export type Respond = (routed: Routed, signal: AbortSignal) => Promise<Response | undefined>

interface FailedLadder {
  readonly routed: Routed
  readonly lookup: CacheLookup
  readonly failures: readonly RungFailure[]
  /** The `reason` of the answer. */
  readonly reason: string
}

/** The state while the steps of the plan are tried. */
interface FallbackRun extends FailedLadder {
  readonly draft: AnswerDraft
  readonly signal: AbortSignal
  /** The entry of the FAQ that answers the question, if one does. */
  readonly match: ReturnType<typeof faqFor>
}

type Finished = Extract<RungEnd, { readonly kind: 'finished' }>
type StepOf<Kind extends FallbackStep['kind']> = Extract<FallbackStep, { readonly kind: Kind }>

export type FallBack = (draft: AnswerDraft, failed: FailedLadder, signal: AbortSignal) => Promise<Finished>

function faqSource({ entry }: { readonly entry: FaqEntry }, now: number): Source {
  return { kind: 'faq', id: entry.id, at: isoTime(now) }
}

export function createFallBack(parts: FallBackParts): FallBack {
  const { clock, config, telemetry } = parts
  const finished = (finishReason: FinishReason): Finished => ({ kind: 'finished', finishReason })

  function handOver({ routed, reason }: FailedLadder): boolean {
    const { handover } = parts
    if (handover?.isFree() !== true) return false
    const { turnId, sessionId, language, message } = routed.start
    void handover.call({ turnId, sessionId, language, reason, question: message })
    return true
  }

  function spoken(failed: FallbackRun, step: StepOf<'faq' | 'defer' | 'redirect' | 'message'>): Finished {
    const { draft, match } = failed
    const { turnId, language } = failed.routed.start
    const isMessage = step.kind === 'message'
    const said = fallbackSaid(step, {
      language,
      turnId,
      store: config.store,
      faqAnswer: match?.entry.answer[language] ?? '',
      waitMs: config.deferred.waitMs,
      popular: isMessage ? parts.popular(turnId) : [],
      isHandedOver: isMessage && handOver(failed),
    })
    const { tier, confidence, text, finishReason } = said
    const reason = step.kind === 'defer' ? 'deferred' : failed.reason
    const source = { type: 'source', tier, model: tier, degraded: true, confidence, reason } as const
    const isFaq = step.kind === 'faq' && match !== undefined
    const shownWith = isFaq ? { shownWith: { sources: [faqSource(match, clock.now())] } } : {}
    draft.appendWhole({ ...source, ...shownWith }, text)
    return finished(finishReason)
  }

  async function take(failed: FallbackRun, step: FallbackStep): Promise<Finished | undefined> {
    const { draft, signal } = failed
    switch (step.kind) {
      case 'cached': {
        const { lookup, routed, reason } = failed
        if (lookup.kind !== 'stale') return undefined
        draft.appendWhole(cachedSource(lookup, reason), lookup.answer.text)
        // An answer without retrieval could not be stored.
        if (routed.missing.length === 0) parts.due(lookup.key, routed)
        return finished('stop')
      }
      case 'embedded': {
        const { routed, reason } = failed
        const said = await parts.respond?.(routed, signal)
        if (said === undefined || said.text === '') return undefined
        const source = { type: 'source', tier: 'embedded', model: said.model, degraded: true } as const
        draft.appendWhole({ ...source, confidence: STAND_IN_CONFIDENCE, reason }, said.text)
        return finished('stop')
      }
      case 'defer':
        return (await parts.defer(failed.routed.start)) ? spoken(failed, step) : undefined
      case 'faq':
      case 'redirect':
      case 'message':
        return spoken(failed, step)
    }
  }

  const matchOf = ({ grounding, start }: Routed) => faqFor(grounding, parts.faq.match(start.message, start.language))
  /** When no vendor may be paid today, the built-in responder answers as well as it can. */
  const embeddedFor = ({ grounding, start, unpaid }: Routed): Readiness => {
    if (parts.respond === undefined) return 'none'
    // A question that was admitted as surely answered is not guessed at.
    if (start.free !== undefined) return needsNoModel(grounding) ? 'sure' : 'none'
    return unpaid === undefined ? readinessOf(grounding) : 'sure'
  }

  return async function fallBack(draft, failed, signal) {
    const { start } = failed.routed
    const match = matchOf(failed.routed)
    const cause = causeOf(failed.failures)
    const plan = planFallback(cause, {
      hasStale: failed.lookup.kind === 'stale',
      embedded: embeddedFor(failed.routed),
      faq: match === undefined ? 'none' : match.sure ? 'sure' : 'likely',
      canDefer: start.deferredFrom === undefined && start.unsaved === undefined,
    })
    for (const step of plan) {
      const end = await take({ ...failed, draft, signal, match }, step)
      if (end === undefined) continue
      telemetry.count('turn_fallback_total', { reason: cause, step: step.kind })
      return end
    }
    throw new Error('a plan whose last step gives no answer')
  }
}
