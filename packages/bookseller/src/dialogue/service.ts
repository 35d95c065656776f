// Orders, complaints and persons: which service answer a message needs. The entry of the FAQ that was recognised says what the
// matter is; the flags of the reading and exact words where there is none.
import type { Act } from '../understanding/reading.ts'
import { hasWish } from './act.ts'
import { isQuestion } from './asking/fit-question.ts'
import type { Intent, OrderTopic } from './intent.ts'
import { matterOf } from './policies.ts'
import type { Matter } from './policies.ts'
import type { Understood } from './understood.ts'

const CHANGE = /変更|変えたい|追加|住所|change|edit|address|add .{0,20}to my order/iu
const CANCEL = /キャンセル|取り消|取消|cancel/iu
const REFUND = /返金|返品|refund|money back|return/iu

export function orderTopic(words: string): OrderTopic {
  if (CANCEL.test(words)) return 'cancel'
  if (REFUND.test(words)) return 'refund'
  return CHANGE.test(words) ? 'change' : 'status'
}

type ServiceAct = Extract<Act, 'order' | 'complaint' | 'person'>

export function serving(act: ServiceAct, understood: Understood): Intent {
  const { state, reading } = understood
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  const policy = reading.faq?.isAsked === true ? reading.faq.id : undefined
  const matter = policy === undefined ? undefined : matterOf(policy)
  if (isNumberOnly(act, understood)) return { kind: 'person', ...order }
  if (act === 'complaint') return complaining(understood, { policy, matter, order })
  if (matter !== undefined) return { ...matter, ...order }
  if (policy !== undefined) return { kind: 'faq', id: policy }
  return act === 'order'
    ? { kind: 'order', topic: orderTopic(understood.words), ...order }
    : { kind: 'person', ...order }
}

/**
 * What is said after a service answer and asks nothing: how long it has been, which volume it was, that this is not good enough. The
 * matter is still the same, and only a person can help with it.
 */
export function continuedMatter(act: Act, { reading, before, words, state }: Understood): Intent | undefined {
  if (before.previous !== 'service' || !STATED.has(act) || isQuestion(words) || hasWish(reading)) return undefined
  const isComplaint = act === 'complaint' ? reading.sureness >= SURE_MIN : reading.otherwise === 'complaint'
  const isPolicy = reading.faq?.isAsked === true && (act !== 'complaint' || matterOf(reading.faq.id) !== undefined)
  if (!isComplaint || isPolicy) return undefined
  const order = state.orderId === undefined ? {} : { orderId: state.orderId }
  const isDetail = act === 'fact' || act === 'title'
  return isDetail ? { kind: 'person', ...order } : { kind: 'complaint', grievance: 'other', ...order }
}
/** Acts as which a further detail of a complaint is wrongly read. */
const STATED: ReadonlySet<Act> = new Set(['complaint', 'no', 'fact', 'title'])
/** Below this it may be something else. */
const SURE_MIN = 0.9

/** The number of the order that was just talked about. */
const isNumberOnly = (act: ServiceAct, { reading, before, words }: Understood): boolean =>
  act === 'order' &&
  before.previous === 'service' &&
  reading.orderId !== undefined &&
  orderTopic(words) === 'status' &&
  words.replace(reading.orderId, '').length <= NUMBER_WORDS_MAX &&
  !isQuestion(words)

const NUMBER_WORDS_MAX = 24

const GRIEVANCE_WORDS: readonly (readonly [RegExp, Extract<Intent, { kind: 'complaint' }>['grievance']])[] = [
  [/届か|来ない|遅|待って|late|not (?:here|arrived)|hasn.t (?:come|arrived)|where is|still waiting|weeks?/iu, 'late'],
  [/破れ|折れ|傷|汚れ|濡れ|ページが(?:抜け|ない)|落丁|乱丁|damag|torn|ripped|wet|bent|missing pages?/iu, 'damaged'],
  [/違う(?:本|巻|商品)|間違|wrong/iu, 'wrong'],
  [/足りな|入ってな|一冊ない|missing/iu, 'missing'],
  [/請求|二重|引き落と|課金|charged|twice|overcharg/iu, 'charge'],
]

interface Found {
  readonly policy: string | undefined
  readonly matter: Matter | undefined
  readonly order: { readonly orderId?: string }
}

function complaining({ reading, words, before }: Understood, { policy, matter, order }: Found): Intent {
  const [stated] = reading.grievances
  // That an answer was bad is no matter of the FAQ.
  // Beside a parcel or a payment a person has to help.
  if (stated === 'answer' && before.previous === 'service') return { kind: 'person', ...order }
  if (stated === 'answer') return { kind: 'complaint', grievance: stated, ...order }
  if (matter !== undefined) return { ...matter, ...order }
  if (policy !== undefined)
    return before.previous === 'service'
      ? { kind: 'faq', id: policy }
      : { kind: 'complaint', grievance: stated ?? 'other', about: policy, ...order }
  const grievance = stated ?? GRIEVANCE_WORDS.find(([pattern]) => pattern.test(words))?.[1]
  if (grievance !== undefined) return { kind: 'complaint', grievance, ...order }
  const isOfAnswer = before.previous === 'list' || before.previous === 'one'
  return { kind: 'complaint', grievance: isOfAnswer ? 'answer' : 'other', ...order }
}
