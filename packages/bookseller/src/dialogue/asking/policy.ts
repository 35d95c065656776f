// Whether a sentence asks for a policy of the shop, and for no wish or fact of books; and whether a message asks on about the
// policy that the last answer stated.
import { asksWhole } from '../../catalogue/asked-policy.ts'
import type { Act, Reading } from '../../understanding/reading.ts'
import { actOf, hasNamed, hasWish } from '../act.ts'
import { factsIn } from '../asked-facts.ts'
import type { Intent } from '../intent.ts'
import type { DialogueState } from '../state.ts'
import type { Understood } from '../understood.ts'
import { isQuestion } from './fit-question.ts'

export function asksPolicy(reading: Reading, state: DialogueState, words: string): boolean {
  const isFact = factsIn(words).some((fact) => fact === 'total' || fact === 'volumes' || fact === 'status')
  const isPolicy = reading.faq?.isSure === true || reading.faq?.isAsked === true
  return isPolicy && !isFact && !hasWish(reading) && actOf(reading, state, words) === 'faq'
}

/** Acts that are guessed for a question which needs the answer before it: "does the exchange cost anything?". */
const OPEN: ReadonlySet<Act> = new Set(['smalltalk', 'unclear', 'tell', 'recommend', 'find', 'fact', 'help'])

export function continuedPolicy(act: Act, { reading, before, words, state }: Understood): Intent | undefined {
  const id = before.policy
  if (id === undefined || reading.faq?.isAsked === true || saysMore(reading)) return undefined
  const isOfShop = reading.act === 'faq' && reading.faq === undefined
  const isElliptic = ELLIPTIC.test(words.trim())
  if (!isOfShop && !OPEN.has(act) && !(isElliptic && act === 'order')) return undefined
  const more: Intent = { kind: 'faq', id, isContinued: true }
  if (asksWhole(words)) return more
  if (!isQuestion(words)) return undefined
  if (isOfShop || isElliptic || sharesWord(words, before.said.at(-1) ?? '')) return more
  // The staff can answer what the FAQ does not cover.
  if (before.previous !== 'service') return undefined
  return { kind: 'person', ...(state.orderId === undefined ? {} : { orderId: state.orderId }) }
}

/** "Once more in English, please": the last policy, in the language that is asked for. */
export function repeatedPolicy({ before, words }: Understood): Intent | undefined {
  return before.policy !== undefined && AGAIN.test(words) ? { kind: 'faq', id: before.policy } : undefined
}

const AGAIN =
  /もう(?:一度|いちど|一回|いっかい)|(?:わか|分か)ら(?:な|ん)|読めな|\b(?:again|repeat|once more|say (?:that|it)|understand|read (?:that|it))\b/iu

const saysMore = (reading: Reading): boolean =>
  hasWish(reading) || hasNamed(reading) || reading.measures.length + reading.changes.length > 0

/** 「会社なら？」, "and at the weekend?". */
const ELLIPTIC =
  /^(?:and|but|so|then|even|also|with|without|what if|what about|how about)\b|^(?:じゃあ?|では|それなら|それだと|あと|でも|もし)|(?:なら|だと|たら|でも|には)[？?]$/iu

const WORDS = /\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{3,}|[a-z]{5,}/gu
const COMMON: ReadonlySet<string> = new Set(
  'about after again books could manga order other please really series should still that’s their there thing think want which would 注文 漫画 作品 本当'.split(
    ' ',
  ),
)

function sharesWord(words: string, answer: string): boolean {
  const said = new Set(answer.toLowerCase().match(WORDS))
  return (words.toLowerCase().match(WORDS) ?? []).some((word) => said.has(word) && !COMMON.has(word))
}
