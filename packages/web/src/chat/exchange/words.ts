// The texts of questions and answers, which `i18n.ts` includes. The texts below an ended answer are in ended-words.ts.
import type { Words } from '../../i18n.ts'

export const exchangeWords = {
  endLength: { ja: '長くなりましたので、ここまでといたします。', en: 'This was getting long, so it ends here.' },
  endBudget: { ja: 'ご利用枠に達したため、ここまでといたします。', en: 'Your allowance was reached, so it ends here.' },
  endTimeout: { ja: '時間内に終わりませんでした。', en: 'This could not be finished in time.' },
  endStopped: { ja: '停止しました。', en: 'Stopped.' },
  endInterrupted: { ja: '回答が途中で途切れました。', en: 'The answer was interrupted.' },
  endDeferred: { ja: '受け付けました。のちほどお答えします。', en: 'We have your question and will answer later.' },
  unverified: { ja: '一部が正しく届かなかった可能性があります。', en: 'Some of this may not have arrived correctly.' },

  waitingOffline: {
    ja: '接続が戻りしだい、続きをお届けします。',
    en: 'The answer goes on when the connection is back.',
  },

  replacedElsewhere: {
    ja: 'このやりとりは、別の画面ですでに新しいものになっています。',
    en: 'This was already replaced or continued elsewhere.',
  },
  goOn: { ja: '続きを見る', en: 'Go on' },
  askAgain: { ja: 'もう一度質問する', en: 'Ask again' },
  earlier: { ja: '以前のやりとり（{n}）', en: 'Earlier version ({n})' },
  edit: { ja: '質問を編集', en: 'Edit the question' },
  cancel: { ja: 'キャンセル', en: 'Cancel' },

  person: { ja: '担当者に相談する', en: 'Talk to a person' },
  personContact: { ja: 'お問い合わせ先：', en: 'Contact: ' },

  plainPrice: { ja: '1冊{n}円', en: '¥{n} a volume' },
  partMissing: {
    ja: 'チャットの一部を読み込めませんでした。直らない場合は、ページを再読み込みしてください。',
    en: 'Part of the chat could not be loaded. If trying again does not help, reload the page.',
  },

  followUps: { ja: '続けて質問する', en: 'Follow-up questions' },
  followUpsOffered: { ja: '続けて選べる質問が{n}件あります。', en: 'Follow-up questions to choose from: {n}.' },
} as const satisfies Words
