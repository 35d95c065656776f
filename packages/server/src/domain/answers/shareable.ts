// Decides whether an answer may be reused for another shopper with the same question. It must fit any shopper, contain nothing
// of a conversation, a person or an order, and be the route's complete answer. In doubt it is not shared: that costs a model
// call, whereas an answer that is shared wrongly costs trust.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import { fold } from '@mangaassist/bookseller/text/words'
import type { AskKind } from '@mangaassist/bookseller/understanding/ask'
import type { AskInContext } from '@mangaassist/bookseller/understanding/in-context'
import type { AttemptRecord } from '../turn/turn-record.ts'
import { personalIn, mentionsOwnLife } from '../identity/personal.ts'

export interface AskedQuestion {
  readonly message: string
  readonly ask: AskInContext
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
  | 'policy'
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

/** Kinds of question with the same answer for every shopper. A greeting is personal; an unknown kind may mean anything. */
const SAME_FOR_ALL: ReadonlySet<AskKind> = new Set([
  'identity',
  'like',
  'compare',
  'price',
  'about',
  'recommend',
  'faq',
])

const MODEL_TIERS: ReadonlySet<AnswerTier> = new Set(['primary', 'economy', 'embedded'])

/** Why the answer to this question must not be shared; undefined: it may be. */
export function questionNotShared(question: AskedQuestion): NotShared | undefined {
  const { ask, message } = question
  if (!question.mayShare) return 'policy'
  if (!question.isFirst || ask.followsUp || ask.exclude.length > 0) return 'conversation'
  if (question.missing.length > 0) return 'missing'
  if (
    !SAME_FOR_ALL.has(ask.kind) ||
    ask.tone !== undefined ||
    ask.hasUnknownName === true ||
    ask.reference !== undefined
  )
    return 'intent'
  if ([...message].length > MESSAGE_CODE_POINTS_MAX) return 'long'
  return personalIn(message).length > 0 || mentionsOwnLife(message) ? 'personal' : undefined
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
