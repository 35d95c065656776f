// The default controller of a lane: limits the calls in flight while part of them fail, opens the circuit only on nearly total
// loss, probes again soon, and starts slowly. Each phase has one function that computes the next phase.
import { sumSince } from './cells.ts'
import { opened, nextProbing, probingGate } from './circuit.ts'
import type { TickMoment } from './circuit.ts'
import type { LaneCounts } from './counts.ts'
import type { Gate } from './gate.ts'
import { cutFor, goodInFlight, goodWaitMs, isQuick, nextLimit, overloadRatio } from './in-flight-limit.ts'
import { nextShown } from './level.ts'
import { nextPace, startsOf } from './pace.ts'
import type { Level } from './level.ts'
import { isOperated } from './operate.ts'
import type { LanePolicy } from './policy.ts'
import { bucketMax, refilledByTime, retryGate } from './retry-bucket.ts'
import type { LaneSettings } from './settings.ts'
import { startState } from './state.ts'
import type { Closed, HalfOpen, LaneState, Recovering } from './state.ts'
import { isSuspect, isTripped } from './trip.ts'

export function adaptivePolicy(settings: LaneSettings): LanePolicy {
  return {
    name: 'adaptive',
    settings,
    tick(state, counts, moment) {
      if (state.policy !== 'adaptive') return { ...startState('adaptive', moment.now), epoch: state.epoch + 1 }
      // The clocks of two ticking nodes differ; a state never goes back in time.
      const now = Math.max(moment.now, state.tickedAt)
      const next = isOperated(state) ? state : step(state, { counts, settings, now, float: moment.float })
      const deserved = deservedLevel(next, counts, { now, settings })
      return {
        ...next,
        shown: nextShown(state.shown, deserved, { now, dwellMs: settings.level.dwellMs }),
        tickedAt: now,
        ...refilledByTime(state, now, settings.retry),
      }
    },
    gate: (state, counts, now) => gateOf(state, counts, { now, settings }),
  }
}

interface TickInput extends TickMoment {
  readonly counts: LaneCounts
  readonly settings: LaneSettings
}

function step(state: LaneState, input: TickInput): LaneState {
  const { phase } = state
  const { counts, settings, now } = input
  if (phase.kind === 'open' || phase.kind === 'half-open') {
    const { open: openTime, probeStages } = settings
    const passed = (halfOpen: HalfOpen) => recovering(halfOpen, input)
    return nextProbing(state, phase, { probes: counts.probes, probeStages, openTime, moment: input, passed })
  }
  if (isTripped(counts, settings, { now, since: phase.since })) return opened(state, settings.open, input)
  return { ...state, phase: phase.kind === 'closed' ? nextClosed(phase, input) : nextRecovering(phase, input) }
}

function nextClosed(phase: Closed, { counts, settings, now }: TickInput): Closed {
  const recent = sumSince(counts.cells, Math.max(phase.since, now - settings.limit.windowMs))
  const isWell = recent.calls > 0 && recent.failures <= recent.calls * settings.limit.growBelow
  const good = { goodInFlight: goodInFlight(counts) }
  return {
    ...phase,
    ...nextLimit(phase, counts, { now, settings: settings.limit, isPaced: settings.pace !== null }),
    pace: nextPace(phase.pace ?? null, counts, {
      now,
      since: phase.since,
      settings,
      isQuick: isQuick(phase, recent, settings.limit),
    }),
    ...(isWell && phase.limit === null ? good : {}),
    goodWaitMs: goodWaitMs(phase, recent, settings.limit),
  }
}

function recovering({ openedMs, goodInFlight, goodWaitMs }: HalfOpen, { settings, now }: TickInput): Recovering {
  const limit = Math.max(settings.limit.floor, Math.ceil(goodInFlight / 2))
  return { kind: 'recovering', since: now, openedMs, goodInFlight, goodWaitMs, limit }
}

/** Doubles the limit with every clean tick until the usual number in flight is reached; a tick without calls changes nothing. */
function nextRecovering(phase: Recovering, { counts, settings, now }: TickInput): Recovering | Closed {
  const { growBelow, floor, windowMs } = settings.limit
  const last = sumSince(counts.cells, Math.max(phase.since, now - 2 * settings.tickMs))
  const isClean = last.calls > 0 && last.overloads <= last.calls * growBelow
  const cut = cutFor(overloadRatio(counts, Math.max(phase.since, now - windowMs), settings.limit), settings.limit)
  const limit = isClean ? phase.limit * 2 : Math.max(floor, Math.floor(phase.limit * cut))
  // The time limit is for a lane with a few persistent failures, which would otherwise never leave slow start.
  const isOver = (isClean && limit >= phase.goodInFlight) || now - phase.since >= settings.slowStartMaxMs
  if (!isOver) return { ...phase, limit }
  const { openedMs, goodInFlight, goodWaitMs } = phase
  const common = { since: now, openedMs, goodInFlight, goodWaitMs }
  return { ...common, kind: 'closed', limit, pace: null, unsaturatedSince: now, cutAt: now }
}

function gateOf(
  { phase, epoch, operator, refill }: LaneState,
  counts: LaneCounts,
  { now, settings }: { readonly now: number; readonly settings: LaneSettings },
): Gate {
  const most = bucketMax(counts, now, settings.retry)
  const common = { epoch, bucketMax: most, refill: refill === 'full' ? most : refill }
  if (operator?.action === 'force-open') return { ...common, kind: 'shut' }
  if (phase.kind === 'open' || phase.kind === 'half-open')
    return { ...common, ...probingGate(phase, settings.probeStages) }
  const { limit } = phase
  const mayRetry = phase.kind === 'closed' && !isSuspect(counts, settings, { now, since: phase.since })
  const retry = mayRetry ? retryGate(counts, now, { settings: settings.retry, limit }) : null
  const isDisabled = operator?.action === 'disable'
  return {
    ...common,
    kind: 'free',
    limit,
    overloadsMax: isDisabled ? null : overloadsMax(counts, now, settings),
    startsMax: isDisabled || phase.kind !== 'closed' || !phase.pace ? null : startsOf(phase.pace),
    retry,
  }
}

/** Bounds the overloads within one tick of half a second: a busy lane would otherwise keep sending before the controller reacts. */
function overloadsMax(counts: LaneCounts, now: number, { limit, tickMs }: LaneSettings): number {
  const { calls } = sumSince(counts.cells, now - limit.windowMs)
  return Math.max(limit.overloadsPerTick, Math.ceil((calls * tickMs * limit.overloadsShare) / limit.windowMs))
}

function deservedLevel(
  { phase, operator }: LaneState,
  counts: LaneCounts,
  { now, settings }: { readonly now: number; readonly settings: LaneSettings },
): Level {
  if (operator?.action === 'force-open' || phase.kind === 'open') return 'open'
  if (phase.kind !== 'closed') return 'recovery'
  const { slight, high } = settings.level
  const from = Math.max(phase.since, now - settings.limit.windowMs)
  const overload = overloadRatio(counts, from, settings.limit)
  const { shed, firsts } = sumSince(counts.cells, from)
  const bucketShare = counts.bucket / bucketMax(counts, now, settings.retry)
  if (overload > high.overload || shed > (shed + firsts) * high.shed || bucketShare < high.bucketShare) return 'high'
  const isNormal =
    phase.limit === null && !phase.pace && bucketShare >= slight.bucketShare && overload < slight.overload
  return isNormal ? 'normal' : 'slight'
}
