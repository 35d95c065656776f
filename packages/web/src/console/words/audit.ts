// The words of the audit.
import type { Words } from '../../i18n.ts'
import { filterWords } from './filters.ts'
import { pagerWords } from './pager.ts'

export const auditWords = {
  ...filterWords,
  ...pagerWords,
  audit: { ja: '監査', en: 'Audit' },
  subject: { ja: '対象', en: 'Subject' },
  subjectHint: {
    ja: 'ユーザーID、ティア、レーン、会話、実験、service など',
    en: 'A user id, tier, lane, conversation or experiment; service, catalogue',
  },
  at: { ja: '日時', en: 'Time' },
  by: { ja: '操作者', en: 'By' },
  action: { ja: '操作', en: 'Action' },
  change: { ja: '変更', en: 'Change' },
  reason: { ja: '理由', en: 'Reason' },
  empty: { ja: 'まだ記録はありません。', en: 'No line yet.' },
} as const satisfies Words
