// The texts that every page has before the panel is loaded.
import type { Words } from '../../speak.ts'

/** The label contains the visible words. */
export const launcherWords = {
  launch: { ja: '相談する', en: 'Ask us' },
  launchLabel: { ja: '漫画アシスタントに相談する', en: 'Ask us: open the manga assistant' },
  unread: { ja: '新しい回答が{n}件あります', en: 'New answers: {n}' },
  opening: { ja: '開いています…', en: 'Opening…' },
  openFailed: {
    ja: '読み込めませんでした。通信の状態をご確認のうえ、もう一度お試しください。',
    en: 'This could not be loaded. Please check your connection and try again.',
  },
} as const satisfies Words
