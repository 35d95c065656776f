// A budget as clients are told it.
import type { Language, QuotaView } from '@mangaassist/protocol'
import { isoTime } from '#lib/iso-time.ts'
import { warningStep } from './quota.ts'
import type { Amounts, QuotaState } from './quota.ts'

export function quotaView(quota: QuotaState): QuotaView {
  const line = (part: keyof Amounts) => ({
    used: quota.used[part],
    reserved: quota.reserved[part],
    limit: quota.limit[part],
  })
  return {
    tier: quota.tier,
    resetsAt: isoTime(quota.resetsAt),
    input: line('inputTokens'),
    output: line('outputTokens'),
    costMicroUsd: line('costMicroUsd'),
    requestsPerMinute: { used: quota.requestsPerMinute.used, reserved: 0, limit: quota.requestsPerMinute.limit },
  }
}

/** A sentence for the shopper once 80 % or 90 % of a day's budget is used. */
export function quotaWarning(quota: QuotaState, language: Language): string | undefined {
  const step = warningStep(quota)
  if (step === undefined) return undefined
  const percent = Math.round(step * 100)
  return language === 'ja'
    ? `本日ご利用いただける分の${percent}％以上をお使いになりました。`
    : `You have used more than ${percent} % of today’s allowance.`
}
