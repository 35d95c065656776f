// Assembles what decides the costs of calls: token estimates, the day's ceilings, and the limits of principals.
import type { Config } from '#config/config.ts'
import type { ActivityMeter } from '#domain/nodes/activity.ts'
import { NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import { spenderOf } from '#domain/budget/spend.ts'
import { createPrincipalLimits } from '#services/principal-limits.ts'
import type { Limits } from '#services/principal-limits.ts'
import { createEstimates } from '#turn/costs/estimates.ts'
import type { LearningEstimates } from '#turn/costs/estimates.ts'
import { createSpending } from '#turn/costs/spending.ts'
import type { Spending } from '#turn/costs/spending.ts'
import { warmPrompts } from '#turn/costs/warm-prompts.ts'
import type { CallRungParts } from '#turn/invocation/call-rung.ts'
import type { Ports } from './app-ports.ts'

export interface Costs {
  readonly estimates: LearningEstimates
  readonly spending: Spending
  readonly limits: Limits
  /** Raises a turn's hold; false when there is no room. */
  readonly extend: CallRungParts['extend']
  /** Shares with other nodes what was learned about the models, after asking vendors that count free of charge. */
  readonly share: (signal: AbortSignal) => Promise<void>
}

export function createCosts(ports: Ports, config: Config, meter: Pick<ActivityMeter, 'spent'>): Costs {
  const { admin, budgets, clock, estimators, faq, models, prompts, random, spendChunks, telemetry } = ports
  const estimates = createEstimates({ estimators, telemetry, models })
  const spending = metered(createSpending({ chunks: spendChunks, clock, random, telemetry, config }), meter)
  const limits = createPrincipalLimits({ admin, clock, config, telemetry })
  let isWarm = !config.tokens.warmStart

  return {
    estimates,
    spending,
    limits,
    async extend({ policy, start: { hold, principal } }, to, beside) {
      const all = await limits.of(principal)
      const own = policy.hasSession ? all : { ...all, session: NO_SESSION_LIMIT }
      if (!(await budgets.extend(hold, to, own))) return false
      return spending.raise({
        id: hold.id,
        spender: spenderOf(principal),
        day: hold.day,
        microUsd: to.costMicroUsd + beside,
      })
    },
    async share(signal) {
      await estimates.share()
      if (isWarm) return
      isWarm = true
      await estimates.warm(warmPrompts(faq.entries(), prompts, config), signal)
    },
  }
}

/** Counts what is spent. */
function metered(spending: Spending, meter: Pick<ActivityMeter, 'spent'>): Spending {
  return {
    ...spending,
    settle(spend) {
      meter.spent(spend.microUsd)
      spending.settle(spend)
    },
  }
}
