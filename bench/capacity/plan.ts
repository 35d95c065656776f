// From what one turn uses to what a fleet needs: pure arithmetic on the measured figures and the inputs.
import { scaleHint } from '../../packages/simulation/src/fleet/scale-hint.ts'
import type { ScaleDemand, ScaleHint } from '../../packages/simulation/src/fleet/scale-hint.ts'
import type { CapacityInputs } from './inputs.ts'

/** What one turn uses, measured on one node. */
export interface TurnUse {
  readonly nodeCpuMs: number
  readonly redisCpuMs: number
  readonly redisCalls: number
  /** What stays in Redis for an hour after the turn. */
  readonly redisBytes: number
  /** By table. */
  readonly dynamodb: Readonly<
    Record<string, { readonly reads: number; readonly writes: number; readonly calls: number }>
  >
  /** Items of conversations and of the ledger. */
  readonly storedBytes: Readonly<Record<'sessions' | 'ledger', number>>
}

/** What a call of a model uses, how many one node can have in flight, and how a provider grants its quota. */
export type CallUse = Omit<ScaleDemand, 'arrivals'>

export interface Plan {
  readonly messagesPerDay: number
  readonly peakPerSecond: number
  readonly nodes: number
  readonly redisShards: number
  readonly writesPerSecondAtPeak: number
  readonly opensearchNodes: number
  /** What to ask the providers for, where each question of the peak is a call. */
  readonly quota: ScaleHint
  readonly usdPerMonth: Readonly<Record<'nodes' | 'redis' | 'dynamodb' | 'opensearch' | 'balancer' | 'all', number>>
}

const DAY_SECONDS = 86_400
const MONTH_DAYS = 30
const MONTH_HOURS = 24 * MONTH_DAYS
const GIB = 1024 ** 3
const MS = 1000

/** A peak that lasts: no burst of a quota helps against it. */
const PEAK_S = 600

export function planFor(messagesPerDay: number, used: { turn: TurnUse; call: CallUse }, inputs: CapacityInputs): Plan {
  const { call, turn: use } = used
  const peakPerSecond = (messagesPerDay / DAY_SECONDS) * inputs.traffic.peakFactor
  const nodes = nodesFor(peakPerSecond, use, inputs)
  const redisShards = shardsFor(peakPerSecond, use, inputs)
  const opensearchNodes = Math.max(
    inputs.opensearch.nodesMin,
    Math.ceil(peakPerSecond / inputs.opensearch.queriesPerSecondPerNode),
  )
  const parts = {
    nodes: nodes * nodeUsd(inputs),
    redis: redisShards * (1 + inputs.redis.replicasPerShard) * inputs.redis.usdPerNodeHour * MONTH_HOURS,
    dynamodb: dynamodbUsd(messagesPerDay, use, inputs),
    opensearch:
      opensearchNodes * (inputs.opensearch.usdPerNodeHour * MONTH_HOURS + inputs.opensearch.usdPerNodeMonthOfStorage),
    balancer:
      inputs.balancer.usdPerMonth + ((messagesPerDay * MONTH_DAYS) / 1e6) * inputs.balancer.usdPerMillionMessages,
  }
  const all = Object.values(parts).reduce((sum, usd) => sum + usd, 0)
  const writesPerTurn = Object.values(use.dynamodb).reduce((sum, { writes }) => sum + writes, 0)
  return {
    messagesPerDay,
    peakPerSecond,
    nodes,
    redisShards,
    writesPerSecondAtPeak: peakPerSecond * writesPerTurn,
    opensearchNodes,
    quota: scaleHint({
      ...call,
      arrivals: Array.from({ length: PEAK_S }, () => peakPerSecond),
    }),
    usdPerMonth: { ...parts, all },
  }
}

function nodesFor(perSecond: number, { nodeCpuMs }: TurnUse, { node }: CapacityInputs): number {
  const cores = (perSecond * nodeCpuMs) / MS
  // One more than needed: a deploy or a lost machine leaves one less.
  return Math.max(node.nodesMin, Math.ceil(cores / node.coreShareMax) + 1)
}

function shardsFor(perSecond: number, { redisBytes, redisCpuMs }: TurnUse, { redis }: CapacityInputs): number {
  const byCpu = (perSecond * redisCpuMs) / MS / redis.coreShareMax
  const hourBytes = perSecond * 3600 * redisBytes
  const byMemory = hourBytes / GIB / (redis.memoryGiB * redis.memoryShareMax)
  return Math.max(1, Math.ceil(Math.max(byCpu, byMemory)))
}

function nodeUsd({ node }: CapacityInputs): number {
  return (node.usdPerVcpuHour + node.memoryGiB * node.usdPerGiBHour) * MONTH_HOURS
}

function dynamodbUsd(messagesPerDay: number, { dynamodb: tables, storedBytes }: TurnUse, { dynamodb }: CapacityInputs) {
  const perMonth = (messagesPerDay * MONTH_DAYS) / 1e6
  const units = Object.values(tables).reduce(
    (usd, { reads, writes }) => usd + reads * dynamodb.usdPerMillionReads + writes * dynamodb.usdPerMillionWrites,
    0,
  )
  const bytes =
    messagesPerDay * (storedBytes.sessions * dynamodb.conversationDays + storedBytes.ledger * dynamodb.ledgerDays)
  return perMonth * units + (bytes / GIB) * (dynamodb.usdPerGiBMonth + dynamodb.usdPerGiBMonthOfRecovery)
}
