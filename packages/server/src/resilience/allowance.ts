// Limits what a standalone node may grant, since it cannot know what the other nodes grant: its share of a user's rates, and a
// small amount of money per user and per node. Pure.
import type { Amounts, QuotaState, TierLimits } from '#domain/budget/quota.ts'
import { least, NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import type { AdmissionAsk, OwnedId } from '#ports/budgets/port.ts'

export interface Allowance {
  /** How many nodes share the rates, as of now. */
  readonly nodes: () => number
  /** What one user may use on one node in a day. */
  readonly perUser: Amounts
  readonly microUsdPerNode: number
}

/** The principal id of the node's own account. */
const NODE_ID = 'node'
const WITHOUT_LIMIT = Number.MAX_SAFE_INTEGER

type Limited = Pick<AdmissionAsk, 'limits' | 'users'>

/** Reduces an ask to what a standalone node may grant: at most the rest of the day that the store last reported. */
export function allowed<Ask extends Limited>(
  { nodes: count, perUser }: Allowance,
  ask: Ask,
  seen: QuotaState | undefined,
): Ask {
  const { limits, users = 1 } = ask
  const nodes = count()
  const part = (limit: number) => Math.max(1, Math.floor(limit / nodes))
  const left = seen === undefined ? limits.day : leftOf(limits.day, seen)
  return {
    ...ask,
    limits: {
      ...limits,
      // Only this node's share of the rest: the other nodes know no more, and may grant as much.
      day: least(times(perUser, users), partOf(left, nodes)),
      requestsPerMinute: part(limits.requestsPerMinute),
      messagesPerDay: part(limits.messagesPerDay),
      userRate: { perSecond: limits.userRate.perSecond / nodes, burst: part(limits.userRate.burst) },
    },
  }
}

/** The same ask for the node's account, which limits only money. */
export function nodeAsk<Ask extends Limited & Partial<AdmissionAsk>>({ microUsdPerNode }: Allowance, ask: Ask): Ask {
  const limits: TierLimits = {
    ...ask.limits,
    day: { inputTokens: WITHOUT_LIMIT, outputTokens: WITHOUT_LIMIT, costMicroUsd: microUsdPerNode },
    session: NO_SESSION_LIMIT,
    requestsPerMinute: WITHOUT_LIMIT,
    messagesPerDay: WITHOUT_LIMIT,
    userRate: { perSecond: WITHOUT_LIMIT, burst: WITHOUT_LIMIT },
  }
  if (ask.turnId === undefined) return { ...ask, limits }
  const { id } = onNode({ id: ask.turnId, principalId: NODE_ID })
  const idempotency = { key: id, fingerprint: id, claimMs: 0 }
  return { ...ask, limits, turnId: id, principalId: NODE_ID, sessionId: id, idempotency }
}

/** The hold on the node's account that accompanies a user's hold. */
export function onNode<Owned extends OwnedId>(hold: Owned): Owned {
  const id = `${hold.id} ${NODE_ID}`
  return { ...hold, id, principalId: NODE_ID, ...('sessionId' in hold ? { sessionId: id } : {}) }
}

function times({ inputTokens, outputTokens, costMicroUsd }: Amounts, factor: number): Amounts {
  return {
    inputTokens: inputTokens * factor,
    outputTokens: outputTokens * factor,
    costMicroUsd: costMicroUsd * factor,
  }
}

function partOf({ inputTokens, outputTokens, costMicroUsd }: Amounts, nodes: number): Amounts {
  return {
    inputTokens: Math.floor(inputTokens / nodes),
    outputTokens: Math.floor(outputTokens / nodes),
    costMicroUsd: Math.floor(costMicroUsd / nodes),
  }
}

function leftOf(limit: Amounts, { used, reserved }: QuotaState): Amounts {
  const left = (part: keyof Amounts) => Math.max(0, limit[part] - used[part] - reserved[part])
  return { inputTokens: left('inputTokens'), outputTokens: left('outputTokens'), costMicroUsd: left('costMicroUsd') }
}
