// The words of thumbs and the turns with a thumb down.
import type { Words } from '../../i18n.ts'
import { filterWords } from './filters.ts'
import { pagerWords } from './pager.ts'

export const feedbackWords = {
  ...filterWords,
  ...pagerWords,
  feedback: { ja: '評価', en: 'Feedback' },
  groupedBy: { ja: '集計', en: 'Grouped by' },
  from: { ja: '開始日', en: 'From' },
  to: { ja: '終了日', en: 'To' },
  group: { ja: 'グループ', en: 'Group' },
  up: { ja: '役に立った', en: 'Thumbs up' },
  down: { ja: '役に立たなかった', en: 'Thumbs down' },
  share: { ja: '役に立った割合', en: 'Share up' },
  interval: { ja: '95％区間', en: '95 % interval' },
  cut: { ja: '古い評価は含まれていません。', en: 'The oldest thumbs are not counted.' },
  none: { ja: 'まだ評価はありません。', en: 'No thumb yet.' },
  worst: { ja: '役に立たなかった回答', en: 'Turns with a thumb down' },
  read: { ja: '本文を読む', en: 'Read the texts' },
  readText: {
    ja: 'このページの質問と回答を表示します。会話ごとに監査へ記録されます。',
    en: 'Shows question and answer of this page’s turns. Each conversation gets a line in the audit.',
  },
  readDone: { ja: '{n}件を表示しています。', en: '{n} turns are shown with their texts.' },
  at: { ja: '日時', en: 'Time' },
  turn: { ja: 'ターン', en: 'Turn' },
  model: { ja: 'モデル', en: 'Model' },
  prompt: { ja: 'プロンプト版', en: 'Prompt' },
  said: { ja: '読者の理由', en: 'The reader’s reason' },
  question: { ja: '質問', en: 'Question' },
  answer: { ja: '回答', en: 'Answer' },
} as const satisfies Words
