// Continues turns whose owner was lost. The log has all that is needed: with `text-end` only settlement is left; without it
// the turn is run again from the shown text. A turn that cannot be continued, because its time is over, its money is no
// longer held or it can have no reader, ends as `interrupted` with its text.
import { createHash } from 'node:crypto'
import type { AnswerTier } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { costMicroUsd } from '#domain/budget/money.ts'
import type { Price } from '#domain/budget/money.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { PrincipalLimits } from '#domain/budget/tier-limits.ts'
import { bookedInFull } from '#domain/ledger/booked-in-full.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import { recordedRoute } from '#domain/routing/route-choice.ts'
import { loggedRequestId } from '#domain/telemetry/logged-request-id.ts'
import { turnFields } from '#domain/telemetry/turn-fields.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { isKnownKind, policyOf } from '#domain/turn/turn-policy.ts'
import type { AttemptRecord, AttemptStart, TurnOutcome, TurnStart } from '#domain/turn/log-records.ts'
import { startForOthers } from '#domain/turn/start-for-others.ts'
import { replay } from '#domain/turn/turn-state.ts'
import type { TurnState } from '#domain/turn/turn-state.ts'
import { finishOfWhole } from '#domain/answers/whole-answer.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { Admitted, Delivered } from '../turn.ts'

export interface RecoverParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly config: Config
  /** The limits of a principal, as configured and as operators have changed them. */
  readonly principalLimits: (principal: Principal) => Promise<PrincipalLimits>
  readonly settle: (delivered: Delivered, options: { readonly mayWait: boolean }) => Promise<void>
  readonly priceOf: (modelId: string) => Price
  readonly estimates: Pick<Estimates, 'counterFor'>
  readonly typical: Pick<TypicalTimes, 'answerTokens'>
  /** Whether a turn runs here: after a pause its lease has lapsed, but its owner is alive and renews it. */
  readonly isOurs: (turnId: string) => boolean
  /** How many more turns this process may run. */
  readonly room: () => number
  /** The pseudonym of a principal in traces; absent where they name no user. */
  readonly pseudonymOf?: ((principalId: string) => string) | undefined
  /** Runs a turn to its end, detached. */
  readonly run: (admitted: Admitted) => void
}

type Started = TurnState & { readonly start: TurnStart }

const ORPHANS_PER_BATCH = 100
const BATCHES_PER_SCAN = 100
/** A turn that has brought down this many owners is not given to another. */
const OWNERS_MAX = 4
/** Answer tiers of models; the others use nothing. */
const MODEL_TIERS: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'embedded'])

/** Takes over every turn whose lease has lapsed; returns how many. */
export function createRecover(parts: RecoverParts): () => Promise<number> {
  const { clock, turnLog, budgets, telemetry, config } = parts

  async function takeOver(turnId: string): Promise<boolean> {
    // A newer version began it: a node that knows its kind continues it, and this one must not count as a lost owner.
    const known = await turnLog.start(turnId)
    if (known !== undefined && !isKnownKind(known)) return false
    const epoch = await turnLog.takeOver(turnId, config.turns.leaseMs)
    if (epoch === undefined) return false
    const { start: begun, ...rest } = replay((await turnLog.read(turnId, -1)) ?? [])
    if (begun === undefined) throw new Error(`the log of ${turnId} does not begin with its start`)
    const start = startForOthers(begun)
    const scope = scopeOf(start)
    try {
      return await scope.within(() => complete({ ...rest, start }, epoch, scope))
    } catch (error) {
      // Another owner was quicker.
      if (error instanceof TurnAbort) return left(scope)
      scope.end('failed')
      throw error
    }
  }

  async function complete(state: Started, epoch: number, scope: Scope): Promise<boolean> {
    const first = unwritten(state)
    if (first === '') return continueOrEnd(state, epoch, scope)
    const entry = { kind: 'text', offset: state.text.length, text: first } as const
    if (!(await turnLog.append(state.start.turnId, epoch, [entry]))) return left(scope)
    return continueOrEnd({ ...state, text: state.text + first }, epoch, scope)
  }

  /** Scope of the takeover: a trace of its own, which links to the lost owner's. */
  function scopeOf({ requestId, trace, turnId }: TurnStart): Scope {
    const links = trace === undefined ? {} : { links: [trace] }
    return telemetry.scope({ door: 'takeover', name: 'turn', requestId: loggedRequestId(requestId), turnId, ...links })
  }

  async function continueOrEnd(state: Started, epoch: number, scope: Scope): Promise<boolean> {
    const { start } = state
    const { turnId } = start
    const isContinued = state.outcome === undefined && (await canContinue(state, epoch))
    scope.count('turn_taken_over_total', { continued: isContinued, had_text: state.text !== '' })
    scope.event('turn.taken-over', { epoch, continued: isContinued, textLength: state.text.length })
    scope.log('warn', 'turn.taken-over', { turnId, epoch, continued: isContinued, textLength: state.text.length })
    if (!isContinued) return end(state, epoch, scope)
    const limits = await parts.principalLimits(start.principal)
    const quota = await budgets.quota(start.principal.id, limits, start.hold.day)
    const { text, meta } = state
    const ends = lostAttempts(state).map((record) => ({ kind: 'attempt-end', record }) as const)
    // Written to the log, so that they are booked once, however many owners follow.
    if (ends.length > 0 && !(await turnLog.append(turnId, epoch, ends))) return left(scope)
    parts.run({
      start,
      policy: policyOf(start),
      epoch,
      quota,
      scope,
      begun: { text, attempts: attemptsOf(state), ...(meta === undefined ? {} : { meta }) },
    })
    return true
  }

  async function canContinue({ start }: Started, epoch: number): Promise<boolean> {
    if (!policyOf(start).mayBeTakenOver || epoch > OWNERS_MAX) return false
    if (clock.now() >= start.deadlines.endBy - config.deadlines.settleMs) return false
    return budgets.renew(start.hold, config.turns.holdMs)
  }

  /** Another owner was quicker. */
  function left(scope: Scope): false {
    scope.end('left')
    return false
  }

  async function end(state: Started, epoch: number, scope: Scope): Promise<boolean> {
    const { start, text } = state
    const outcome = state.outcome ?? interrupted(state)
    if (state.outcome === undefined && !(await turnLog.append(start.turnId, epoch, [{ kind: 'text-end', outcome }]))) {
      return left(scope)
    }
    using span = scope.span('settlement')
    // Its readers have waited for a lease already: the conversation may be written later.
    const delivered = { start, policy: policyOf(start), epoch, text, outcome, scope }
    await span.within(() => parts.settle(delivered, { mayWait: true }))
    span.end()
    scope.end('completed', turnFields(start, outcome, parts.pseudonymOf))
    return true
  }

  function interrupted(state: Started): TurnOutcome {
    const { meta, route = {}, text } = state
    // A text written in one piece lacks only its end.
    const attempts = attemptsOf(state)
    const whole = text === '' || meta === undefined ? undefined : finishOfWhole(meta, attempts)
    return {
      finishReason: whole ?? 'interrupted',
      tier: meta?.tier ?? 'message',
      model: meta?.model ?? 'none',
      length: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      attempts,
      productIds: meta?.products.map((product) => product.id) ?? [],
      ...recordedRoute(route, meta?.cached === true),
      isDegraded: meta?.degraded ?? false,
      ...(meta?.reason === undefined ? {} : { reason: meta.reason }),
      isCached: meta?.cached ?? false,
      ...(meta?.prompt === undefined ? {} : { promptVersion: meta.prompt.version }),
      firstWordAt: null,
      endedAt: clock.now(),
    }
  }

  /** The calls of the lost owners. */
  function attemptsOf(state: Started): readonly AttemptRecord[] {
    return [...state.attempts, ...lostAttempts(state)]
  }

  /** The calls that were in flight: their end is unknown, so their use is estimated and flagged. */
  function lostAttempts(state: Started): readonly AttemptRecord[] {
    const inFlight = [state.underWay, state.hedge].filter((call) => call !== undefined)
    const calls = inFlight.filter(({ tier }) => MODEL_TIERS.has(tier))
    // If two calls ran at once, the one that `meta` names produced the text.
    const isNamed = ({ model, tier }: AttemptStart) => model === state.meta?.model && tier === state.meta.tier
    const spoke = calls
      .filter(({ offset }) => offset < state.text.length)
      .find((call, _index, all) => all.length === 1 || isNamed(call))
    return calls.map((call) => lostAttempt(call, call === spoke, state))
  }

  function lostAttempt(call: AttemptStart, hasSpoken: boolean, { start, text }: Started): AttemptRecord {
    const { attempt, began, model, name, startedAt, tier, estimatedInputTokens, estimate, offset, prompt } = call
    const usage = {
      inputTokens: estimatedInputTokens,
      outputTokens: hasSpoken ? parts.estimates.counterFor([model]).text(text.slice(offset)) : 0,
      estimated: true,
    }
    const price = parts.priceOf(model)
    const cost = costMicroUsd(price, usage.inputTokens, usage.outputTokens)
    const { outputTokens: maxOutputTokens } = start.hold.granted
    // A caller's own prompt is asked of one model, whose call the caller pays.
    const isShops = !hasSpoken && policyOf(start).mayFallBack
    const booked = isShops
      ? bookedInFull({ usage }, { name: name ?? model, price, maxOutputTokens }, parts.typical)
      : {}
    const sent = {
      ...(estimate === undefined ? {} : { estimate }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(name === undefined ? {} : { name }),
      ...(began === undefined ? {} : { began }),
      ...(startedAt === undefined ? {} : { startedAt }),
    }
    return { attempt, model, tier, usage, ...sent, costMicroUsd: cost, outcome: 'interrupted', ...booked }
  }

  async function takeBatch(): Promise<{ readonly taken: number; readonly isLast: boolean }> {
    const orphans = await turnLog.orphans(ORPHANS_PER_BATCH)
    let taken = 0
    for (const turnId of orphans.filter((id) => !parts.isOurs(id))) {
      // The others stay for other nodes, or for the next scan.
      if (parts.room() <= 0) return { taken, isLast: true }
      try {
        if (await takeOver(turnId)) taken += 1
      } catch (error) {
        // One damaged turn must not block the others; the next scan tries it again.
        telemetry.log('error', 'turn.takeover-failed', { turnId }, error)
      }
    }
    return { taken, isLast: orphans.length < ORPHANS_PER_BATCH || taken === 0 }
  }

  return async function recover() {
    let total = 0
    for (let batch = 0; batch < BATCHES_PER_SCAN; batch += 1) {
      const { taken, isLast } = await takeBatch()
      total += taken
      if (isLast) break
    }
    return total
  }
}

/** The part of a continued answer's first text that the lost owner did not get to writing. */
function unwritten({ outcome, start, text }: Started): string {
  const { continued } = start
  return outcome === undefined && continued?.startsWith(text) === true ? continued.slice(text.length) : ''
}
