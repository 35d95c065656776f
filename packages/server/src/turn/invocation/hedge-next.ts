// Decides whether the next model of the ladder is asked too when one is slow: at its usual time, and at the latest when the
// promise of the first word needs it; at most once a turn, within the node's share of such calls, only on a healthy lane,
// only where the budget covers both calls, and never to continue shown text. Where both may not be asked, the slow one is
// left for the next. Refusals are counted with their reason.
import type { Config } from '#config/config.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import { add } from '#domain/budget/quota.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { besideMicroUsd, needOf, usedBy } from '#domain/budget/need.ts'
import { isPromised } from '#domain/turn/first-word.ts'
import type { Rung } from '../turn.ts'
import type { Call } from './attempt.ts'
import { heldPermit } from './held-permit.ts'
import type { HeldPermit } from './held-permit.ts'
import { HedgeShare } from './hedge.ts'
import type { Hedging, PreparedRun, Run } from './hedge.ts'
import type { Extend, RunningAnswer } from './rung-context.ts'

export interface HedgeNextParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'id'>
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'hedge' | 'retries'>
  readonly estimates: Pick<Estimates, 'guarded'>
  readonly lanes: Lanes
  readonly typical: TypicalTimes
  readonly settings: Pick<RunSettings, 'isOff'>
  /** How many nodes share the cluster's cap of second calls. */
  readonly nodes: () => number
  readonly extend: Extend
}

export interface Hedged extends Pick<RunningAnswer, 'draft' | 'firstWord' | 'routed'> {
  /** The call in flight. */
  readonly call: Call
  /** The next model; undefined when there is none that a vendor serves and that fits the time. */
  readonly next: Rung | undefined
  /** Whether the next model still has the time that it needs. */
  readonly fits: () => boolean
  readonly isThirdFree: () => boolean
  readonly isThinking: () => boolean
  readonly make: (call: Call, held: HeldPermit) => Run
}

/** The second model, and whether it is worth leaving the first one for. */
interface Next {
  readonly rung: Rung
  readonly isBetter: () => boolean
  /** Whether no word of the first is to be expected any more. */
  readonly isHopeless: () => boolean
}

/** The returned function gives undefined when no second model is asked. */
export function createHedgeNext(parts: HedgeNextParts): (hedged: Hedged) => Hedging | undefined {
  const { clock, random, config, estimates, lanes, telemetry, typical } = parts
  const share = new HedgeShare({ ...config.hedge, clock, nodes: parts.nodes })

  async function isPaidFor({ draft, routed, call }: Hedged, second: Call): Promise<boolean> {
    const both = add(needOf(call, call.rung, estimates), needOf(second, second.rung, estimates))
    const { attempts } = draft
    try {
      return await parts.extend(routed, add(usedBy(attempts), both), besideMicroUsd(attempts))
    } catch (error) {
      routed.scope.log('warn', 'budget.extend-failed', { turnId: routed.start.turnId }, error)
      return false
    }
  }

  function isOff(): boolean {
    return !config.hedge.enabled || parts.settings.isOff('hedging')
  }

  async function prepare(
    hedged: Hedged,
    { rung: next, isBetter, isHopeless }: Next,
    isLast: boolean,
  ): Promise<PreparedRun | 'leave' | undefined> {
    const { call, fits, draft } = hedged
    const refuse = (why: 'attempts' | 'budget' | 'lane' | 'share' | 'time' | 'off', mayLeave = false) => {
      telemetry.count('model_hedge_refused_total', { model: call.rung.name, reason: why })
      return isLast && mayLeave && isBetter() ? 'leave' : undefined
    }
    if (draft.attempts.length + 2 > config.retries.attemptsPerTurnMax) return refuse('attempts')
    if (!fits()) return refuse('time')
    const view = lanes.seen(next.lane)
    // A model that refuses calls for load has a queue: a turn that left another for it might get neither.
    if (!hasRoom(view)) return refuse('lane', isHopeless())
    if (isOff()) return refuse('off', true)
    // In a storm second calls stop first.
    if (view.phase !== 'closed' || view.level !== 'normal') return refuse('lane', true)
    if (!share.take()) return refuse('share', true)
    const second: Call = { ...call, rung: next }
    if (!(await isPaidFor(hedged, second))) {
      share.putBack()
      return refuse('budget', true)
    }
    const permit = await lanes.permit(next.lane, { id: random.id('permit'), ask: { kind: 'first' } })
    if (permit.kind === 'refused') {
      share.putBack()
      return refuse('lane')
    }
    const held = heldPermit(lanes, next.lane, permit.permit.id)
    const giveBack = () => {
      held.report('neutral')
      share.putBack()
    }
    return { run: hedged.make(second, held), giveBack }
  }

  return function hedgeNext(hedged) {
    const { call, firstWord, next, routed } = hedged
    const { begun, policy } = routed
    const isContinued = call.shown !== '' || (begun !== undefined && begun.text !== '')
    if (isContinued || !policy.mayHedge || !isPromised(firstWord)) return undefined
    share.earn()
    if (next === undefined || hedged.draft.hasHedged) return undefined
    const now = clock.now()
    // A first model that is slow by nature keeps its time where the second, by its own, still speaks within the promise.
    const roomMs = firstWord.modelsBy - now - (typical.p95(next.name) ?? Number.POSITIVE_INFINITY)
    const natureMs = typical.natureMs(call.rung.name) ?? 0
    const latestMs = Math.max(firstWord.leastMs, firstWord.secondBy - now, Math.min(natureMs, roomMs))
    const usualMs = typical.p95(call.rung.name) ?? Number.POSITIVE_INFINITY
    // A first model within its own nature is not left for one that usually speaks after the promise: then neither would answer.
    const isBetter = () => clock.now() - now >= natureMs || clock.now() + typical.of(next.name) <= firstWord.modelsBy
    // Behind a queue of its provider a call may still be answered; where the others are answered as usual, it will not be.
    const isHopeless = () => clock.now() - now >= natureMs && !lanes.seen(call.rung.lane).isSlow
    return {
      afterMs: usualMs < latestMs ? [usualMs, latestMs] : [latestMs],
      prepare: (isLast) => prepare(hedged, { rung: next, isBetter, isHopeless }, isLast),
      isThirdFree: hedged.isThirdFree,
      isThinking: hedged.isThinking,
    }
  }
}

function hasRoom({ inFlight, limit, pace, phase }: LaneView): boolean {
  return (phase === 'closed' || phase === 'recovering') && pace === null && (limit === null || inFlight < limit)
}
