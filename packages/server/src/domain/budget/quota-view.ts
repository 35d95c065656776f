// Views of a budget for clients: the protocol's quota, the warning for the shopper and the warning header.
import type { Language, QuotaView } from '@mangaassist/protocol'
import { isoTime } from '#lib/time/iso-time.ts'
import { NO_SESSION_LIMIT, quotaWarnings } from './quota.ts'
import type { Amounts, QuotaState, QuotaWarning } from './quota.ts'

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
    ...conversationView(quota.conversation),
  }
}

function conversationView(conversation: QuotaState['conversation']): Pick<QuotaView, 'conversation'> {
  if (conversation === undefined || conversation.limit.inputTokens === NO_SESSION_LIMIT.inputTokens) return {}
  const { used, limit } = conversation
  const line = (part: keyof typeof used) => ({ used: used[part], reserved: 0, limit: limit[part] })
  return { conversation: { input: line('inputTokens'), output: line('outputTokens') } }
}

/**
 * The warning for the shopper from 80 % and 90 % of the day's or the conversation's budget on, with the share that remains: shoppers
 * know neither tokens nor what an answer costs.
 */
export function quotaWarning(quota: QuotaState, language: Language): string | undefined {
  const warnings = quotaWarnings(quota)
  if (warnings.length === 0) return undefined
  return warnings.map((warning) => WORDS[language](warning)).join(language === 'ja' ? '' : ' ')
}

const WORDS: Readonly<Record<Language, (warning: QuotaWarning) => string>> = {
  ja(warning) {
    if (isUsedUp(warning))
      return warning.budget === 'day'
        ? '本日ご利用いただける分は終わりました。価格・在庫・配送など、お店のご案内は引き続きお答えします。'
        : 'この会話でご利用いただける分は終わりました。新しい会話では、はじめからお使いいただけます。'
    const left = `（残り約${remainingPercent(warning)}％）`
    return warning.budget === 'day'
      ? `本日ご利用いただける分が少なくなっています${left}。`
      : `この会話でご利用いただける分が少なくなっています${left}。新しい会話では、はじめからお使いいただけます。`
  },
  en(warning) {
    if (isUsedUp(warning))
      return warning.budget === 'day'
        ? 'Today’s limit of the assistant is used up; prices, stock, delivery and the like are still answered.'
        : 'The limit of this conversation is used up. A new conversation starts with all of it.'
    const left = `about ${remainingPercent(warning)} % is left`
    return warning.budget === 'day'
      ? `You are near today’s limit of the assistant: ${left}.`
      : `This conversation is near its limit: ${left}. A new conversation starts with all of it.`
  },
}

function isUsedUp(warning: QuotaWarning): boolean {
  return remainingPercent(warning) === 0
}

function remainingPercent({ used, limit }: QuotaWarning): number {
  return limit === 0 ? 0 : Math.floor((100 * Math.max(0, limit - used)) / limit)
}

/** The warning for a program, as the value of `X-Quota-Warning`: each line that is nearly used up, with its figures. */
export function quotaWarningHeader(quota: QuotaState): string | undefined {
  const lines = quotaWarnings(quota).map(({ budget, part, step, used, limit }) =>
    [
      `${budget}-${HEADER_PARTS[part]}`,
      `step=${Math.round(step * 100)}`,
      `remaining=${Math.max(0, limit - used)}`,
      `limit=${limit}`,
      ...(budget === 'day' ? [`resets="${isoTime(quota.resetsAt)}"`] : []),
    ].join('; '),
  )
  return lines.length === 0 ? undefined : lines.join(', ')
}

const HEADER_PARTS = { inputTokens: 'input', outputTokens: 'output', costMicroUsd: 'cost' } as const
