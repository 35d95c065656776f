// The ports that the nodes of a cluster share, on stores that may be unavailable. Stores that a standalone node can do
// without are wrapped by `resilience/`; docs/degraded-mode.md says what the other ports do without their store. The
// simulation uses this too.
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { NodeRegistry } from '#ports/node-registry/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Allowance } from '#resilience/allowance.ts'
import { resilientBudgets } from '#resilience/budgets.ts'
import { resilientLedger } from '#resilience/ledger.ts'
import { createCompareDay } from '#resilience/lost-day.ts'
import { countingRegistry } from '#resilience/node-registry.ts'
import { resilientRateChunks } from '#resilience/rate-chunks.ts'
import type { Stores } from '../stores/store-parts.ts'

export interface SharedPortsParts {
  readonly stores: Stores
  readonly registry: NodeRegistry
  readonly config: Config
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** When a call to the store of the budgets last failed on this node; 0 for never. */
  readonly troubledAt: () => number
  /** The epoch of the data in that store; absent: it never loses any. */
  readonly epoch?: () => Promise<string>
}

export interface SharedPorts extends AsyncDisposable {
  readonly ports: Stores & { readonly registry: NodeRegistry }
  /** How many turns this node still has to charge. */
  chargesWaiting(): number
  /** How many turns have rows that this node still has to write to the ledger. */
  rowsWaiting(): number
}

export function sharedPorts(parts: SharedPortsParts): SharedPorts {
  const { clock, config, stores, telemetry, troubledAt } = parts
  const registry = countingRegistry({ registry: parts.registry, clock, nodesMin: config.state.alone.nodes })
  const budgets = resilientBudgets({
    shared: stores.budgets,
    local: memoryBudgets({ clock }),
    compareDay: createCompareDay({ ledger: stores.ledger, budgets: stores.budgets, clock, telemetry }),
    epoch: parts.epoch ?? (async () => 'only'),
    troubledAt,
    callMs: config.state.callMs,
    clock,
    telemetry,
    allowance: allowanceIn(config, registry.nodes),
  })
  const ledger = resilientLedger({ ledger: stores.ledger, clock, telemetry })
  const rateChunks = resilientRateChunks({
    shared: stores.rateChunks,
    local: memoryRateChunks({ clock }),
    telemetry,
    nodes: registry.nodes,
  })
  return {
    ports: { ...stores, budgets, ledger, rateChunks, registry },
    chargesWaiting: () => budgets.waiting,
    rowsWaiting: () => ledger.waiting,
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      await budgets[Symbol.asyncDispose]()
    },
  }
}

function allowanceIn({ state }: Config, nodes: () => number): Allowance {
  const { inputTokensPerUser, microUsdPerNode, microUsdPerUser, outputTokensPerUser } = state.alone
  const perUser = { inputTokens: inputTokensPerUser, outputTokens: outputTokensPerUser, costMicroUsd: microUsdPerUser }
  return { nodes, perUser, microUsdPerNode }
}
