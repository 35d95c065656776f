// A few tokens of one model, outside of any turn: whether it answers at all. It takes a permit of the lane and reports like
// any other call, so that it proves as much, and the shop pays for it.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { costMicroUsd } from '#domain/budget/money.ts'
import { SHOP } from '#domain/identity/principal.ts'
import type { AttemptRecord } from '#domain/turn/turn-record.ts'
import { NEVER } from '#lib/async/never.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Ledger, LedgerRow } from '#ports/ledger/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Estimates } from '../costs/estimates.ts'
import type { Spending } from '../costs/spending.ts'
import type { Rung } from '../turn.ts'
import { attempt } from '../invocation/attempt.ts'
import { heldPermit, outcomeOfCall } from '../invocation/held-permit.ts'
import type { WaitingQueue } from '../invocation/waiting-queue.ts'

export interface AskLittleParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly ledger: Ledger
  readonly lanes: Lanes
  readonly line: Pick<WaitingQueue, 'enter'>
  readonly estimates: Pick<Estimates, 'gauge'>
  readonly spending: Pick<Spending, 'reserve' | 'settle'>
  readonly config: Config
}

/** The next round asks again. */
const WAIT_MAX_MS = 3000
const PROMPT = { system: '', messages: [{ role: 'user', content: 'Say ok.' }] } as const

/** Whether the model gave them; never rejects. */
export function createAskLittle(parts: AskLittleParts): (rung: Rung) => Promise<boolean> {
  const { clock, random, lanes, config } = parts

  async function ask(rung: Rung): Promise<boolean> {
    const at = clock.now()
    // Whether a lane is back decides about everybody who waits: nobody is served before.
    const entered = await parts.line.enter(rung.lane, {
      sessionId: SHOP,
      priority: 'critical',
      firstWordBy: at + WAIT_MAX_MS + config.queue.reserveMs,
      waitMaxMs: WAIT_MAX_MS,
      signal: NEVER,
    })
    if (entered.kind !== 'permit') return false
    using held = heldPermit(lanes, rung.lane, entered.permit.id)
    const turnId = random.id('probe')
    const gauge = parts.estimates.gauge([rung.name])
    const { outputTokens } = config.probe
    const microUsd = costMicroUsd(rung.price, gauge.prompt(PROMPT), outputTokens)
    const spend = { id: turnId, spender: 'shop', day: dayOf(at, config.store.timeZone) } as const
    if ((await parts.spending.reserve({ ...spend, microUsd })) !== undefined) return false
    const limits = { ...config.tokens, ...config.deadlines, ...rung.limits }
    const deadlines = deadlinesFrom(at, config.deadlines.stream)
    const call = {
      ...PROMPT,
      start: { message: '', turnId, language: 'en', deadlines },
      grounding: UNGROUNDED,
      estimatedInputTokens: gauge.prompt(PROMPT),
      rung: { ...rung, maxOutputTokens: outputTokens },
      shown: '',
    } as const
    const turn = { signal: NEVER, say: () => {}, onAlive: () => held.served(config.deadlines.stream.endMs) }
    const { end, record, spoke, thought } = await attempt({ clock, limits, number: 1, gauge }, call, turn)
    held.report(outcomeOfCall(end))
    parts.spending.settle({ ...spend, microUsd: record.costMicroUsd })
    await parts.ledger.record(shopRows([record], { turnId, at, purpose: 'probe', config }))
    // Cut at its few tokens it has answered too, and so has a model that thinks first.
    return (spoke || thought) && end.kind !== 'failed'
  }

  return async function askLittle(rung) {
    try {
      return await ask(rung)
    } catch (error) {
      parts.telemetry.log('warn', 'probe.failed', { model: rung.model.id }, error)
      return false
    }
  }
}

export function shopRows(
  attempts: readonly AttemptRecord[],
  { turnId, at, purpose, config }: { turnId: string; at: number; purpose: string; config: Pick<Config, 'store'> },
): readonly LedgerRow[] {
  const day = dayOf(at, config.store.timeZone).key
  const row = { turnId, principalId: SHOP, sessionId: purpose, day, at }
  return attempts.map(({ usage, ...attempt }) => ({ ...row, ...attempt, ...usage, outcome: purpose }))
}
