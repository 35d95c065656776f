// The words of the nodes.
import type { Words } from '../../i18n.ts'

export const nodeWords = {
  nodes: { ja: 'ノード', en: 'Nodes' },
  node: { ja: 'ノード', en: 'Node' },
  host: { ja: 'マシン', en: 'Machine' },
  version: { ja: 'バージョン', en: 'Version' },
  started: { ja: '起動', en: 'Started' },
  turns: { ja: '実行中のターン', en: 'Turns' },
  connections: { ja: '接続', en: 'Connections' },
  edition: { ja: 'カタログ版', en: 'Catalogue edition' },
  state: { ja: '状態', en: 'State' },
  leads: { ja: 'リーダー', en: 'leads' },
  drains: { ja: '停止準備中', en: 'drains' },
  answers: { ja: 'このコンソール', en: 'answers here' },
  late: { ja: '{age}から応答なし', en: 'last seen {age}' },
  seenAt: {
    ja: 'Redis に接続できないため、{age}時点の一覧です。',
    en: 'The list is of {age}: Redis is unavailable, and no node leads.',
  },
  differ: {
    ja: 'カタログの版がノードによって異なります。',
    en: 'The nodes have different editions of the catalogue.',
  },
  differVersions: { ja: 'バージョンの異なるノードがあります。', en: 'The nodes run different versions.' },
  empty: { ja: 'ノードはありません。', en: 'No node is registered.' },
} as const satisfies Words
