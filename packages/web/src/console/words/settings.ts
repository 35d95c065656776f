// The words of what can be switched at run time.
import type { Words } from '../../i18n.ts'

export const settingWords = {
  settings: { ja: '設定', en: 'Settings' },
  maintenance: { ja: 'メンテナンス', en: 'Maintenance' },
  state: { ja: '状態', en: 'State' },
  open: { ja: '営業中', en: 'open' },
  closed: { ja: 'メンテナンス中', en: 'maintenance' },
  by: { ja: '操作者', en: 'By' },
  since: { ja: '開始', en: 'Since' },
  switchOn: { ja: 'メンテナンスを開始', en: 'Start maintenance' },
  switchOnText: {
    ja: '新しい質問をすべてのノードで断ります。進行中の回答は続きます。',
    en: 'Every node refuses new questions. Running answers continue.',
  },
  switchOff: { ja: 'メンテナンスを終了', en: 'End maintenance' },
  switchOffText: { ja: '新しい質問を再び受け付けます。', en: 'New questions are accepted again.' },
  prewarm: { ja: '発売日の準備', en: 'Prewarm' },
  prewarmHint: {
    ja: '発売日によく聞かれる質問の回答を前もって作ります。',
    en: 'Makes the answers to the questions of a release day beforehand.',
  },
  prewarmAsk: { ja: '準備を始める', en: 'Prewarm a day' },
  prewarmDay: { ja: '発売日（空欄：明日）', en: 'Day of the releases (empty: tomorrow)' },
  prewarmAsked: { ja: '{day}の準備を依頼しました。', en: 'Asked for {day}.' },
  backup: { ja: 'バックアップ', en: 'Backup' },
  backupHint: {
    ja: '応答しているノードのマシンのフォルダーに、稼働したまま複製します。',
    en: 'Copies the store, while it runs, to a folder on the machine of the node that answers.',
  },
  backupMake: { ja: 'バックアップを作る', en: 'Make a backup' },
  folder: { ja: 'フォルダー（絶対パス）', en: 'Folder (absolute path)' },
  backupDone: { ja: '{bytes}バイトを書き込みました。', en: '{bytes} bytes written.' },
} as const satisfies Words
