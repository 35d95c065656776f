// The words of the catalogue and its imports.
import type { Words } from '../../i18n.ts'

export const knowledgeWords = {
  knowledge: { ja: 'カタログ', en: 'Knowledge' },
  products: { ja: '作品', en: 'Products' },
  faq: { ja: 'FAQ の項目', en: 'FAQ entries' },
  edition: { ja: '版', en: 'Edition' },
  source: { ja: '取り込み元', en: 'Source' },
  nodes: { ja: '各ノードの版', en: 'Editions of the nodes' },
  node: { ja: 'ノード', en: 'Node' },
  same: { ja: '同じ', en: 'same' },
  other: { ja: '異なる', en: 'another' },
  state: { ja: '状態', en: 'State' },
  imports: { ja: '取り込みの記録', en: 'Imports' },
  at: { ja: '日時', en: 'Time' },
  by: { ja: '操作者', en: 'By' },
  action: { ja: '操作', en: 'Action' },
  result: { ja: '結果', en: 'Result' },
  reason: { ja: '理由', en: 'Reason' },
  noImports: { ja: '取り込みの記録はありません。', en: 'No import in the audit.' },
  noNodes: { ja: 'ノードはありません。', en: 'No node is registered.' },
} as const satisfies Words
