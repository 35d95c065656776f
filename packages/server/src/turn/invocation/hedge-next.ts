// Decides whether the next model of the ladder is hedged when one is slow: at most once a turn, within the node's share of
// such calls, only on a healthy lane, only where the budget covers both calls in full, and never to continue shown text.
// Refusals are counted with their reason.
import type { Config } from '#config/config.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import { add } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { Random } from '#ports/random/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { needOf, usedBy } from '#domain/budget/need.ts'
import type { Routed, Rung } from '../turn.ts'
import type { Call } from './attempt.ts'
import { heldPermit } from './held-permit.ts'
import type { HeldPermit } from './held-permit.ts'
import { HedgeShare } from './hedge.ts'
import type { Hedging, PreparedRun, Run } from './hedge.ts'
import type { AnswerDraft } from './answer-draft.ts'

export interface HedgeNextParts {
  readonly random: Pick<Random, 'id'>
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'hedge' | 'retries'>
  readonly estimates: Pick<Estimates, 'guarded'>
  readonly lanes: Lanes
  readonly typical: TypicalTimes
  readonly settings: Pick<RunSettings, 'isOff'>
  /** Raises the turn's hold; false when there is no room. */
  readonly extend: (turn: Pick<Routed, 'start' | 'policy'>, to: Amounts) => Promise<boolean>
}

export interface Hedged {
  readonly draft: AnswerDraft
  readonly routed: Routed
  /** The call in flight. */
  readonly call: Call
  /** The next model; undefined when there is none that a vendor serves and that fits the time. */
  readonly next: Rung | undefined
  /** Whether the next model still has the time that it needs. */
  readonly fits: () => boolean
  readonly make: (call: Call, held: HeldPermit) => Run
}

/** The returned function gives undefined when no second model is asked. */
export function createHedgeNext(parts: HedgeNextParts): (hedged: Hedged) => Hedging | undefined {
  const { random, config, estimates, lanes, telemetry, typical } = parts
  const share = new HedgeShare(config.hedge.shareMax)

  async function isPaidFor({ draft, routed, call }: Hedged, second: Call): Promise<boolean> {
    const both = add(needOf(call, call.rung, estimates), needOf(second, second.rung, estimates))
    try {
      return await parts.extend(routed, add(usedBy(draft.attempts), both))
    } catch (error) {
      routed.scope.log('warn', 'budget.extend-failed', { turnId: routed.start.turnId }, error)
      return false
    }
  }

  async function prepare(hedged: Hedged, next: Rung): Promise<PreparedRun | undefined> {
    const { call, fits, draft } = hedged
    const refuse = (why: 'attempts' | 'budget' | 'lane' | 'share' | 'time') => {
      telemetry.count('model_hedge_refused_total', { model: call.rung.name, reason: why })
      return undefined
    }
    if (draft.attempts.length + 2 > config.retries.attemptsPerTurnMax) return refuse('attempts')
    if (!fits()) return refuse('time')
    if (!isWell(lanes.seen(next.lane))) return refuse('lane')
    if (!share.take()) return refuse('share')
    const second: Call = { ...call, rung: next }
    if (!(await isPaidFor(hedged, second))) {
      share.putBack()
      return refuse('budget')
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
    const { call, next, routed } = hedged
    const { begun, policy } = routed
    if (
      !config.hedge.enabled ||
      parts.settings.isOff('hedging') ||
      call.shown !== '' ||
      !policy.mayHedge ||
      begun !== undefined
    )
      return undefined
    share.earn()
    const afterMs = typical.p95(call.rung.name)
    if (next === undefined || afterMs === undefined || hedged.draft.hasHedged) return undefined
    return { afterMs, prepare: () => prepare(hedged, next) }
  }
}

function isWell({ inFlight, level, limit, phase }: LaneView): boolean {
  return phase === 'closed' && level === 'normal' && (limit === null || inFlight < limit)
}
