// The inputs of the plan, from data/capacity.yaml: prices with their day, and how traffic is spread.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface CapacityInputs {
  readonly priceDate: string
  readonly region: string
  readonly traffic: {
    readonly peakFactor: number
    readonly turnsPerConversation: number
  }
  readonly node: {
    readonly coreShareMax: number
    readonly nodesMin: number
    readonly memoryGiB: number
    readonly usdPerVcpuHour: number
    readonly usdPerGiBHour: number
  }
  readonly redis: {
    readonly coreShareMax: number
    readonly replicasPerShard: number
    readonly memoryShareMax: number
    readonly memoryGiB: number
    readonly usdPerNodeHour: number
  }
  readonly dynamodb: {
    readonly usdPerMillionWrites: number
    readonly usdPerMillionReads: number
    readonly usdPerGiBMonth: number
    readonly usdPerGiBMonthOfRecovery: number
    readonly conversationDays: number
    readonly ledgerDays: number
  }
  readonly opensearch: {
    readonly nodesMin: number
    readonly queriesPerSecondPerNode: number
    readonly usdPerNodeHour: number
    readonly usdPerNodeMonthOfStorage: number
  }
  readonly balancer: { readonly usdPerMonth: number; readonly usdPerMillionMessages: number }
}

export function readInputs(): CapacityInputs {
  return parse(readFileSync(join(import.meta.dirname, '../../data/capacity.yaml'), 'utf8')) as CapacityInputs
}
