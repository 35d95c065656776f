// The texts of the panel's menu. `i18n.ts` includes them in the texts of the chat.
import type { Words } from '../../i18n.ts'

export const panelWords = {
  historyOpen: { ja: 'これまでの会話を見る', en: 'Show your conversations' },
  historyOpening: { ja: '読み込んでいます…', en: 'Loading…' },
  historyUnavailable: {
    ja: '会話の一覧を読み込めませんでした。もう一度お試しください。',
    en: 'Your conversations could not be loaded. Please try again.',
  },
  menu: { ja: 'メニュー', en: 'Menu' },
  layout: { ja: '表示', en: 'Size' },
  layoutFloat: { ja: '小さく表示', en: 'Small' },
  layoutWide: { ja: '広く表示', en: 'Wide' },
  layoutDock: { ja: 'ページの横に表示', en: 'Beside the page' },
  layoutFull: { ja: '全画面で表示', en: 'Full screen' },
} as const satisfies Words
