// The lanes of the configured models: the lane of each model, the policy of each lane, and how many calls one node can have in
// flight on it. Two names of one model at one endpoint share a lane, because they share the vendor's capacity.
import { roleOfModel } from '../model/model-tier.ts'
import { laneId } from './lane-id.ts'
import { policyFor } from './policy-for.ts'
import type { LaneFigures } from './policy-for.ts'
import type { LanePolicy } from './policy.ts'

interface LaneModel {
  readonly provider: string
  readonly id?: string
  readonly region?: string
  readonly baseURL?: string
  readonly connectionsMax?: number
}

export interface LaneModels {
  readonly models: Readonly<Record<string, LaneModel>>
  readonly ladder: readonly string[]
}

/** Default of a model's `connectionsMax`: connections to one model from one node. */
export const CONNECTIONS_MAX = 25
const HELD_UP_MS = 5000

/** The lane of a configured model. */
export function laneOf({ models }: Pick<LaneModels, 'models'>, name: string): string {
  const { provider, id, region, baseURL } = models[name] ?? { provider: 'none' }
  return laneId({ model: id ?? name, region: region ?? hostOf(baseURL) ?? provider })
}

/** The policies by lane id. A lane that several models share is primary if one of them is. */
export function lanePolicies(config: LaneModels & LaneFigures): ReadonlyMap<string, LanePolicy> {
  const roles = new Map<string, 'primary' | 'economy'>()
  for (const name of Object.keys(config.models)) {
    const [lane, role] = [laneOf(config, name), roleOfModel(config, name)]
    if (role === 'primary' || !roles.has(lane)) roles.set(lane, role)
  }
  return new Map([...roles].map(([lane, role]) => [lane, policyFor(config, role)]))
}

/** By lane id: how many calls one node can have in flight before one has to wait for a connection. */
export function connectionsOf(config: LaneModels): ReadonlyMap<string, number> {
  const connections = new Map<string, number>()
  for (const [name, { provider, connectionsMax }] of Object.entries(config.models)) {
    const lane = laneOf(config, name)
    // The built-in responder needs no connection.
    const own = connectionsMax ?? (provider === 'embedded' ? Number.POSITIVE_INFINITY : CONNECTIONS_MAX)
    connections.set(lane, (connections.get(lane) ?? 0) + own)
  }
  return connections
}

/** The lease of a permit: the longest time to a call's first words, plus a margin for delays of the process. */
export function laneLeaseMs(config: {
  readonly models: Readonly<Record<string, { readonly firstTokenMs?: number }>>
  readonly deadlines: { readonly firstTokenMs: number }
}): number {
  const limits = Object.values(config.models).map(({ firstTokenMs }) => firstTokenMs ?? 0)
  return Math.max(config.deadlines.firstTokenMs, ...limits) + HELD_UP_MS
}

function hostOf(baseURL: string | undefined): string | undefined {
  return baseURL !== undefined && URL.canParse(baseURL) ? new URL(baseURL).host : undefined
}
