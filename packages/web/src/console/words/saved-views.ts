// The words of saved views.
import type { Words } from '../../i18n.ts'

export const viewWords = {
  views: { ja: '保存したビュー', en: 'Saved views' },
  save: { ja: 'このビューを保存', en: 'Save this view' },
  name: { ja: 'ビューの名前', en: 'Name of the view' },
  remove: { ja: 'ビュー「{name}」を削除', en: 'Remove the view “{name}”' },
} as const satisfies Words
