// The words of usage, spenders and tiers.
import type { Words } from '../../i18n.ts'
import { filterWords } from './filters.ts'
import { limitWords } from './limits.ts'
import { pagerWords } from './pager.ts'

export const moneyWords = {
  ...filterWords,
  ...limitWords,
  ...pagerWords,
  money: { ja: '費用', en: 'Money' },
  groupedBy: { ja: '集計', en: 'Grouped by' },
  day: { ja: '日', en: 'Day' },
  user: { ja: 'ユーザー', en: 'User' },
  model: { ja: 'モデル', en: 'Model' },
  outcome: { ja: '結果', en: 'Outcome' },
  session: { ja: '会話', en: 'Conversation' },
  tierOfAnswer: { ja: '回答の種類', en: 'Answer tier' },
  modelAndOutcome: { ja: 'モデルと結果', en: 'Model and outcome' },
  dayAndModel: { ja: '日とモデル', en: 'Day and model' },
  from: { ja: '開始日', en: 'From' },
  to: { ja: '終了日', en: 'To' },
  calls: { ja: '呼び出し', en: 'Calls' },
  input: { ja: '入力トークン', en: 'Input tokens' },
  cached: { ja: 'うちキャッシュ読み', en: 'of which cached' },
  output: { ja: '出力トークン', en: 'Output tokens' },
  cost: { ja: '費用', en: 'Cost' },
  costByDay: { ja: '日ごとの費用', en: 'Cost by day' },
  share: { ja: '割合', en: 'Share' },
  estimated: { ja: '推定した呼び出し', en: 'Estimated calls' },
  overage: { ja: '予約を超えた呼び出し', en: 'Calls beyond their hold' },
  none: { ja: '該当する利用はありません。', en: 'No usage matches.' },
  pageShare: { ja: '割合はこのページの合計に対するものです。', en: 'Shares are of the groups on this page.' },
  spenders: { ja: '{day}に{alarm}を超えたユーザー', en: 'Users above {alarm} on {day}' },
  noSpenders: { ja: 'しきい値を超えたユーザーはいません。', en: 'No user is above it.' },
  tiers: { ja: 'ティアの上限', en: 'Limits of the tiers' },
  tier: { ja: 'ティア', en: 'Tier' },
  overridden: { ja: '変更済み', en: 'changed' },
  actions: { ja: '操作', en: 'Actions' },
  change: { ja: '変更', en: 'Change' },
  changeTier: { ja: 'ティア {tier} の上限を変更', en: 'Change the limits of tier {tier}' },
  changeTierText: {
    ja: 'このティアの全ユーザーに適用されます。空欄は設定ファイルの値のままです。以前の変更は置き換えられます。',
    en: 'Applies to all users of the tier. Empty fields keep the configured value; an earlier change is replaced.',
  },
  restore: { ja: '元に戻す', en: 'Restore' },
  restoreText: {
    ja: 'ティア {tier} を設定ファイルの値に戻します。',
    en: 'Returns tier {tier} to its configured limits.',
  },
} as const satisfies Words
