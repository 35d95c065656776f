// The words of the inbox of requests for a person.
import type { Words } from '../../i18n.ts'
import { filterWords } from './filters.ts'
import { pagerWords } from './pager.ts'

export const handoverWords = {
  ...filterWords,
  ...pagerWords,
  handovers: { ja: '引き継ぎ', en: 'Hand-overs' },
  empty: { ja: '該当する依頼はありません。', en: 'No such request.' },
  state: { ja: '状態', en: 'State' },
  open: { ja: '未対応', en: 'Open' },
  taken: { ja: '対応中', en: 'Taken' },
  closed: { ja: '完了', en: 'Closed' },
  anyState: { ja: 'すべて', en: 'All' },
  at: { ja: '依頼日時', en: 'Asked' },
  shopper: { ja: 'お客様', en: 'Shopper' },
  order: { ja: '注文番号', en: 'Order' },
  email: { ja: 'メール', en: 'E-mail' },
  note: { ja: 'お客様の記入', en: 'Note' },
  conversation: { ja: '会話', en: 'Conversation' },
  readIt: { ja: '会話を読む', en: 'Read the conversation' },
  last: { ja: '最後の操作', en: 'Last change' },
  actions: { ja: '操作', en: 'Actions' },
  take: { ja: '対応する', en: 'Take' },
  takeText: {
    ja: '依頼を受け持ちます。チャットには、担当者が対応中であることが表示されます。',
    en: 'You see to it. The chat shows the shopper that it is taken.',
  },
  close: { ja: '完了にする', en: 'Close' },
  closeText: {
    ja: '依頼を完了にします。お客様は、あらためて依頼できます。',
    en: 'It is settled. The shopper may ask again.',
  },
} as const satisfies Words
