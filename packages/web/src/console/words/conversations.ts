// The words of conversations.
import type { Words } from '../../i18n.ts'
import { pagerWords } from './pager.ts'

export const conversationWords = {
  ...pagerWords,
  conversations: { ja: '会話', en: 'Conversations' },
  conversation: { ja: '会話', en: 'Conversation' },
  open: { ja: '開く', en: 'Open' },
  find: { ja: '会話ID、またはユーザーID', en: 'Conversation id, or user id' },
  findHint: {
    ja: 'sess_… は会話、それ以外はその人の会話の一覧を開きます。本文を読むには理由が必要です。',
    en: 'sess_… opens a conversation, anything else lists the conversations of that person. Reading texts needs a reason.',
  },
  ofUser: { ja: '{user} の会話', en: 'Conversations of {user}' },
  turns: { ja: 'ターン', en: 'Turns' },
  created: { ja: '開始', en: 'Began' },
  lastActive: { ja: '最後の発言', en: 'Last active' },
  state: { ja: '状態', en: 'State' },
  expired: { ja: '期限切れ', en: 'expired' },
  current: { ja: '有効', en: 'current' },
  none: { ja: '会話はありません。', en: 'No conversation.' },
  read: { ja: '会話を読む', en: 'Read the conversation' },
  readText: {
    ja: '{session} の質問と回答を表示します。理由とともに監査へ記録されます。',
    en: 'Shows questions and answers of {session}. The audit keeps who read it and why.',
  },
  notRead: {
    ja: '本文は理由を添えて開くまで表示されません。',
    en: 'Its texts are shown only after it is opened with a reason.',
  },
  readDone: { ja: '{n}ターンを表示しています。', en: '{n} turns are shown.' },
  user: { ja: 'ユーザー', en: 'User' },
  question: { ja: '質問', en: 'Question' },
  answer: { ja: '回答', en: 'Answer' },
  itsTurns: { ja: 'この会話のターン', en: 'Turns of this conversation' },
  forbidden: { ja: '会話を読むには operator の役割が必要です。', en: 'Reading conversations needs the role operator.' },
} as const satisfies Words
