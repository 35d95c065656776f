// Walks the ladder until there is an answer. A fresh cached answer comes first, then each model as long as its lane, its
// tries and the promise of the first word allow, then the fallback plan. Nothing is committed before the first text; after it a broken
// answer is continued by the same model or the next, or ends honestly as `interrupted`.
import { callFits, wordsBy } from '#domain/turn/deadline.ts'
import { firstWordOf, isPromised, NO_PROMISE, stretchedFirstWordMs } from '#domain/turn/first-word.ts'
import type { FirstWord } from '#domain/turn/first-word.ts'
import type { RungFailure } from '#domain/answers/fallback-plan.ts'
import { finishOfWhole } from '#domain/answers/whole-answer.ts'
import { cachedSource } from '#domain/answers/cached-source.ts'
import type { CacheLookup, Invocation, InvocationEnd, Routed, Rung } from '../turn.ts'
import type { CallRung, CallRungParts } from './call-rung.ts'
import { isBelowFirst, isVendors } from './rung-context.ts'
import type { RungContext, RunningAnswer } from './rung-context.ts'
import type { FallBack, Respond } from './fallback/run-fallback.ts'
import { gaveUpWords } from './fallback/copy.ts'
import { abortedBy } from './rung-end.ts'
import type { RungEnd } from './rung-end.ts'
import { AnswerDraft } from './answer-draft.ts'

export interface InvokeParts extends Pick<CallRungParts, 'clock' | 'config' | 'typical'> {
  readonly callRung: CallRung
  readonly fallBack: FallBack
  /**
   * `takesCalls`: whether a model can be asked now. `works`: whether it can be asked at all, though its lane may be full now.
   */
  readonly takesCalls: (rung: Rung) => boolean
  readonly works: (rung: Rung) => boolean
  /** The responder's answer in one piece, for turns that ask no model; undefined where there is none. */
  readonly respond?: Respond | undefined
}

interface Asking extends Pick<RungContext, 'isHeld'> {
  readonly lookup: CacheLookup
}

export type Invoke = (routed: Routed, asking: Asking, signal: AbortSignal) => Invocation

interface Walked {
  /** Undefined when no model of the ladder could end the turn. */
  readonly end: Extract<RungEnd, { readonly kind: 'finished' }> | undefined
  readonly failures: readonly RungFailure[]
  readonly reason: string
  readonly retryAfterMs: number | undefined
}

export function createInvoke(parts: InvokeParts): Invoke {
  const { clock, config, typical } = parts

  /** By when the first word is promised, counted from `at`. A turn without fallback has its model's word or none, and a deferred question has no reader. */
  function promiseOf({ ladder, policy, start }: Routed, at: number): FirstWord {
    if (!policy.mayFallBack || start.deferredFrom !== undefined) return NO_PROMISE
    const vendors = ladder.filter(isVendors)
    const working = vendors.filter(parts.works)
    // Where none works, one that recovers may be asked.
    const asked = working.length === 0 ? vendors : working
    const firstWordMs = stretchedFirstWordMs(
      config.answers.firstWordMs,
      asked.map(({ name }) => typical.natureMs(name)),
    )
    return firstWordOf(at, firstWordMs)
  }

  function fits(rung: Rung, later: readonly Rung[], { draft, firstWord, routed }: RunningAnswer): boolean {
    const { start } = routed
    const { hasText: hasShown } = draft
    // The built-in responder needs a moment, and has it after the time of the models.
    if (!isVendors(rung) && !hasShown) return true
    const ms = wordsBy(start.deadlines, hasShown, config.deadlines) - clock.now()
    const typicalMs = typical.of(rung.name)
    if (isPromised(firstWord) && !hasShown)
      return Math.min(ms, firstWord.modelsBy - clock.now()) >= Math.min(typicalMs, firstWord.askedMs)
    const economyFollows = later.some(({ tier }) => tier === 'economy')
    return callFits(
      { isEconomy: rung.tier === 'economy', typicalMs },
      { ms, hasShown, economyFollows },
      config.deadlines,
    )
  }

  async function walk(begun: RunningAnswer, { isHeld }: Asking): Promise<Walked> {
    const { draft, routed, signal } = begun
    let { firstWord } = begun
    const failures: RungFailure[] = []
    // A lost owner's answer is continued by the model that began it, for the reason that its readers were shown.
    const begunBy = routed.begun?.meta?.reason ?? 'unknown'
    let reason: string = routed.start.free ?? routed.unpaid ?? (isShort(routed) ? 'budget' : begunBy)
    let retryAfterMs: number | undefined
    const walked = (end?: Walked['end']): Walked => {
      return { end, failures, reason, retryAfterMs }
    }
    const rungs = inOrder(routed)
    for (const [position, { isBelow, rung }] of rungs.entries()) {
      const running = { draft, routed, signal, firstWord }
      const later = rungs.slice(position + 1).map((entry) => entry.rung)
      if (signal.aborted) return walked(abortedBy(signal))
      const hasTries = !isVendors(rung) || draft.attempts.length < config.retries.attemptsPerTurnMax
      if (!hasTries || !fits(rung, later, running)) {
        failures.push('no-time')
        draft.passed.push({ model: rung.name, reason: 'no-time' })
        if (reason === begunBy) reason = 'no-time'
        continue
      }
      // The built-in responder is no reason not to wait for a model, nor to leave it.
      const others = later.filter((other, at) => isVendors(other) && fits(other, later.slice(at + 1), running))
      if (rung.name === draft.failedBeside && others.some(parts.takesCalls)) continue
      const end = await parts.callRung(running, {
        rung,
        isBelow,
        reason,
        othersCan: () => others.some(parts.takesCalls),
        othersWork: () => others.some(parts.works),
        isThirdFree: (second) => others.some((other) => other !== second && parts.takesCalls(other)),
        isHeld,
        second: () => {
          const second = others.find(parts.takesCalls) ?? others[0]
          return rungs.find((entry) => entry.rung === second)
        },
      })
      if (end.kind === 'finished') return walked(end)
      failures.push(end.failure)
      draft.passed.push({ model: rung.name, reason: end.reason })
      reason = end.reason
      // Its reader was shown that it thinks, and waits for the next one from now on.
      if (draft.isThinking) firstWord = promiseOf(routed, clock.now())
      draft.isThinking = false
      // The shortest retry time of all models counts.
      if (end.retryAfterMs !== undefined) retryAfterMs = Math.min(retryAfterMs ?? Infinity, end.retryAfterMs)
      // Blocked content is not retried elsewhere; without budget no model is asked.
      if (end.failure === 'blocked' || end.failure === 'budget') break
    }
    return walked(signal.aborted ? abortedBy(signal) : undefined)
  }

  /**
   * After shown text: it stays, and nothing of another kind follows it. For a caller's own prompt: a model's answer, or the
   * reason.
   */
  function withoutFallback({ reason, failures }: Walked): Extract<RungEnd, { readonly kind: 'finished' }> {
    const isBlocked = failures.includes('blocked')
    return { kind: 'finished', finishReason: isBlocked ? 'blocked' : 'interrupted', failure: reason }
  }

  async function answer(running: RunningAnswer, asking: Asking): Promise<InvocationEnd> {
    const { draft, routed, signal } = running
    const { start, policy, begun } = routed
    using span = draft.span
    const ended = (end: Extract<RungEnd, { readonly kind: 'finished' }>): InvocationEnd => {
      const { finishReason, failure } = end
      const { answerUsage, attempts, passed, queuedMs } = draft
      span.end('completed', { finishReason, failure, attempts: attempts.length })
      const ofAnswer = policy.hasAnswerUsage && answerUsage !== undefined ? { answerUsage } : {}
      const story = {
        ...(failure === undefined ? {} : { failure }),
        ...(queuedMs === 0 ? {} : { queuedMs }),
        ...(passed.length === 0 ? {} : { passed }),
      }
      return { finishReason, attempts, ...ofAnswer, ...story }
    }
    const { lookup } = asking
    const isLostOwners = draft.hasText && begun?.isUnlogged !== true
    const wasWhole = isLostOwners && begun?.meta ? finishOfWhole(begun.meta, begun.attempts) : undefined
    if (wasWhole !== undefined) return ended({ kind: 'finished', finishReason: wasWhole })
    if (signal.aborted) return ended(abortedBy(signal))
    if (start.deferredFrom?.isOver === true) return ended(giveUp(draft, routed))
    if (lookup.kind === 'fresh') {
      draft.appendWhole(cachedSource(lookup, ''), lookup.answer.text)
      return ended({ kind: 'finished', finishReason: 'stop' })
    }
    if (await isAnsweredAlone(running)) return ended({ kind: 'finished', finishReason: 'stop' })
    const walked = await walk(running, asking)
    // A grant used up without text, for example by thinking: for a caller's own prompt it is an end, for a shopper no
    // answer.
    const isWordless = walked.end?.finishReason === 'length' && !draft.hasText && policy.mayFallBack
    if (walked.end !== undefined && !isWordless) return ended(walked.end)
    if (draft.hasText || !policy.mayFallBack) {
      const { retryAfterMs } = walked
      return { ...ended(withoutFallback(walked)), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    const reason = isWordless ? 'length' : walked.reason
    return ended(await parts.fallBack(draft, { ...walked, reason, routed, lookup }, signal))
  }

  /** Answers what needs no model; false where a model has to be asked after all. */
  async function isAnsweredAlone({ draft, routed, signal }: RunningAnswer): Promise<boolean> {
    if (routed.plan?.isAlone !== true || draft.hasText) return false
    const said = await parts.respond?.(routed, signal)
    if (said === undefined || said.text === '' || signal.aborted) return false
    const source = { type: 'source', tier: 'embedded', model: said.model, degraded: false, confidence: 1 } as const
    draft.appendWhole(source, said.text)
    return true
  }

  function giveUp(draft: AnswerDraft, { start }: Routed): Extract<RungEnd, { readonly kind: 'finished' }> {
    const { language, turnId } = start
    const source = { type: 'source', tier: 'message', model: 'message', degraded: true, confidence: 0.1 } as const
    draft.appendWhole({ ...source, reason: 'gave-up' }, gaveUpWords({ language, turnId, store: config.store }))
    return { kind: 'finished', finishReason: 'stop' }
  }

  return (routed, asking, signal) => (emit) => {
    const draft = new AnswerDraft(routed, emit)
    draft.span = routed.scope.span('invocation')
    // The reader of a turn that was taken over begins to wait again.
    const firstWord = promiseOf(routed, routed.begun === undefined ? routed.start.acceptedAt : clock.now())
    return draft.span.within(() => answer({ draft, routed, firstWord, signal }, asking))
  }
}

/** The hold cannot pay for any model, or not for the first choice nor one above it. */
function isShort({ ladder, plan }: Routed): boolean {
  const [first] = ladder
  return first === undefined || (plan?.notBelow !== undefined && !plan.notBelow.includes(first.name))
}

/** The ladder; for a lost owner's answer, the model that began it comes first. */
function inOrder(routed: Routed): readonly Pick<RungContext, 'rung' | 'isBelow'>[] {
  const { begun, ladder } = routed
  const rungs = ladder.map((rung) => ({ rung, isBelow: isBelowFirst(routed, rung) }))
  const spoke = ({ rung }: (typeof rungs)[number]) => rung.model.id === begun?.meta?.model
  return [...rungs.filter(spoke), ...rungs.filter((entry) => !spoke(entry))]
}
