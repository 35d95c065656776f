// Whether a question needs no model: the catalogue or the FAQ answers it surely. Asked in admission, where a budget is used up or the
// queue is full, and before anything is stored; the turn reads the question again.
import type { FaqIndex } from '@mangaassist/bookseller/catalogue/faq-match'
import { faqFor, needsNoModel } from '@mangaassist/bookseller/dialogue/readiness'
import type { Config } from '#config/config.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { FreeQuestion } from '../turn.ts'
import { readHistory } from './history.ts'
import type { LookUp } from './look-up.ts'

export interface SureAnswerParts {
  readonly clock: Clock
  readonly config: Pick<Config, 'answers' | 'tokens'>
  readonly sessions: SessionStore
  readonly lookUp: Pick<LookUp, 'find'>
  readonly faq: Pick<FaqIndex, 'match'>
}

/** Rejects where the catalogue or the conversation cannot be read. */
export function createSureAnswer({ clock, config, faq, lookUp, sessions }: SureAnswerParts) {
  async function isSureOf(question: FreeQuestion, signal: AbortSignal): Promise<boolean> {
    const { language, message, sessionId } = question
    const asked = { message, sessionId: sessionId ?? '', sessionVersion: 0 }
    const history =
      sessionId === undefined ? [] : (await readHistory(sessions, asked, config.tokens.historyPairsMax)).turns
    const limit = config.tokens.retrieved
    const grounding = await lookUp.find({ ...question, history, limit }, signal)
    return needsNoModel(grounding) || faqFor(grounding, faq.match(message, language))?.sure === true
  }

  return async function isSure(question: FreeQuestion): Promise<boolean> {
    const { contextMs } = sharesOf(config.answers.firstWordMs)
    const sure = await withDeadline(clock, { ms: contextMs, signal: NEVER }, (signal) => isSureOf(question, signal))
    return sure !== LATE && sure
  }
}
