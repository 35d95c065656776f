// Admits a caller's own prompt for a model: no conversation and no reserved shares of tokens, but the same limits, hold and
// log as every other turn. A repeat is another request, because only the caller knows whether it is meant.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import type { Principal } from '#domain/identity/principal.ts'
import { NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import { Refusal } from '#domain/refusal.ts'
import type { PrincipalLimits } from '#domain/budget/tier-limits.ts'
import { policyOf } from '#domain/turn/turn-policy.ts'
import type { CompletionStart } from '#domain/turn/log-records.ts'
import { messageText } from '#domain/model/model-message.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { Admitted, CompletionAsked } from '../turn.ts'
import { askAgain } from './ask-again.ts'
import { repeatOf } from './idempotency.ts'
import { createLimits } from './limits.ts'

export interface AdmitCompletionParts {
  readonly clock: Clock
  readonly random: Random
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly config: Config
  /**
   * The models that a name may mean for this caller, in the order in which they are asked; empty when it is unknown or not
   * permitted.
   */
  readonly modelsFor: (model: string, principal: Principal) => readonly string[]
  /** The largest prompt that one of the models accepts together with a useful answer. */
  readonly inputTokensMax: (names: readonly string[]) => number
  /** The limits of a principal, as configured and as operators have changed them. */
  readonly principalLimits: (principal: Principal) => Promise<PrincipalLimits>
  readonly ceilingMicroUsd: (inputTokens: number, outputTokens: number) => number
  readonly estimates: Pick<Estimates, 'counterFor' | 'guarded'>
}

export function createAdmitCompletion(parts: AdmitCompletionParts): (asked: CompletionAsked) => Promise<Admitted> {
  const { clock, random, turnLog, config, estimates } = parts
  const limitsTaker = createLimits(parts)

  return function admitCompletion(asked) {
    const until = clock.now() + config.answers.firstWordMs
    return (asked.attempt ?? 1) === 1 ? admitOnce(asked) : askAgain(clock, until, () => admitOnce(asked))
  }

  async function admitOnce(asked: CompletionAsked): Promise<Admitted> {
    validate(asked)
    const models = parts.modelsFor(asked.model, asked.principal)
    if (models.length === 0) throw new Refusal('NOT_FOUND', { details: { field: 'model', reason: 'not-configured' } })
    // A prompt may be a megabyte long, so it is counted in slices: other shoppers' answers continue in between.
    const inputTokens = await estimates
      .counterFor(models)
      .promptInSlices(asked, () => new Promise((on) => clock.defer(on)))
    const limit = parts.inputTokensMax(models)
    if (inputTokens > limit) {
      throw invalid('messages', { reason: 'context-too-long', limit, length: inputTokens, unit: 'tokens' })
    }
    const acceptedAt = clock.now()
    const turnId = random.id('turn')
    const limits = await parts.principalLimits(asked.principal)
    const outputTokens = Math.min(asked.maxTokens ?? limits.outputTokensPerRequest, limits.outputTokensPerRequest)
    const reserved = estimates.guarded(inputTokens, models)
    const answer = await limitsTaker.take(asked, {
      turnId,
      principalId: asked.principal.id,
      sessionId: random.id('v1'),
      limits: { ...limits, session: NO_SESSION_LIMIT, inputTokensMin: inputTokens },
      day: dayOf(acceptedAt, config.store.timeZone),
      idempotency: { key: `v1:${turnId}`, fingerprint: turnId, claimMs: 0 },
      // There is no key to look up, but a request that its sender calls a repeat is not admitted without the store either.
      ...repeatOf(asked.attempt ?? 1),
      ask: { inputTokens: reserved, outputTokens, costMicroUsd: parts.ceilingMicroUsd(reserved, outputTokens) },
      leaseMs: config.turns.holdMs,
    })
    if (answer.kind === 'duplicate') throw new Error('a new turn id was taken for a repeat')
    const message = messageText(asked.messages.at(-1))
    const start: CompletionStart = {
      kind: 'completion',
      turnId,
      requestId: asked.requestId,
      principal: asked.principal,
      sessionId: answer.hold.sessionId,
      sessionVersion: 0,
      route: asked.route,
      message,
      language: detectLanguage(message),
      acceptedAt,
      deadlines: deadlinesFrom(acceptedAt, config.deadlines[asked.route]),
      hold: answer.hold,
      ...(answer.networkHold === undefined ? {} : { networkHold: answer.networkHold }),
      ...(answer.wideHold === undefined ? {} : { wideNetwork: answer.wideHold.principalId }),
      completion: {
        system: asked.system,
        messages: asked.messages,
        models,
        ...(asked.inOnePiece === undefined ? {} : { inOnePiece: asked.inOnePiece }),
        ...(asked.temperature === undefined ? {} : { temperature: asked.temperature }),
      },
      ...(asked.scope.trace === undefined ? {} : { trace: asked.scope.trace }),
    }
    try {
      await turnLog.open(start, config.turns.leaseMs)
    } catch (error) {
      await limitsTaker.giveBack(answer)
      throw error
    }
    return { start, policy: policyOf(start), epoch: 1, quota: answer.quota, scope: asked.scope.becomeTurn(turnId) }
  }
}

function invalid(field: string, details: Readonly<Record<string, unknown>>): Refusal {
  return new Refusal('INVALID_REQUEST', { details: { field, ...details } })
}

/** Refuses what every vendor refuses: lone surrogates, roles out of order, nothing to answer. */
function validate({ system, messages }: CompletionAsked): void {
  if (!system.isWellFormed()) throw invalid('system', { reason: 'lone-surrogate' })
  for (const [index, message] of messages.entries()) {
    const { role } = message
    const text = messageText(message)
    const field = `messages.${index}`
    if (!text.isWellFormed()) throw invalid(field, { reason: 'lone-surrogate' })
    if (text.trim() === '') throw invalid(field, { reason: 'empty' })
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) throw invalid(field, { reason: 'role-out-of-turn' })
  }
  if (messages.length % 2 === 0) throw invalid('messages', { reason: 'must-end-with-user' })
}
