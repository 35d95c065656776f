// The words of blocks.
import type { Words } from '../../i18n.ts'

export const blockWords = {
  blocks: { ja: 'ブロック中', en: 'Blocked' },
  noBlocks: { ja: 'ブロックはありません。', en: 'No caller is blocked.' },
  target: { ja: '対象', en: 'Target' },
  targetHint: {
    ja: 'ユーザー、guest_…、key:名前、IPアドレス、203.0.113.0/24 のようなネットワーク',
    en: 'A user, guest_…, key:NAME, an IP address, or a network such as 203.0.113.0/24',
  },
  kind: { ja: '種類', en: 'Kind' },
  by: { ja: '操作者', en: 'By' },
  at: { ja: '日時', en: 'Since' },
  until: { ja: '期限', en: 'Until' },
  untilField: { ja: '期限（空欄：解除するまで）', en: 'Until (empty: until it is removed)' },
  forever: { ja: '解除するまで', en: 'until removed' },
  reason: { ja: '理由', en: 'Reason' },
  actions: { ja: '操作', en: 'Actions' },
  block: { ja: 'ブロックする', en: 'Block' },
  blockText: {
    ja: '対象からの新しい質問と接続を、すべてのノードで断ります。',
    en: 'Every node refuses questions and connections of the target.',
  },
  unblock: { ja: 'ブロックを解除', en: 'Unblock' },
  unblockText: { ja: '{target} のブロックを解除します。', en: 'Removes the block of {target}.' },
  isBlocked: { ja: 'ブロック中', en: 'blocked' },
  force: { ja: 'サーバー自身や自分のアドレスでも実行', en: 'Even the server’s own machine or your own address' },
  no: { ja: 'いいえ', en: 'no' },
  yes: { ja: 'はい', en: 'yes' },
} as const satisfies Words
