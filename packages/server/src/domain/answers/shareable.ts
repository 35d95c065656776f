// Decides whether an answer may be reused for another shopper with the same question. It must fit any shopper, contain nothing
// of a conversation, a person or an order, and be the route's complete answer. In doubt it is not shared: that costs a model
// call, whereas an answer that is shared wrongly costs trust.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import { fold } from '@mangaassist/bookseller/text/words'
import type { Intent } from '@mangaassist/bookseller/dialogue/intent'
import type { Meant } from '@mangaassist/bookseller/grounding'
import type { AttemptRecord } from '../turn/log-records.ts'
import { personalIn, mentionsOwnLife } from '../identity/personal.ts'

export interface AskedQuestion {
  readonly message: string
  readonly meant: Pick<Meant, 'intent' | 'reading' | 'state'>
  /** Whether it is the first question of its conversation. */
  readonly isFirst: boolean
  readonly missing: readonly string[]
  /** Whether answers of its kind of turn are shared at all. */
  readonly mayShare: boolean
}

export interface MadeAnswer {
  readonly text: string
  readonly finishReason: FinishReason
  readonly tier: AnswerTier
  readonly isDegraded: boolean
  readonly attempts: readonly AttemptRecord[]
  /** Whether the store contradicts one of its claims. */
  readonly hasMismatch: boolean
  /** The whole prompt of the model: an answer may repeat contact details that it contains, such as the store's. */
  readonly promptText: string
}

/** Why a question or an answer is not shared; a label of metrics. */
export type NotShared =
  /** By an operator. */
  | 'switched-off'
  | 'policy'
  | 'no-model'
  | 'conversation'
  | 'missing'
  | 'intent'
  | 'long'
  | 'personal'
  | 'not-whole'
  | 'degraded'
  | 'patched'
  | 'mismatch'

/** Longer messages are rarely sent twice, and more often personal. */
const MESSAGE_CODE_POINTS_MAX = 200

/** Intents with the same answer for every shopper. A greeting is personal; unclear words may mean anything. */
const SAME_FOR_ALL: ReadonlySet<Intent['kind']> = new Set([
  'suggest',
  'identify',
  'introduce',
  'inform',
  'sum',
  'compare',
  'works',
  'faq',
])

const MODEL_TIERS: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'embedded'])

/** Why the answer to this question must not be shared; undefined: it may be. */
export function questionNotShared(question: AskedQuestion): NotShared | undefined {
  const { meant, message } = question
  const { intent, reading, state } = meant
  if (!question.mayShare) return 'policy'
  if (!question.isFirst || state.turns > 0 || state.page !== undefined) return 'conversation'
  if (question.missing.length > 0) return 'missing'
  const isSame = SAME_FOR_ALL.has(intent.kind) || (intent.kind === 'talk' && intent.topic === 'identity')
  if (!isSame || reading.isDistressed === true) return 'intent'
  if ([...message].length > MESSAGE_CODE_POINTS_MAX) return 'long'
  const isPersonal = reading.isPersonal || personalIn(message).length > 0 || mentionsOwnLife(message)
  return isPersonal ? 'personal' : undefined
}

/** Why this answer to a question that may be shared must not be stored; undefined: it may be. */
export function answerNotShared(answer: MadeAnswer): NotShared | undefined {
  if (answer.finishReason !== 'stop' || answer.text.trim() === '') return 'not-whole'
  if (answer.isDegraded || !MODEL_TIERS.has(answer.tier)) return 'degraded'
  // Several attempts contributed text: even with a good seam the answer is not the complete answer of one model.
  const spoke = answer.attempts.filter(({ usage }) => usage.outputTokens > 0)
  if (spoke.length > 1) return 'patched'
  // Another call may well get it right; a correction should not be read twice.
  if (answer.hasMismatch) return 'mismatch'
  const promptText = fold(answer.promptText)
  return personalIn(answer.text).some((found) => !promptText.includes(found)) ? 'personal' : undefined
}
