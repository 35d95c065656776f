// A protest against the last answer: "I said no school", 「動物が出てこないじゃないですか」, "you didn't answer about shipping". It repeats a
// wish or a question, which is answered with an apology, and without the series that were just shown.
import type { Act, Aspect, Reading } from '../../understanding/reading.ts'
import { hasNamed, hasWish } from '../act.ts'
import { saysNothing } from '../advance.ts'
import { isQuestion } from '../asking/fit-question.ts'
import type { DialogueState } from '../state.ts'
import type { Sentence } from '../understood.ts'

/** The shopper speaks of what was asked, or of what was not answered. */
const RETOLD =
  /(?:って|と)(?:言|い|伝え)(?:った|いました|ってる|っている|ってます)(?:のに|よね|でしょ|じゃ|はず|んだ|んです|[。!！?？…]|$)|(?:お願い|希望)し(?:た|まし|てい)|頼(?:んだ|みました)|(?:って|を|が|か)(?:聞|訊)(?:いた|いてる|きました)(?:のに|んだ|んです|よね)|答え(?:て(?:もら|いただ|くれ|な|いな)|になってな)|(?:じゃない|ではない)(?:です|でしょう)か[。!！]|\bI(?:['’]ve)? (?:just |already |only |clearly )?(?:said|asked|told you|meant|specified)\b|\byou (?:did|have|had)(?: not|n['’]t) (?:answer|said|say|tell|listen)|\bnot what I\b|\bopposite of what I\b|\byou (?:just )?(?:showed|gave) me the same\b|\bnone of (?:those|these|them)\b/iu

const isOfAnswer = ({ grievances }: Reading): boolean => grievances.includes('answer')

/** Whether the message protests against an answer, and not against what the shop has sent. */
export function isProtest(
  reading: Reading,
  {
    message,
    sentences,
    state,
  }: { readonly message: string; readonly sentences: readonly Sentence[]; readonly state: DialogueState },
): boolean {
  if (state.turns === 0 || state.previous === 'service' || reading.orderId !== undefined) return false
  if (reading.grievances.some((grievance) => grievance !== 'answer')) return false
  if (reading.act === 'order' || reading.act === 'person') return false
  const isDoubtful = reading.act === 'recommend' && reading.otherwise === 'complaint' && reading.sureness < SURE_WISH
  const isWish = isDoubtful && hasWish(reading)
  return (
    isWish ||
    isOfAnswer(reading) ||
    sentences.some((one) => isOfAnswer(one.reading)) ||
    (state.seen.length > 0 && RETOLD.test(message))
  )
}

/** Acts that a protest is taken for, though it wishes or asks for something. */
const TAKEN_FOR: ReadonlySet<Act> = new Set(['complaint', 'no', 'abuse', 'smalltalk', 'unclear'])
const SURE_MIN = 0.6
/** Above this a wish is only a wish. */
const SURE_WISH = 0.97

/** What a protest asks for: the wish in it, or the question of one of its sentences. */
export function asProtest(reading: Reading, sentences: readonly Sentence[], state: DialogueState): Reading {
  const wished = { ...reading, avoid: reading.avoid.filter((aspect) => !isWished(aspect, state)) }
  // Nothing in it can be searched for.
  if (reading.act === 'recommend' && reading.sureness < SURE_MIN && saysNothing(reading) && reading.faq === undefined)
    return { ...wished, act: 'complaint', grievances: ['answer'] }
  const isAsked = hasNamed(reading) || reading.facts.length > 0
  if (reading.act === 'fact' && reading.want.length > 0 && !isAsked) return { ...wished, act: 'recommend' }
  // The new suggestions are neither a choice from the shown series nor free of the earlier conditions.
  if (reading.act === 'recommend')
    return {
      ...wished,
      changes: reading.changes.filter((change) => change === 'others' || change === 'surprise'),
      referents: reading.referents.filter((referent) => referent !== 'all'),
    }
  if (!TAKEN_FOR.has(reading.act)) return wished
  const asking = sentences.findLast(
    ({ words, reading: own }) =>
      !TAKEN_FOR.has(own.act) &&
      own.sureness >= SURE_MIN &&
      (isQuestion(words) || hasWish(own) || own.changes.length > 0),
  )
  if (asking !== undefined) {
    const { act, facts, measures, changes, referents, faq } = asking.reading
    const { faq: _, ...rest } = wished
    return { ...rest, act, facts, measures, changes, referents, grievances: [], ...(faq === undefined ? {} : { faq }) }
  }
  return hasWish(wished) ? { ...wished, act: 'recommend', grievances: [] } : wished
}

/** "There are no animals in it" repeats the wish for animals. */
const isWished = ({ text, genres, moods }: Aspect, { conditions }: DialogueState): boolean =>
  conditions.want.some(
    (want) =>
      want.text === text ||
      genres.some((key) => want.genres.includes(key)) ||
      moods.some((key) => want.moods.includes(key)),
  )
