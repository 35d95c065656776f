// The daily cap of summaries: the shop is a principal like any other, with one budget, its dollars a day
// (`summaries.microUsdPerDay`). All nodes hold and settle it in the same account.
import type { Config } from '#config/config.ts'
import type { TierLimits } from '#domain/budget/quota.ts'
import { SHOP } from '#domain/identity/principal.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { HouseCap } from '../house-calls/house-call.ts'

export interface SummaryCapParts {
  readonly budgets: Pick<Budgets, 'admit' | 'release' | 'settle'>
  readonly config: Pick<Config, 'summaries'>
}

/** How much longer the hold lasts than the call, so that its settlement finds it. */
const SETTLE_MS = 10_000
const UNLIMITED = 1_000_000_000

/** There is also no room while another node summarises the same conversation. */
export function createSummaryCap({ budgets, config }: SummaryCapParts): (sessionId: string) => HouseCap {
  const { deadlineMs } = config.summaries
  return (sessionId) => ({
    async hold({ id, day, need }) {
      const answer = await budgets.admit({
        turnId: id,
        principalId: SHOP,
        sessionId: `summary:${sessionId}`,
        limits: limitsOf(config),
        day,
        idempotency: { key: id, fingerprint: id, claimMs: deadlineMs },
        ask: need,
        leaseMs: deadlineMs + SETTLE_MS,
      })
      if (answer.kind !== 'granted') return undefined
      const { hold } = answer
      const release = () => budgets.release(hold)
      if (hold.granted.costMicroUsd < need.costMicroUsd) {
        await release()
        return undefined
      }
      return {
        release,
        async settle(used) {
          await budgets.settle(hold, used, { claimMs: 0 })
        },
      }
    },
  })
}

function limitsOf({ summaries }: Pick<Config, 'summaries'>): TierLimits {
  return {
    tier: SHOP,
    day: { inputTokens: UNLIMITED, outputTokens: UNLIMITED, costMicroUsd: summaries.microUsdPerDay },
    session: { inputTokens: UNLIMITED, outputTokens: UNLIMITED },
    requestsPerMinute: UNLIMITED,
    messagesPerDay: UNLIMITED,
    userRate: { perSecond: UNLIMITED, burst: UNLIMITED },
    inputTokensMin: 1,
    outputTokensMin: 1,
  }
}
