// Orders and complaints: which service answer a message needs.
import type { Intent, OrderTopic } from './intent.ts'
import type { Understood } from './understood.ts'

const CHANGE = /変更|変えたい|追加|住所|change|edit|address|add .{0,20}to my order/iu
const CANCEL = /キャンセル|取り消|取消|cancel/iu
const REFUND = /返金|返品|refund|money back|return/iu

export function orderTopic(words: string): OrderTopic {
  if (CANCEL.test(words)) return 'cancel'
  if (REFUND.test(words)) return 'refund'
  return CHANGE.test(words) ? 'change' : 'status'
}

const GRIEVANCE_WORDS: readonly (readonly [RegExp, Extract<Intent, { kind: 'complaint' }>['grievance']])[] = [
  [/届か|来ない|遅|待って|late|not (?:here|arrived)|hasn.t (?:come|arrived)|where is|still waiting|weeks?/iu, 'late'],
  [/破れ|折れ|傷|汚れ|濡れ|ページが(?:抜け|ない)|落丁|乱丁|damag|torn|ripped|wet|bent|missing pages?/iu, 'damaged'],
  [/違う(?:本|巻|商品)|間違|wrong/iu, 'wrong'],
  [/足りな|入ってな|一冊ない|missing/iu, 'missing'],
  [/請求|二重|引き落と|課金|charged|twice|overcharg/iu, 'charge'],
]

export function complaining({ reading, state, words, before }: Understood): Intent {
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  const [stated] = reading.grievances
  const grievance = stated ?? GRIEVANCE_WORDS.find(([pattern]) => pattern.test(words))?.[1]
  if (grievance !== undefined) return { kind: 'complaint', grievance, ...order }
  return {
    kind: 'complaint',
    grievance: before.previous === 'list' || before.previous === 'one' ? 'answer' : 'other',
    ...order,
  }
}
