// The limits of a principal, from the configured user tiers. A tier that is no longer configured gets the limits of `free`.
import type { TierLimits } from './quota.ts'

/** The figures of a user tier, from the configuration or from an operator's override. */
export interface TierFigures {
  readonly inputTokensPerDay: number
  readonly outputTokensPerDay: number
  readonly microUsdPerDay: number
  readonly requestsPerMinute: number
  readonly outputTokensPerRequest: number
  /** Multiplies the user's rate and burst. */
  readonly rateFactor: number
}

export interface LimitSettings {
  readonly tiers: Readonly<Record<string, TierFigures>>
  readonly rates: { readonly userPerSecond: number; readonly userBurst: number; readonly messagesPerDay: number }
  readonly tokens: {
    readonly inputPerSessionMax: number
    readonly outputPerSessionMax: number
    readonly outputUsefulMin: number
    readonly systemShare: number
  }
}

export type PrincipalLimits = TierLimits & { readonly outputTokensPerRequest: number }

export function tierLimits(settings: LimitSettings, tier: string): PrincipalLimits {
  const known = settings.tiers[tier] ?? settings.tiers['free']
  if (known === undefined) throw new Error('the configuration has no tier named free')
  return {
    tier,
    day: {
      inputTokens: known.inputTokensPerDay,
      outputTokens: known.outputTokensPerDay,
      costMicroUsd: known.microUsdPerDay,
    },
    session: { inputTokens: settings.tokens.inputPerSessionMax, outputTokens: settings.tokens.outputPerSessionMax },
    requestsPerMinute: known.requestsPerMinute,
    messagesPerDay: settings.rates.messagesPerDay,
    userRate: {
      perSecond: settings.rates.userPerSecond * known.rateFactor,
      burst: Math.floor(settings.rates.userBurst * known.rateFactor),
    },
    inputTokensMin: settings.tokens.systemShare,
    outputTokensMin: settings.tokens.outputUsefulMin,
    outputTokensPerRequest: known.outputTokensPerRequest,
  }
}
