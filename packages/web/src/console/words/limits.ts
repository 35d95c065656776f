// The words of limits.
import type { Words } from '../../i18n.ts'

export const limitWords = {
  inputPerDay: { ja: '入力トークン/日', en: 'Input tokens a day' },
  outputPerDay: { ja: '出力トークン/日', en: 'Output tokens a day' },
  costPerDay: { ja: '費用/日', en: 'Cost a day' },
  costPerDayUsd: { ja: '費用/日（USD）', en: 'Cost a day (USD)' },
  perMinute: { ja: 'リクエスト/分', en: 'Requests a minute' },
  outputPerRequest: { ja: '出力トークン/回答', en: 'Output tokens an answer' },
  rateFactor: { ja: 'レートの倍率', en: 'Rate factor' },
} as const satisfies Words
