// The texts of the list of conversations, which is loaded when it is opened.
import type { Words } from '../../speak.ts'

export const historyWords = {
  history: { ja: 'これまでの会話', en: 'Your conversations' },
  historyBack: { ja: '会話に戻る', en: 'Back to the conversation' },
  historyLoading: { ja: '読み込んでいます…', en: 'Loading…' },
  historyFailed: { ja: '会話の一覧を読み込めませんでした。', en: 'Your conversations could not be loaded.' },
  historyRetry: { ja: 'もう一度試す', en: 'Try again' },
  historyEmpty: { ja: 'まだ会話はありません。', en: 'There are no conversations yet.' },
  historyNone: { ja: '一致する会話はありません。', en: 'No conversation matches.' },
  historySearch: { ja: '会話を探す', en: 'Search your conversations' },
  historyMore: { ja: 'さらに表示', en: 'Show more' },
  historyCurrent: { ja: '表示中', en: 'Shown now' },
  historyUntitled: { ja: '無題の会話', en: 'Untitled conversation' },
  historyDelete: { ja: '「{title}」を削除', en: 'Delete “{title}”' },
  historyDeleteAsk: {
    ja: 'この会話を削除しますか？元に戻せません。',
    en: 'Delete this conversation? This cannot be undone.',
  },
  historyDeleteYes: { ja: '削除する', en: 'Delete' },
  historyDeleteNo: { ja: 'やめる', en: 'Keep it' },
  historyDeleted: { ja: '会話を削除しました。', en: 'The conversation was deleted.' },
  historyDeleteFailed: {
    ja: '削除できませんでした。もう一度お試しください。',
    en: 'This could not be deleted. Please try again.',
  },
  historyEverything: { ja: 'すべて削除', en: 'Delete everything' },
  historyEverythingAsk: {
    ja: 'すべての会話と、評価などの記録を削除しますか？元に戻せません。',
    en: 'Delete all conversations and what is stored about them? This cannot be undone.',
  },
  historyEverythingYes: { ja: 'すべて削除する', en: 'Delete everything' },
  historyEverythingDeleted: { ja: 'すべての会話を削除しました。', en: 'All conversations were deleted.' },
} as const satisfies Words
