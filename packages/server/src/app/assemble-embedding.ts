// Assembles the background work of the embedder: what is missing is embedded, its circuit is probed, and its use is charged. The shop
// pays, under the day's ceiling; the ledger has its use under the session `embedding`.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { SHOP } from '#domain/identity/principal.ts'
import type { Spending } from '#turn/costs/spending.ts'
import type { Ports } from './app-ports.ts'
import type { Round } from './upkeep.ts'

const EVERY_MS = 5000
const PURPOSE = 'embedding'
/** While the day's ceiling has no room for this, nothing is embedded but questions. */
const ROUND_MICRO_USD = 1000

export function createEmbedding(
  { clock, embeddings, ledger, random }: Ports,
  config: Pick<Config, 'store'>,
  { spending }: { readonly spending: Pick<Spending, 'reserve' | 'settle'> },
): { readonly rounds: readonly Round[] } {
  if (embeddings === undefined) return { rounds: [] }
  const { model } = embeddings

  const round = async (): Promise<void> => {
    const id = random.id(PURPOSE)
    const day = dayOf(clock.now(), config.store.timeZone)
    const spend = { id, spender: 'shop', day } as const
    const reached = await spending.reserve({ ...spend, microUsd: ROUND_MICRO_USD })
    if (reached === undefined) await embeddings.embedMissing()
    const used = embeddings.takeUsage()
    spending.settle({ ...spend, microUsd: used?.costMicroUsd ?? 0 })
    if (used === undefined) return
    const { costMicroUsd, inputTokens, isEstimated: estimated } = used
    const row = { turnId: id, attempt: 1, principalId: SHOP, sessionId: PURPOSE, day: day.key, at: clock.now() }
    const use = { model, tier: 'economy', inputTokens, outputTokens: 0, estimated, costMicroUsd } as const
    await ledger.record([{ ...row, ...use, outcome: PURPOSE }])
  }

  return {
    rounds: [
      { name: 'embed', everyMs: EVERY_MS, work: round },
      { name: 'heal-embedder', everyMs: EVERY_MS, work: embeddings.heal },
    ],
  }
}
