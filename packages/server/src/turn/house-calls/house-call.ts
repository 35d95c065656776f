// A model call that the shop pays for, outside of any turn. It takes a permit of the model's lane (bulk work only one that the lane has to
// spare) and reports once like any call, reserves its cost under the day's ceiling and its purpose's own cap, and is written to the ledger under a session
// that names its purpose. The caller decides how the model is called: `make`.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import type { Day } from '#domain/budget/day.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import type { Prompt, TokenCounter } from '#domain/estimator/token-counter.ts'
import { billedOf } from '#domain/ledger/billed-of.ts'
import { SHOP } from '#domain/identity/principal.ts'
import type { Permit } from '#domain/lane/lane-counter.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import { faultFields } from '#domain/model/fault-fields.ts'
import type { Rejections } from '#domain/model/rejections.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Ledger, LedgerRow } from '#ports/ledger/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Reports } from '#ports/telemetry/port.ts'
import { reportUse } from '#ports/telemetry/report-use.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { needOf, usedBy } from '#domain/budget/need.ts'
import type { Spending } from '../costs/spending.ts'
import { heldPermit } from '../invocation/held-permit.ts'
import type { Entered, WaitingQueue } from '../invocation/waiting-queue.ts'
import type { Rung } from '../turn.ts'
import { bulkRefused } from './spare-calls.ts'

/** The name is also the session of its ledger rows. */
export type HousePurpose = 'format-probe' | 'lane-probe' | 'prewarm' | 'refresh' | 'summary'

export interface HouseCallParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'id'>
  readonly ledger: Pick<Ledger, 'record'>
  readonly lanes: Pick<Lanes, 'permit' | 'seen' | 'served' | 'report'>
  readonly rejections: Pick<Rejections, 'ended'>
  readonly queue: Pick<WaitingQueue, 'enter' | 'sizes'>
  readonly estimates: Pick<Estimates, 'counterFor' | 'guarded'>
  readonly spending: Pick<Spending, 'reserve' | 'settle'>
  readonly config: Pick<Config, 'queue' | 'store'>
  readonly telemetry: Pick<Reports, 'count' | 'log'>
}

export interface HouseCall {
  readonly purpose: HousePurpose
  /** The model; its `maxOutputTokens` bounds the answer. */
  readonly rung: Rung
  readonly prompt: Prompt
  /** How long a probe may wait for its permit; bulk work never waits. */
  readonly waitMaxMs?: number
  /** How long the call itself may take. */
  readonly endMs: number
  /** Aborting it ends the wait; `make` must end the call. */
  readonly signal: AbortSignal
  /** A budget of the purpose, besides the shop's ceiling. */
  readonly cap?: HouseCap
}

/** A daily budget that a purpose may not exceed. */
export interface HouseCap {
  /** Reserves the most that the call can use; undefined when there is no room. */
  hold(call: { readonly id: string; readonly day: Day; readonly need: Amounts }): Promise<HouseHold | undefined>
}

interface HouseHold {
  settle(used: Amounts): Promise<void>
  release(): Promise<void>
}

/** The arguments of `make`. */
export interface Permitted {
  /** The call's id in the ledger. */
  readonly id: string
  readonly at: number
  /** Counts this model's tokens. */
  readonly counter: TokenCounter
  readonly estimatedInputTokens: number
  /** Must be called at the model's first sign of life. */
  readonly onAlive: () => void
}

/** The result of `make`: the use of the call, and its outcome for the lane. */
export interface MadeCall {
  readonly record: AttemptRecord
  readonly outcome: Outcome
}

export type SkipReason =
  /** The lane's circuit is open, or its probes are all in flight. */
  | 'circuit-open'
  /** No permit came in time, or for bulk work: the lane has none to spare. */
  | 'saturated'
  | 'stopped'
  /** The purpose's own cap, or the day's ceiling, has no room. */
  | 'cap'
  | 'ceiling'

type HouseAnswer<Made> =
  | { readonly kind: 'made'; readonly made: Made }
  /** No model was asked, and nothing was spent. */
  | { readonly kind: 'skipped'; readonly why: SkipReason }

/** Rejects only when the ledger or a budget does. `make` must not reject. */
export type MakeHouseCall = <Made extends MadeCall>(
  call: HouseCall,
  make: (permitted: Permitted) => Promise<Made>,
) => Promise<HouseAnswer<Made>>

/**
 * A probe may decide whether a lane serves all turns again, so it goes first in the queue; the others are bulk work, which is made only while its
 * lane has calls to spare. `outcome` is written to the ledger rows of the purpose; undefined: the outcome of the call is written.
 */
const PURPOSES: Readonly<Record<HousePurpose, { readonly isBulk: boolean; readonly outcome?: string }>> = {
  'format-probe': { isBulk: false, outcome: 'probe' },
  'lane-probe': { isBulk: false, outcome: 'probe' },
  prewarm: { isBulk: true, outcome: 'prewarm' },
  refresh: { isBulk: true, outcome: 'refresh' },
  summary: { isBulk: true },
}
/** A permit lasts this much longer than the call, so that its report always comes first. */
const LEASE_SLACK_MS = 5000

export function createHouseCall(parts: HouseCallParts): MakeHouseCall {
  const { clock, lanes, random, estimates, spending, config } = parts

  function enter({ purpose, rung, signal, waitMaxMs = 0 }: HouseCall): Promise<Entered> {
    const firstWordBy = clock.now() + waitMaxMs + config.queue.reserveMs
    return parts.queue.enter(rung.lane, { sessionId: purpose, priority: 'critical', firstWordBy, waitMaxMs, signal })
  }

  /** Past the queue: a bulk call that is refused is neither waited for nor a sign of what shoppers need. */
  async function takeSpare({ rung: { lane }, signal }: HouseCall): Promise<Permit | SkipReason> {
    if (signal.aborted) return 'stopped'
    const refused = bulkRefused(lanes.seen(lane), parts.queue.sizes().get(lane) ?? 0)
    if (refused !== undefined) return refused
    const answer = await lanes.permit(lane, { id: random.id('permit'), ask: { kind: 'first' } })
    if (answer.kind === 'permit') return answer.permit
    return isShut(answer) ? 'circuit-open' : 'saturated'
  }

  async function permitFor(call: HouseCall): Promise<Permit | SkipReason> {
    if (PURPOSES[call.purpose].isBulk) return takeSpare(call)
    const entered = await enter(call)
    if (entered.kind === 'permit') return entered.permit
    if (entered.kind === 'left') return 'stopped'
    return isShut(entered) ? 'circuit-open' : 'saturated'
  }

  /** Reserves the cost everywhere, or nowhere. */
  async function pay(call: HouseCall, { id, day, need }: Cost): Promise<Paid | SkipReason> {
    const hold = await call.cap?.hold({ id, day, need })
    if (call.cap !== undefined && hold === undefined) return 'cap'
    const spend = { id, spender: 'shop', day } as const
    if ((await spending.reserve({ ...spend, microUsd: need.costMicroUsd })) !== undefined) {
      await hold?.release()
      return 'ceiling'
    }
    return {
      async settle(used) {
        spending.settle({ ...spend, microUsd: used.costMicroUsd })
        await (isNothing(used) ? hold?.release() : hold?.settle(used))
      },
    }
  }

  /** The format probe reports its findings itself. */
  function reportFailure(
    { purpose, rung }: HouseCall,
    { fault, model: modelId, outcome, tookMs }: AttemptRecord,
  ): void {
    if (fault === undefined || purpose === 'format-probe') return
    const fields = { model: rung.name, modelId, purpose, class: outcome, tookMs, ...faultFields(fault) }
    parts.telemetry.log('warn', 'model.attempt-failed', fields)
  }

  function skipped({ purpose }: HouseCall, why: SkipReason) {
    parts.telemetry.count('house_calls_skipped_total', { purpose, reason: why })
    return { kind: 'skipped', why } as const
  }

  return async function houseCall(call, make) {
    const { purpose, rung } = call
    const permit = await permitFor(call)
    if (typeof permit === 'string') return skipped(call, permit)
    using held = heldPermit(lanes, rung.lane, permit.id)
    const [id, at] = [random.id(purpose), clock.now()]
    const counter = estimates.counterFor([rung.name])
    const estimatedInputTokens = counter.prompt(call.prompt)
    const need = needOf({ estimatedInputTokens }, rung, estimates)
    const day = dayOf(at, config.store.timeZone)
    const paid = await pay(call, { id, day, need })
    if (typeof paid === 'string') return skipped(call, paid)
    // A call that ends in a defect counts as its full reservation.
    let used = need
    const rows: LedgerRow[] = []
    try {
      const onAlive = () => held.served(call.endMs + LEASE_SLACK_MS)
      const made = await make({ id, at, counter, estimatedInputTokens, onAlive })
      held.report(made.outcome)
      parts.rejections.ended(rung.name, made.record)
      used = usedBy([made.record])
      reportUse(parts.telemetry, 'shop', [made.record])
      reportFailure(call, made.record)
      if (!isNothing(used)) rows.push(rowOf(made.record, { id, at, day, purpose }))
      return { kind: 'made', made }
    } finally {
      await Promise.all([paid.settle(used), rows.length > 0 && parts.ledger.record(rows)])
    }
  }
}

interface Cost {
  readonly id: string
  readonly day: Day
  readonly need: Amounts
}

interface Paid {
  settle(used: Amounts): Promise<void>
}

function rowOf(
  record: AttemptRecord,
  { id, at, day, purpose }: Pick<Cost, 'id' | 'day'> & { readonly at: number; readonly purpose: HousePurpose },
): LedgerRow {
  const outcome = PURPOSES[purpose].outcome ?? record.outcome
  return { turnId: id, principalId: SHOP, sessionId: purpose, day: day.key, at, ...billedOf(record), outcome }
}

function isNothing({ costMicroUsd, inputTokens, outputTokens }: Amounts): boolean {
  return costMicroUsd + inputTokens + outputTokens === 0
}

function isShut(entered: Entered): boolean {
  return entered.kind === 'refused' && (entered.why === 'open' || entered.why === 'probing')
}
