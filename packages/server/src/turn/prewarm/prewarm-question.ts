// Answers one question before a shopper asks it: it is understood, looked up and put into a prompt as in a turn, and the
// answer goes into the cache, where the same question of a shopper finds it, in any of its wordings. It belongs to no turn:
// the model is asked by a house call.
import type { ReleaseQuestion } from '@mangaassist/bookseller/catalogue/release-questions'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { SHOP } from '#domain/identity/principal.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import { policyOf } from '#domain/turn/turn-policy.ts'
import type { ChatStart } from '#domain/turn/log-records.ts'
import { NOTHING } from '#domain/budget/quota.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { CachedAnswer } from '#ports/answer-cache/port.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'
import type { CachedAnswers } from '../answers/cached-answers.ts'
import type { MakeAnswerCall } from '../house-calls/answer-call.ts'
import type { HouseCap, SkipReason } from '../house-calls/house-call.ts'
import type { Admitted, Grounded, Routed } from '../turn.ts'

export interface PrewarmQuestionParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'id'>
  readonly config: Pick<Config, 'deadlines' | 'store' | 'tiers' | 'tokens'>
  readonly gather: (admitted: Admitted, signal: AbortSignal) => Promise<Grounded>
  readonly route: (grounded: Grounded) => Routed
  readonly answers: Pick<CachedAnswers, 'keep' | 'keepFor' | 'lookUp'>
  readonly makeAnswer: MakeAnswerCall
}

export type Prewarmed =
  /** The answer was made and stored. */
  | { readonly kind: 'made' }
  /** It is in the cache already. */
  | { readonly kind: 'fresh' }
  /** The answer to this question is not shared, or the one that was made may not be. */
  | { readonly kind: 'unshared' }
  /** Retrieval or the model failed. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'skipped'; readonly why: SkipReason }

export type PrewarmQuestion = (question: ReleaseQuestion, cap: HouseCap, signal: AbortSignal) => Promise<Prewarmed>

type Asked = Pick<ReleaseQuestion, 'language' | 'message'>

/** Guests are most of a release day's crowd; their answers are as long as theirs. */
const TIER = 'free'

export function createPrewarmQuestion(parts: PrewarmQuestionParts): PrewarmQuestion {
  async function understood(question: Asked, signal: AbortSignal): Promise<Routed> {
    return parts.route(await parts.gather(asked(parts, question), signal))
  }

  async function answered(routed: Routed, cap: HouseCap): Promise<{ prewarmed: Prewarmed; answer?: CachedAnswer }> {
    const lookup = await parts.answers.lookUp(routed)
    if (lookup.kind === 'fresh') return { prewarmed: { kind: 'fresh' }, answer: lookup.answer }
    if (lookup.kind === 'unshared') return { prewarmed: { kind: 'unshared' } }
    const made = await parts.makeAnswer(routed, { purpose: 'prewarm', cap })
    if (made.kind === 'skipped') return { prewarmed: made }
    if (made.kind === 'unanswered') return { prewarmed: { kind: 'failed' } }
    const answer = await parts.answers.keep(routed, made.outcome, made.text)
    return answer === undefined ? { prewarmed: { kind: 'unshared' } } : { prewarmed: { kind: 'made' }, answer }
  }

  return async function prewarmQuestion({ language, message, wordings }, cap, signal) {
    const routed = await understood({ language, message }, signal)
    if (routed.missing.length > 0) return { kind: 'failed' }
    const { answer, prewarmed } = await answered(routed, cap)
    if (answer === undefined) return prewarmed
    for (const wording of wordings) {
      const other = await understood({ language, message: wording }, signal)
      // The next node finds the answer, and continues with the wordings.
      if (signal.aborted) return { kind: 'failed' }
      if (other.missing.length > 0) break
      await parts.answers.keepFor(other, { routed, answer })
    }
    return prewarmed
  }
}

/** The question as the first one of a guest, with room for the whole prompt. */
function asked({ clock, random, config }: PrewarmQuestionParts, { message, language }: Asked): Admitted {
  const [turnId, acceptedAt] = [random.id('prewarm'), clock.now()]
  const day = dayOf(acceptedAt, config.store.timeZone)
  const { outputTokensPerRequest: outputTokens = config.tokens.outputUsefulMin } = config.tiers[TIER] ?? {}
  const granted = { inputTokens: config.tokens.inputPerRequestMax, outputTokens, costMicroUsd: Number.MAX_SAFE_INTEGER }
  const start: ChatStart = {
    kind: 'chat',
    turnId,
    requestId: turnId,
    principal: { id: SHOP, kind: 'guest', tier: TIER },
    sessionId: turnId,
    sessionVersion: 0,
    route: 'stream',
    message,
    language,
    acceptedAt,
    deadlines: deadlinesFrom(acceptedAt, config.deadlines.stream),
    hold: { id: turnId, principalId: SHOP, sessionId: turnId, day, granted },
  }
  const requestsPerMinute = { used: 0, limit: 0, resetMs: 0 }
  const quota = {
    tier: TIER,
    resetsAt: day.endsAt,
    used: NOTHING,
    reserved: NOTHING,
    limit: NOTHING,
    requestsPerMinute,
  }
  return { start, policy: policyOf(start), epoch: 1, quota, scope: NO_SCOPE }
}
