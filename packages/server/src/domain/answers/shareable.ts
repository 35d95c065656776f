// Whether an answer may be given to someone else who asks the same. Only what the store would say to anyone: nothing of a
// conversation, a person or an order, and nothing less than the route's own whole answer. When in doubt it is not: a
// question that is not shared costs a call of a model, one that is wrongly shared costs trust.
import type { AnswerTier, FinishReason } from '@mangaassist/protocol'
import { fold } from '@mangaassist/bookseller/text/words'
import type { AskKind } from '@mangaassist/bookseller/understanding/ask'
import type { AskInContext } from '@mangaassist/bookseller/understanding/in-context'
import type { AttemptRecord } from '../turn/turn-record.ts'
import { personalIn, mentionsOwnLife } from '../identity/personal.ts'

export interface AskedQuestion {
  readonly message: string
  readonly ask: AskInContext
  /** Nothing was said in the conversation before. */
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
  /** What the model was told besides the question: the store's own contact may be repeated from it. */
  readonly promptText: string
}

/** Why not, for those who count. */
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

/** A person's own words run longer than what many ask alike. */
const MESSAGE_CODE_POINTS_MAX = 200

/** What means the same whoever asks. A greeting is answered to a person; what nobody understood may be anything. */
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

/** Why the answer to this question is for the asker alone; undefined: it may be shared. */
export function questionNotShared(question: AskedQuestion): NotShared | undefined {
  const { ask, message } = question
  if (!question.mayShare) return 'policy'
  if (!question.isFirst || ask.followsUp || ask.exclude.length > 0) return 'conversation'
  if (question.missing.length > 0) return 'missing'
  if (!SAME_FOR_ALL.has(ask.kind) || ask.tone !== undefined || ask.nameHeard === true || ask.reference !== undefined)
    return 'intent'
  if ([...message].length > MESSAGE_CODE_POINTS_MAX) return 'long'
  return personalIn(message).length > 0 || mentionsOwnLife(message) ? 'personal' : undefined
}

/** Why this answer to a question that could be shared must not be kept; undefined: it may be. */
export function answerNotShared(answer: MadeAnswer): NotShared | undefined {
  if (answer.finishReason !== 'stop' || answer.text.trim() === '') return 'not-whole'
  if (answer.isDegraded || !MODEL_TIERS.has(answer.tier)) return 'degraded'
  // Put together from what several calls said: the seam held, but it is nobody's own answer.
  const spoke = answer.attempts.filter(({ usage }) => usage.outputTokens > 0)
  if (spoke.length > 1) return 'patched'
  const promptText = fold(answer.promptText)
  return personalIn(answer.text).some((found) => !promptText.includes(found)) ? 'personal' : undefined
}
