// Calls one model of the ladder until it has answered or another should be asked: a permit, a call, and the next try while
// the lane, the limits of tries and the promise of the first word allow it. After text was shown the next call continues it
// and never starts again. Every permit is reported once, whatever happens to its call.
import type { Config } from '#config/config.ts'
import { wordsBy } from '#domain/turn/deadline.ts'
import { delaysFor } from '#domain/retry/delays-for.ts'
import { planRetry } from '#domain/retry/plan-retry.ts'
import type { RetryPlan } from '#domain/retry/plan-retry.ts'
import { add, exceeds, NOTHING } from '#domain/budget/quota.ts'
import { isPromised, THINKING_MAX_MS } from '#domain/turn/first-word.ts'
import type { FirstWord } from '#domain/turn/first-word.ts'
import { bookedInFull } from '#domain/ledger/booked-in-full.ts'
import type { RejectionCause, Rejections } from '#domain/model/rejections.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import type { Place } from '#domain/queue/fair-queue.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { besideMicroUsd, needOf, usedBy } from '#domain/budget/need.ts'
import type { Routed, Rung } from '../turn.ts'
import { attempt, promptOf } from './attempt.ts'
import type { Attempted, AttemptEnd, Call } from './attempt.ts'
import { attemptFields, CallWords, circuitSeen, endedFields, permitAsked } from './call-trace.ts'
import { retryPlanned, seamMade, sentTrace } from './call-trace.ts'
import { promptAfter } from './continue.ts'
import { heldPermit } from './held-permit.ts'
import { isOutrun, race } from './hedge.ts'
import type { RaceLane, Run } from './hedge.ts'
import { createHedgeNext } from './hedge-next.ts'
import { TimeoutBlame } from './timeout-blame.ts'
import type { Entered, Entry, WaitingQueue } from './waiting-queue.ts'
import { permitOutcome } from './permit-outcome.ts'
import { priorityOf } from './priority-of.ts'
import { beginningOf } from './beginning-of.ts'
import { reportCall } from './report-call.ts'
import { abortedBy, endOf, notEntered } from './rung-end.ts'
import type { RungEnd } from './rung-end.ts'
import type { Making, PermittedCall, Tries, Turn } from './rung-call.ts'
import { sourceOf } from './source-of.ts'
import { isStoppedByUs, judgedEnd } from './stopped-call.ts'
import type { AnswerDraft } from './answer-draft.ts'
import { isVendors } from './rung-context.ts'
import type { Extend, RungContext, RunningAnswer } from './rung-context.ts'

export interface CallRungParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly config: Config
  readonly estimates: Pick<Estimates, 'counterFor' | 'guarded' | 'observe'>
  readonly lanes: Lanes
  readonly rejections: Pick<Rejections, 'barred' | 'ended'>
  readonly line: Pick<WaitingQueue, 'enter'>
  readonly typical: TypicalTimes
  readonly settings: Pick<RunSettings, 'isOff'>
  /** How many nodes share the cluster's cap of second calls. */
  readonly nodes: () => number
  readonly extend: Extend
}

export type CallRung = (answer: RunningAnswer, context: RungContext) => Promise<RungEnd>

/** Time for a retry to wake up and get its permit. */
const PERMIT_MS = 100
/** A permit lasts this much longer than the turn, so that its report always comes first. */
const LEASE_SLACK_MS = 5000
/** The least time between a refusal and the queue, and its spread. */
const PACE_WAIT_MS = 100
const PACE_SPREAD = 0.25
/** The reason when a hedged lower model answered first. */
const HEDGED = 'hedged'

export function createCallRung(parts: CallRungParts): CallRung {
  const { clock, random, telemetry, config, lanes, rejections, typical } = parts
  const { deadlines, queue, tokens } = config
  const timeouts = new TimeoutBlame(clock)
  const hedgeNext = createHedgeNext(parts)

  /**
   * The time that a call of this model needs. With less time left the call is not made, even if the time passed while the
   * call waited for its permit. Within the promise a usual time is no reason not to ask: another model is asked beside it.
   */
  const needMs = ({ name }: Rung, firstWord: FirstWord) =>
    isPromised(firstWord)
      ? Math.min(typical.of(name), firstWord.askedMs)
      : Math.max(typical.of(name), deadlines.noModelUnderMs)

  /** The time left for the next text. The built-in responder needs none of the time that models have. */
  function msLeft({ draft, firstWord, routed: { start } }: RunningAnswer, rung: Rung): number {
    const by = wordsBy(start.deadlines, draft.hasText, deadlines)
    return (draft.hasText || !isVendors(rung) ? by : Math.min(by, firstWord.modelsBy)) - clock.now()
  }

  /**
   * A shopper's question is not the first probe of a sick model while anything else can answer: a house call is
   * (`heal-lane.ts`). Undefined: the lane may be asked.
   */
  function shut({ firstWord }: RunningAnswer, { othersCan, rung }: RungContext): Entered | undefined {
    if (!isPromised(firstWord) && !othersCan()) return undefined
    const { opensAt, phase, probes } = lanes.seen(rung.lane)
    if (phase === 'half-open' && probes?.stage === 0) return { kind: 'refused', why: 'probing' }
    if (phase !== 'open') return undefined
    return {
      kind: 'refused',
      why: 'open',
      ...(opensAt === null ? {} : { retryAfterMs: Math.max(0, opensAt - clock.now()) }),
    }
  }

  /** Nor is it a call that its vendor is known to reject; undefined: the model may be asked. */
  function barred({ draft, firstWord }: RunningAnswer, { othersCan, rung }: RungContext): RejectionCause | undefined {
    const reason = isPromised(firstWord) || othersCan() ? rejections.barred(rung.name) : undefined
    if (reason !== undefined && draft.span.trace !== undefined)
      draft.span.event('lane.permit-refused', { model: rung.name, laneId: rung.lane, reason })
    return reason
  }

  async function enter(answer: RunningAnswer, context: RungContext): Promise<Entered> {
    const { draft, firstWord, routed, signal } = answer
    const { start } = routed
    const { lane } = context.rung
    const from = clock.now()
    let hasWaited = false
    const reserveMs = isPromised(firstWord)
      ? needMs(context.rung, firstWord)
      : Math.max(queue.reserveMs, needMs(context.rung, firstWord))
    const mustNotWait = context.othersCan() || context.othersWork()
    const waitMaxMs = mustNotWait ? 0 : Math.max(0, Math.min(queue.lifeMs, msLeft(answer, context.rung) - reserveMs))
    const asked = {
      sessionId: start.sessionId,
      priority: priorityOf(routed),
      isGuest: start.principal.kind === 'guest',
      firstWordBy: from + waitMaxMs + queue.reserveMs,
      waitMaxMs,
      signal,
      onPlace: (queued: Place) => {
        const { name: model } = context.rung
        if (!hasWaited) draft.span.event('lane.queue-entered', { model, laneId: lane, position: queued.position })
        hasWaited = true
        if (!signal.aborted) draft.emit({ type: 'queued', place: queued })
      },
    } satisfies Entry
    const entered = shut(answer, context) ?? (await parts.line.enter(lane, asked))
    // By the configured name; the lane's name contains the region.
    const labels = { lane: context.rung.name, outcome: permitOutcome(entered) }
    telemetry.count('lane_permit_requests_total', labels)
    const waitMs = clock.now() - from
    if (hasWaited) {
      draft.queuedMs += waitMs
      telemetry.observe('lane_queue_wait_seconds', waitMs / 1000, labels)
    }
    circuitSeen(draft, context.rung, lanes)
    permitAsked(draft, context.rung, { entered, ...(hasWaited ? { waitMs } : {}) })
    return entered
  }

  /** The request; undefined when the shown text has used up the grant. */
  function callOf({ shown }: AnswerDraft, routed: Routed, rung: Rung): Call | undefined {
    const prompt = promptAfter(shown, routed, rung.model)
    const call = { ...routed, ...prompt, rung, shown }
    if (shown === '' || prompt.says !== 'the-rest') return call
    const counter = parts.estimates.counterFor([rung.name])
    const tokensLeft = rung.maxOutputTokens - counter.text(shown)
    if (tokensLeft <= 0) return undefined
    return {
      ...call,
      rung: { ...rung, maxOutputTokens: tokensLeft + counter.text(prompt.again ?? '') },
      estimatedInputTokens: counter.prompt({ system: routed.system, messages: prompt.messages }),
    }
  }

  /** The hold covers one call. Before another, it is raised by what earlier attempts used. */
  async function isPaidFor({ attempts }: AnswerDraft, routed: Routed, call: Call): Promise<boolean> {
    const { scope: telemetry } = routed
    const [used, beside] = [usedBy(attempts), besideMicroUsd(attempts)]
    if (beside === 0 && !exceeds(used, NOTHING)) return true
    try {
      if (await parts.extend(routed, add(used, needOf(call, call.rung, parts.estimates)), beside)) return true
    } catch (error) {
      telemetry.log('warn', 'budget.extend-failed', { turnId: routed.start.turnId }, error)
    }
    telemetry.count('budget_extend_refused_total')
    return false
  }

  /** Makes one call under its permit, records and reports it. */
  async function make({ draft, call, held }: PermittedCall, turn: Turn): Promise<Attempted> {
    const { rung, shown, estimate, estimatedInputTokens } = call
    const { model, tier, name } = rung
    const number = draft.newNumber()
    const began = beginningOf(draft, turn, rung)
    const counter = parts.estimates.counterFor([name])
    const provider = config.models[name]?.provider
    const about = { attempt: number, isHedge: turn.isHedge, provider, sessionId: turn.routed.start.sessionId }
    using span = draft.span.span('attempt', attemptFields(call, about))
    const words = config.telemetry.messages && span.trace !== undefined ? new CallWords(call) : undefined
    draft.emit({
      type: 'attempt-start',
      attempt: {
        attempt: number,
        model: model.id,
        tier,
        estimatedInputTokens,
        ...(estimate === undefined ? {} : { estimate }),
        ...promptOf(call),
        name,
        ...(turn.isHedge === true ? { isHedge: true as const } : {}),
        began,
        startedAt: clock.now(),
      },
    })
    const from = clock.now()
    const sent = { ...call, ...sentTrace(span, config.telemetry.propagate) }
    const attempted = await attempt({ clock, limits: limitsOf(call, turn), number, counter }, sent, {
      signal: turn.signal,
      say: turn.say,
      ...(words === undefined ? {} : { onText: words.hear }),
      ...(turn.onThinking === undefined ? {} : { onThinking: turn.onThinking }),
      onAlive: () => held.served(Math.max(0, call.start.deadlines.endBy - clock.now()) + LEASE_SLACK_MS),
      onSpoken: (after) => typical.see(name, clock.now() - from, after),
    })
    const isStopped = isStoppedByUs(attempted, turn)
    const record = { ...attempted.record, began, ...(isStopped ? bookedInFull(attempted.record, rung, typical) : {}) }
    const made = { ...attempted, record }
    const judged = judgedEnd(made, { firstWord: turn.firstWord, usualMs: typical.natureMs(name) })
    held.report(judged === undefined ? 'neutral' : timeouts.judge(rung.lane, turn.routed, judged))
    rejections.ended(name, made.record)
    draft.ended(made.record, { isPrefilled: call.isPrefilled === true })
    if (made.end.kind === 'ended') typical.seeAnswer(name, made.record.usage.outputTokens, made.spokeMs)
    if (made.inputTokensReported !== undefined) parts.estimates.observe(name, call, made.inputTokensReported)
    if (isStopped) typical.seeLeft(name, clock.now() - from)
    reportCall(turn.routed.scope, { ...call, tries: turn.tries }, made)
    seamMade(draft, call, made)
    span.end(isFailed(made) ? 'failed' : 'completed', endedFields(made), words?.content())
    if (shown !== '' && made.spoke) {
      telemetry.count('turn_continued_total', { model: name, outcome: made.record.outcome })
    }
    return made
  }

  /** Makes the call and, where needed, a call of the next model beside it or in its place; returns the one that answered. */
  async function makeHedged(
    { answer, context, call, draft, held }: Making,
    turn: Turn,
    sayAs: (context: RungContext) => (text: string) => void,
  ): Promise<{ readonly made: Attempted; readonly isHedge: boolean }> {
    const next = context.second()
    draft.isThinking = false
    const showThinking = (thinker: RungContext) => {
      if (!draft.hasText) draft.emit({ type: 'thinking', source: sourceOf(thinker) })
    }
    const onThinking = () => {
      draft.isThinking = true
      showThinking(context)
    }
    const hedging = hedgeNext({
      ...answer,
      call,
      next: next?.rung,
      fits: () =>
        next !== undefined &&
        rejections.barred(next.rung.name) === undefined &&
        msLeft(answer, next.rung) >= needMs(next.rung, answer.firstWord),
      isThirdFree: () => next !== undefined && context.isThirdFree(next.rung),
      isThinking: () => draft.isThinking,
      make: (second, permit) => (lane) => {
        draft.hasHedged = true
        const hedged = { ...context, ...next, reason: HEDGED }
        // Both have had their time then: no further model gets the promise again.
        const thinks = () => showThinking(hedged)
        const own = { ...turn, tries: 1, isHedge: true, msLeft: msLeft(answer, second.rung), onThinking: thinks }
        const say = sayAs(hedged)
        return make({ draft, call: second, held: permit }, { ...own, signal: lane.signal, say: spoken(lane, say) })
      },
    })
    const first = { ...turn, onThinking }
    if (hedging === undefined) return { made: await make({ draft, call, held }, first), isHedge: false }
    const run: Run = (lane) =>
      make({ draft, call, held }, { ...first, signal: lane.signal, say: spoken(lane, turn.say) })
    const raced = await race({ clock, signal: turn.signal }, run, {
      ...hedging,
      // At once: an owner that is lost while the winner writes must have booked it.
      onOutrun: ({ record }) => draft.emit({ type: 'attempt-end', record, isBeside: true }),
    })
    if (raced.other === undefined) return raced
    if (!isOutrun(raced.other)) draft.emit({ type: 'attempt-end', record: raced.other.record, isBeside: true })
    const outcome = raced.isHedge ? 'won' : raced.made.spoke ? 'lost' : 'failed'
    if (outcome === 'failed') draft.failedBeside = next?.rung.name
    telemetry.count('model_hedges_total', { model: call.rung.name, outcome })
    draft.span.event('model.hedged', { model: call.rung.name, hedgeOutcome: outcome })
    return raced
  }

  function limitsOf({ rung }: Call, { firstWord, msLeft: left }: Turn) {
    const { firstTokenMs, stallMs, thinkingMs, thinkingTokensMax } = { ...deadlines, ...tokens, ...rung.limits }
    const common = { ...tokens, stallMs, thinkingTokensMax }
    if (!isPromised(firstWord)) {
      const thinkingMaxMs = Math.min(Math.max(thinkingMs, firstTokenMs), left)
      return { ...common, firstTokenMs: Math.min(firstTokenMs, left), thinkingMs: thinkingMaxMs }
    }
    // A model that shows that it thinks keeps its usual time; of its own limits the shop knows better.
    const usualMs = Math.min(thinkingMs, THINKING_MAX_MS, typical.thinkingMs(rung.name) ?? THINKING_MAX_MS)
    const ownMs = rung.limits?.firstTokenMs ?? left
    return { ...common, firstTokenMs: Math.min(ownMs, left), thinkingMs: Math.max(left, usualMs) }
  }

  /**
   * A throttled question that no other model can answer goes back to the queue, which the pace of the lane serves; after the provider's own
   * time, or a moment. Undefined: it does not wait there.
   */
  function waitForPace(
    { class: failed, retryAfterMs = 0 }: Extract<AttemptEnd, { readonly kind: 'failed' }>,
    { answer, context, tries }: Omit<Tries, 'delays'>,
  ): number | undefined {
    const { draft, firstWord } = answer
    const { attemptsPerModelMax, attemptsPerTurnMax } = config.retries
    if (tries >= attemptsPerModelMax || draft.attempts.length >= attemptsPerTurnMax) return undefined
    if (failed !== 'throttled' || !isPromised(firstWord) || context.othersWork()) return undefined
    if (lanes.seen(context.rung.lane).phase !== 'closed') return undefined
    const waitMs = Math.max(retryAfterMs, PACE_WAIT_MS) * (1 + PACE_SPREAD * random.float())
    return waitMs + needMs(context.rung, firstWord) > msLeft(answer, context.rung) ? undefined : Math.round(waitMs)
  }

  function again(
    failed: Extract<AttemptEnd, { readonly kind: 'failed' }>,
    { answer, context, tries, delays }: Tries,
  ): RetryPlan {
    const { draft, firstWord } = answer
    const { rung } = context
    const { level, phase } = lanes.seen(rung.lane)
    // Such a lane grants no retry, so the backoff before it would be lost time.
    if (phase !== 'closed') return { kind: 'give-up', why: 'lane' }
    const now = clock.now()
    const plan = planRetry(
      {
        failure: failed,
        attemptsOnModel: tries,
        attemptsOfTurn: draft.attempts.length,
        level,
        delays,
      },
      {
        now,
        firstWordBy: now + msLeft(answer, rung),
        typicalMs: needMs(rung, firstWord) + PERMIT_MS,
        float: random.float(),
      },
      config.retries,
    )
    if (plan.kind === 'give-up') return plan
    // What is slept counts, not what the provider asked for, and all pauses of the turn together.
    const isTooLong = context.othersCan() && draft.pausedMs + plan.delayMs > firstWord.pausesMs
    return isTooLong ? { kind: 'give-up', why: 'deadline' } : plan
  }

  return async function callRung(answer, context) {
    const { draft, firstWord, routed, signal } = answer
    const { rung } = context
    const rejected = barred(answer, context)
    if (rejected !== undefined) return { kind: 'failed', failure: rejected, reason: rejected }
    const entered = await enter(answer, context)
    if (entered.kind !== 'permit') return notEntered(entered, signal)
    let permitId = entered.permit.id
    let delays = delaysFor(config.retries)
    let hasSpoken = false
    let delayMs: number | undefined
    let failed: RungEnd = { kind: 'failed', failure: 'no-time', reason: 'no-time' }
    const sayAs = (speaker: RungContext) => (text: string) => {
      if (!hasSpoken) draft.introduce(sourceOf(speaker))
      hasSpoken = true
      draft.append(text)
    }
    for (let tries = 1; ; tries += 1) {
      using held = heldPermit(lanes, rung.lane, permitId)
      if (signal.aborted) return abortedBy(signal)
      const call = callOf(draft, routed, rung)
      if (call === undefined) return { kind: 'finished', finishReason: 'length' }
      const isPaid = (await context.isHeld) !== false && (await isPaidFor(draft, routed, call))
      if (!isPaid) return { kind: 'failed', failure: 'budget', reason: 'budget' }
      const from = clock.now()
      const left = msLeft(answer, rung)
      if (left < needMs(rung, firstWord)) return failed
      const turn = { signal, say: sayAs(context), msLeft: left, firstWord, routed, tries, delayMs }
      const { made, isHedge } = await makeHedged({ answer, context, call, draft, held }, turn, sayAs)
      if (made.end.kind === 'failed' || made.end.kind === 'misfit') {
        draft.drop()
        hasSpoken &&= draft.hasText
      } else draft.commit()
      const end = endOf(made, draft.hasText)
      if (end.kind === 'finished') return end
      failed = end
      draft.emit({ type: 'attempt-end', record: made.record })
      // The model that sent text is the next one of the walk, which continues it.
      if (made.end.kind !== 'failed' || isHedge) return end
      const waitMs = waitForPace(made.end, { answer, context, tries })
      if (waitMs !== undefined) {
        circuitSeen(draft, rung, lanes)
        await clock.sleep(waitMs, signal).catch(() => {})
        const next = await enter(answer, context)
        if (next.kind !== 'permit') return signal.aborted ? abortedBy(signal) : end
        permitId = next.permit.id
        continue
      }
      const plan = again(made.end, { answer, context, tries, delays })
      const failure = { plan, failed: made.end.class }
      circuitSeen(draft, rung, lanes)
      if (plan.kind === 'give-up') {
        retryPlanned(draft, rung, failure)
        return end
      }
      draft.pausedMs += plan.delayMs
      // An abort wakes it early, and is checked next.
      await clock.sleep(plan.delayMs, signal).catch(() => {})
      if (signal.aborted) return abortedBy(signal)
      permitId = random.id('permit')
      const after = { class: made.end.class, tookMs: clock.now() - from - plan.delayMs }
      const granted = await lanes.permit(rung.lane, { id: permitId, ask: { kind: 'retry', after } })
      const outcome = granted.kind === 'permit' ? 'permit' : granted.why
      telemetry.count('model_retries_total', { model: rung.name, outcome })
      retryPlanned(draft, rung, { ...failure, ...(granted.kind === 'refused' ? { refused: granted.why } : {}) })
      if (granted.kind === 'refused') return end
      delays = plan.delays
      delayMs = plan.delayMs
    }
  }
}

/** Passes on text only of the call that sent text first. */
function spoken(lane: RaceLane, say: (text: string) => void): (text: string) => void {
  return (text) => {
    if (lane.maySpeak()) say(text)
  }
}

/** A call that lost to its hedge has not failed. */
function isFailed({ end }: Attempted): boolean {
  return end.kind === 'misfit' || (end.kind === 'failed' && end.class !== 'cancelled')
}
