// The words of filters.
import type { Words } from '../../i18n.ts'

export const filterWords = {
  filters: { ja: '絞り込み', en: 'Filters' },
  apply: { ja: '適用', en: 'Apply' },
  clear: { ja: '解除', en: 'Clear' },
} as const satisfies Words
