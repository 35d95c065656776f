// The words of a model's or another dependency's state: of its circuit, its load, what an operator did with it, and why its vendor rejects it.
import type { Words } from '../../i18n.ts'

export const laneWords = {
  dependency: { ja: 'モデルまたは依存先', en: 'Model or dependency' },
  closed: { ja: '正常', en: 'working' },
  open: { ja: '停止', en: 'stopped' },
  'half-open': { ja: '試験中', en: 'being tested' },
  recovering: { ja: '復旧中', en: 'recovering' },
  slight: { ja: '混雑', en: 'busy' },
  high: { ja: '過負荷', en: 'overloaded' },
  recovery: { ja: '復旧中', en: 'recovering' },
  'force-open': { ja: '操作者が停止', en: 'stopped by an operator' },
  disable: { ja: '操作者が制御を解除', en: 'control switched off by an operator' },
  reset: { ja: '操作者がリセット', en: 'reset by an operator' },
  'access-denied': { ja: '提供元がキーを拒否', en: 'vendor rejects the key' },
  'not-found': { ja: '提供元がモデル名を拒否', en: 'vendor rejects the model’s name' },
  invalid: { ja: '提供元がリクエストの形式を拒否', en: 'vendor rejects the form of requests' },
  inRow: { ja: '連続{n}回', en: '{n} in a row' },
} as const satisfies Words
