// The rules of a budget, as pure arithmetic: every adapter of `Budgets` decides by these and has no rules of its own.
import type { Day } from './day.ts'

export interface Amounts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costMicroUsd: number
}

export const NOTHING: Amounts = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 }

export interface TierLimits {
  readonly tier: string
  /** Per principal and day. */
  readonly day: Amounts
  readonly session: Tokens
  readonly requestsPerMinute: number
  readonly messagesPerDay: number
  readonly userRate: { readonly perSecond: number; readonly burst: number }
  /** A budget with less input left refuses, because the question would not fit. */
  readonly inputTokensMin: number
  /** A budget with less output left refuses, because so short an answer is of no use. */
  readonly outputTokensMin: number
}

/** The session limit for a caller's own prompt, which belongs to no conversation. */
export const NO_SESSION_LIMIT = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: Number.MAX_SAFE_INTEGER }

export type RateScope = 'user-rate' | 'requests-per-minute' | 'messages-per-day'
export type QuotaScope = 'day-input' | 'day-output' | 'day-cost' | 'session-input' | 'session-output'

/** The part of a budget that is reserved for one turn until it is settled. */
export interface Hold {
  readonly id: string
  readonly principalId: string
  readonly sessionId: string
  readonly day: Day
  readonly granted: Amounts
}

type Tokens = Pick<Amounts, 'inputTokens' | 'outputTokens'>

export interface QuotaState {
  readonly tier: string
  readonly resetsAt: number
  readonly used: Amounts
  readonly reserved: Amounts
  readonly limit: Amounts
  /** The turn's conversation before that turn; absent when there is no turn or the conversation's usage is unknown. */
  readonly conversation?: { readonly used: Tokens; readonly limit: Tokens }
  readonly requestsPerMinute: { readonly used: number; readonly limit: number; readonly resetMs: number }
}

export interface BudgetUsage {
  readonly used: Amounts
  readonly reserved: Amounts
}

/** The budgets that a turn draws on. */
interface TurnUsage {
  readonly day: BudgetUsage
  readonly session: BudgetUsage
}

export type Grant =
  | { readonly kind: 'granted'; readonly amounts: Amounts }
  | { readonly kind: 'exceeded'; readonly scope: QuotaScope }

/** Grants the ask, or the rest of the budget if that is less; exceeded when the rest is of no use. */
export function grant(ask: Amounts, limits: TierLimits, { day, session }: TurnUsage): Grant {
  const left = (scope: BudgetUsage, part: keyof Amounts, limit: number): number =>
    limit - scope.used[part] - scope.reserved[part]
  const dayInput = left(day, 'inputTokens', limits.day.inputTokens)
  const dayOutput = left(day, 'outputTokens', limits.day.outputTokens)
  const dayCost = left(day, 'costMicroUsd', limits.day.costMicroUsd)
  const sessionInput = left(session, 'inputTokens', limits.session.inputTokens)
  const sessionOutput = left(session, 'outputTokens', limits.session.outputTokens)

  const outputMin = Math.min(limits.outputTokensMin, ask.outputTokens)
  const inputMin = Math.max(1, limits.inputTokensMin)
  if (dayInput < inputMin) return { kind: 'exceeded', scope: 'day-input' }
  if (dayOutput < outputMin) return { kind: 'exceeded', scope: 'day-output' }
  if (ask.costMicroUsd > 0 && dayCost <= 0) return { kind: 'exceeded', scope: 'day-cost' }
  if (sessionInput < inputMin) return { kind: 'exceeded', scope: 'session-input' }
  if (sessionOutput < outputMin) return { kind: 'exceeded', scope: 'session-output' }
  return {
    kind: 'granted',
    amounts: {
      inputTokens: Math.min(ask.inputTokens, dayInput, sessionInput),
      outputTokens: Math.min(ask.outputTokens, dayOutput, sessionOutput),
      costMicroUsd: Math.min(ask.costMicroUsd, Math.max(0, dayCost)),
    },
  }
}

/** The amounts of a hold that is raised to `to`; undefined when the day or the session has not enough left. */
export function raised(
  { from: reserved, to }: { readonly from: Amounts; readonly to: Amounts },
  limits: TierLimits,
  { day, session }: TurnUsage,
): Amounts | undefined {
  const target = greatest(reserved, to)
  // The day's and the session's reserved amounts already contain `reserved`.
  const fits = (scope: BudgetUsage, part: keyof Amounts, limit: number): boolean =>
    target[part] === reserved[part] || scope.used[part] + scope.reserved[part] - reserved[part] + target[part] <= limit
  const hasRoom =
    fits(day, 'inputTokens', limits.day.inputTokens) &&
    fits(day, 'outputTokens', limits.day.outputTokens) &&
    fits(day, 'costMicroUsd', limits.day.costMicroUsd) &&
    fits(session, 'inputTokens', limits.session.inputTokens) &&
    fits(session, 'outputTokens', limits.session.outputTokens)
  return hasRoom ? target : undefined
}

export function add(a: Amounts, b: Amounts): Amounts {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicroUsd: a.costMicroUsd + b.costMicroUsd,
  }
}

export function least(a: Amounts, b: Amounts): Amounts {
  return {
    inputTokens: Math.min(a.inputTokens, b.inputTokens),
    outputTokens: Math.min(a.outputTokens, b.outputTokens),
    costMicroUsd: Math.min(a.costMicroUsd, b.costMicroUsd),
  }
}

function greatest(a: Amounts, b: Amounts): Amounts {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    costMicroUsd: Math.max(a.costMicroUsd, b.costMicroUsd),
  }
}

export function exceeds(a: Amounts, b: Amounts): boolean {
  return a.inputTokens > b.inputTokens || a.outputTokens > b.outputTokens || a.costMicroUsd > b.costMicroUsd
}

const WARN_AT = [0.9, 0.8] as const
const TOKEN_PARTS = ['inputTokens', 'outputTokens'] as const
const PARTS = [...TOKEN_PARTS, 'costMicroUsd'] as const

export interface QuotaWarning {
  readonly budget: 'day' | 'conversation'
  /** The line of that budget with the largest used share. */
  readonly part: keyof Amounts
  readonly step: 0.8 | 0.9
  readonly used: number
  readonly limit: number
}

/** The share of the budget that is left, from 0 to 1: of the day's or the conversation's, whichever is nearer its end. */
export function shareLeft({ used, limit, conversation }: QuotaState): number {
  const lines = [
    ...PARTS.map((part) => [used[part], limit[part]] as const),
    ...TOKEN_PARTS.map((part) => [conversation?.used[part] ?? 0, conversation?.limit[part] ?? 0] as const),
  ]
  return Math.min(1, ...lines.filter(([, most]) => most > 0).map(([spent, most]) => Math.max(0, 1 - spent / most)))
}

/** One warning per budget (day, conversation) in which a line has reached 80 or 90 %. */
export function quotaWarnings({ used, limit, conversation }: QuotaState): readonly QuotaWarning[] {
  const day = warningOf('day', PARTS, { used, limit })
  const own =
    conversation &&
    warningOf('conversation', TOKEN_PARTS, {
      used: { ...NOTHING, ...conversation.used },
      limit: { ...NOTHING, ...conversation.limit },
    })
  return [day, own].filter((warning) => warning !== undefined)
}

function warningOf(
  budget: QuotaWarning['budget'],
  parts: readonly (keyof Amounts)[],
  { used, limit }: { readonly used: Amounts; readonly limit: Amounts },
): QuotaWarning | undefined {
  const lines = parts.map((part) => ({ budget, part, used: used[part], limit: limit[part] }))
  const shareOf = (line: { readonly used: number; readonly limit: number }) => line.used / line.limit
  const fullest = lines.reduce((most, line) => (shareOf(line) > shareOf(most) ? line : most))
  const step = WARN_AT.find((share) => shareOf(fullest) >= share)
  return step === undefined ? undefined : { ...fullest, step }
}
