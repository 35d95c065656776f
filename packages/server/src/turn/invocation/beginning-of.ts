// How a call came about, for its record.
import type { CallBeginning } from '#domain/turn/turn-story.ts'
import type { Rung } from '../turn.ts'
import type { AnswerDraft } from './answer-draft.ts'

export function beginningOf(
  { attempts, hasText }: Pick<AnswerDraft, 'attempts' | 'hasText'>,
  { delayMs, isHedge = false }: { readonly delayMs?: number | undefined; readonly isHedge?: boolean },
  { lane }: Pick<Rung, 'lane'>,
): CallBeginning {
  if (isHedge) return { why: 'hedge', lane }
  if (delayMs !== undefined) return { why: 'retry', lane, delayMs: Math.round(delayMs) }
  if (hasText) return { why: 'continuation', lane }
  return { why: attempts.length === 0 ? 'first' : 'next', lane }
}
