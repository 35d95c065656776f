// The words of the list of turns and of one turn's story.
import type { Words } from '../../i18n.ts'
import { filterWords } from './filters.ts'
import { pagerWords } from './pager.ts'

export const turnWords = {
  ...filterWords,
  ...pagerWords,
  turns: { ja: 'ターン', en: 'Turns' },
  at: { ja: '日時', en: 'Time' },
  user: { ja: 'ユーザー', en: 'User' },
  session: { ja: '会話', en: 'Conversation' },
  model: { ja: 'モデル', en: 'Model' },
  outcome: { ja: '終わり方', en: 'End' },
  degraded: { ja: '低下', en: 'degraded' },
  cachedAnswer: { ja: 'キャッシュ', en: 'cached' },
  cost: { ja: '費用', en: 'Cost' },
  firstWord: { ja: '最初の語', en: 'First word' },
  total: { ja: '全体', en: 'Total' },
  feedback: { ja: '評価', en: 'Thumb' },
  experiment: { ja: '実験', en: 'Experiment' },
  from: { ja: '開始日', en: 'From' },
  to: { ja: '終了日', en: 'To' },
  any: { ja: '（すべて）', en: '(any)' },
  none: { ja: '該当するターンはありません。', en: 'No turn matches.' },
  live: { ja: 'ライブ', en: 'Live' },
} as const satisfies Words
