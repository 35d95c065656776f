// The words of how a turn or a refused request ended.
import type { Words } from '../../i18n.ts'

export const recordEndWords = {
  degraded: { ja: '低下', en: 'degraded' },
  cachedAnswer: { ja: 'キャッシュ', en: 'cached' },
  times: { ja: '{n}回', en: '{n} times' },
} as const satisfies Words
