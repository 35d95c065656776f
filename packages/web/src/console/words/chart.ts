// The words of charts.
import type { Words } from '../../i18n.ts'

export const chartWords = {
  asTable: { ja: '表で見る', en: 'As a table' },
  time: { ja: '日時', en: 'Time' },
} as const satisfies Words
