// The pipeline of every turn, from an admitted question to its settled answer: the table of contents of the program.
// Branching is here; stages are leaves. It runs detached from the caller: `admit` has answered the request, and readers
// read the log.
import { add } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { isFree } from '#domain/budget/money.ts'
import { spenderOf } from '#domain/budget/spend.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { turnFields } from '#domain/telemetry/turn-fields.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { StageTimes } from '#domain/turn/turn-story.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { AnswerFlight } from './answers/answer-flight.ts'
import type { Deliver } from './delivery/deliver.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import type { Invoke } from './invocation/invoke.ts'
import { needOf, usedBy } from '#domain/budget/need.ts'
import type { Spending } from './costs/spending.ts'
import type { BookLostCalls } from './settlement/book-lost-calls.ts'
import type { Settle } from './settlement/settle.ts'
import type { Streams } from './ownership/stream.ts'
import type { Admitted, Delivered, Grounded, Invocation, Routed } from './turn.ts'

/**
 * About a minute in total, or until `SETTLE_AFTER_END_MS` after the deadline: then the lease lapses and another node finds
 * the turn. That is longer than a log which cannot be reached keeps its turn, so that the calls of such a turn are booked.
 */
const SETTLE_TRIES_MAX = 16
const SETTLE_AFTER_END_MS = 90_000
/** After these the conversation is written in the background: the end of an answer waits no longer for it. */
const SAVE_TRIES_MAX = 2
const SETTLE_PAUSE_MS = 100
const SETTLE_PAUSE_MAX_MS = 5000

export interface RunTurnParts {
  readonly clock: Clock
  readonly gather: (admitted: Admitted, signal: AbortSignal) => Promise<Grounded>
  readonly route: (grounded: Grounded) => Routed
  /** Looks up a cached answer, or joins a turn that is making the same one. */
  readonly join: (routed: Routed, signal: AbortSignal) => Promise<AnswerFlight>
  readonly invoke: Invoke
  readonly deliver: Deliver
  readonly settle: Settle
  /** Books the calls of a turn that another node took over, as far as its log lacks them. Never rejects. */
  readonly bookLostCalls: BookLostCalls
  readonly streams: Streams
  readonly budgets: Budgets
  readonly spending: Pick<Spending, 'reserve' | 'abandon'>
  readonly estimates: Pick<Estimates, 'guarded'>
  readonly settings: Pick<RunSettings, 'mode'>
  /** Called with every settled turn; makes a summary of trimmed turns in the background. */
  readonly remember: (routed: Routed) => void
  /** The pseudonym of a principal in traces; absent where they name no user. */
  readonly pseudonymOf?: ((principalId: string) => string) | undefined
}

export type RunTurn = (admitted: Admitted, own: AbortController) => Promise<void>

export function createRunTurn(parts: RunTurnParts): RunTurn {
  const { gather, route, join, invoke, deliver, settle } = parts

  return (admitted, own) => admitted.scope.within(() => runTurn(admitted, own))

  async function runTurn(admitted: Admitted, own: AbortController): Promise<void> {
    const stream = parts.streams.begin(admitted.begun !== undefined && admitted.begun.text !== '')
    let made: readonly AttemptRecord[] = []
    try {
      const routed = await withinCeilings(await prepare(admitted, own.signal))
      // Runs while a cached answer is looked up and a lane grants its permit: only the call itself waits for it.
      const isHeld = narrow(routed)
      using flight = await join(routed, own.signal)
      const invocation = invoke(routed, { lookup: flight.lookup, isHeld }, own.signal)
      const noted: Invocation = async (emit) => {
        const end = await invocation(emit)
        made = end.attempts
        return end
      }
      const delivered = await deliver(routed, noted, { stream, own })
      await isHeld
      await flight.land(delivered.outcome, delivered.text)
      await settleSurely(delivered, own.signal)
      parts.remember(routed)
      stream.apply({ type: 'settled' })
      admitted.scope.end('completed', turnFields(admitted.start, delivered.outcome, parts.pseudonymOf))
    } catch (error) {
      stream.apply({ type: 'lost' })
      if (error instanceof TurnAbort && error.abortCause === 'lost') await parts.bookLostCalls(admitted, made)
      throw error
    } finally {
      parts.spending.abandon(admitted.start.turnId)
    }
  }

  /**
   * Reserves the most expensive call of the ladder; when a ceiling has no room for it, only free models are asked. In the reduced mode no vendor
   * is.
   */
  async function withinCeilings(routed: Routed): Promise<Routed> {
    if (parts.settings.mode() === 'reduced')
      return { ...routed, unpaid: 'reduced', ladder: routed.ladder.filter(({ model }) => model.facts === undefined) }
    const { hold, principal, turnId } = routed.start
    const microUsd = ceilingOf(routed, parts.estimates).costMicroUsd
    const unpaid = await parts.spending.reserve({ id: turnId, spender: spenderOf(principal), day: hold.day, microUsd })
    if (unpaid === undefined) return routed
    return { ...routed, unpaid, ladder: routed.ladder.filter(({ price }) => isFree(price)) }
  }

  /**
   * A store that is briefly unavailable must not leave a shopper without an end: settlement is retried while the lease
   * holds.
   */
  async function settleSurely(delivered: Delivered, signal: AbortSignal): Promise<void> {
    const { scope: telemetry } = delivered
    using span = telemetry.span('settlement')
    for (let tries = 1; ; tries += 1) {
      try {
        await span.within(() => settle(delivered, { mayWait: tries > SAVE_TRIES_MAX }))
        return span.end('completed', { tries })
      } catch (error) {
        const isLost =
          error instanceof TurnAbort || (signal.reason instanceof TurnAbort && signal.reason.continuesElsewhere)
        const isOver = parts.clock.now() >= delivered.start.deadlines.endBy + SETTLE_AFTER_END_MS
        if (isLost || (tries >= SETTLE_TRIES_MAX && isOver)) throw error
        telemetry.count('turn_settle_failed_total')
        if (tries === 1) telemetry.log('warn', 'turn.settle-failed', { turnId: delivered.start.turnId }, error)
        await parts.clock.sleep(Math.min(SETTLE_PAUSE_MAX_MS, SETTLE_PAUSE_MS * 2 ** tries))
      }
    }
  }

  /** The stages before the model. Whatever breaks, the shopper gets an answer from the tiers that need no model. */
  async function prepare(admitted: Admitted, signal: AbortSignal): Promise<Routed> {
    const { scope: telemetry } = admitted
    const times = timesOf(admitted)
    try {
      using context = telemetry.span('context')
      const grounded = admitted.policy.isGrounded
        ? await context.within(() => gather(admitted, signal))
        : ungrounded(admitted)
      context.end('completed', { missing: grounded.missing.join(' ') })
      times.mark('contextMs')
      using routing = telemetry.span('routing')
      const routed = route(grounded)
      const { choice } = routed.routing ?? {}
      if (choice !== undefined) telemetry.count('turn_routed_total', { first: choice.first, rule: choice.rule })
      routing.end('completed', { rungs: routed.ladder.length, estimatedInputTokens: routed.estimatedInputTokens })
      times.mark('routingMs')
      return { ...routed, times: times.all }
    } catch (error) {
      telemetry.log('error', 'turn.prepare-failed', { turnId: admitted.start.turnId }, error)
      return withoutModels({
        ...admitted,
        history: [],
        facts: [],
        grounding: UNGROUNDED,
        missing: ['history', 'retrieval'],
      })
    }
  }

  /** The times of the stages so far; a turn that was taken over was admitted long before. */
  function timesOf({ epoch, start }: Admitted): { mark(stage: keyof StageTimes): void; readonly all: StageTimes } {
    let from = parts.clock.now()
    const all: Partial<Record<keyof StageTimes, number>> = epoch === 1 ? { admissionMs: from - start.acceptedAt } : {}
    return {
      all,
      mark(stage) {
        const now = parts.clock.now()
        all[stage] = now - from
        from = now
      },
    }
  }

  /** Releases what the prompt does not need; false when the hold has ended and can pay for no model. Never rejects. */
  async function narrow(routed: Routed): Promise<boolean> {
    const { hold, networkHold } = routed.start
    const ceiling = ceilingOf(routed, parts.estimates)
    try {
      const [held] = await Promise.all([
        parts.budgets.narrow(hold, ceiling),
        networkHold === undefined ? undefined : parts.budgets.narrow(networkHold, ceiling),
      ])
      return held
    } catch (error) {
      routed.scope.log('error', 'turn.hold-reduce-failed', { turnId: routed.start.turnId }, error)
      return false
    }
  }
}

/** Nothing is read or retrieved for it. */
function ungrounded(admitted: Admitted): Grounded {
  return { ...admitted, history: [], facts: [], grounding: UNGROUNDED, missing: [] }
}

function withoutModels(grounded: Grounded): Routed {
  const empty = { system: '', messages: [], estimatedInputTokens: 0, forgottenUpTo: 0, ladder: [], productIds: [] }
  return { ...grounded, ...empty }
}

/** The cost of the ladder's most expensive call plus what a lost owner's calls have used; further calls use `extend`. */
function ceilingOf(routed: Routed, estimates: RunTurnParts['estimates']): Amounts {
  const needs = routed.ladder.map((rung) => needOf(routed, rung, estimates))
  const most = (part: keyof Amounts) => Math.max(0, ...needs.map((need) => need[part]))
  const call = {
    inputTokens: most('inputTokens'),
    outputTokens: most('outputTokens'),
    costMicroUsd: most('costMicroUsd'),
  }
  return add(call, usedBy(routed.begun?.attempts ?? []))
}
