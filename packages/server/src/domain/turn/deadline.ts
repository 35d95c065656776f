// The two deadlines of a turn, in milliseconds since the epoch. `firstWordBy` decides about downgrade and fallback; at `endBy` the
// text ends, complete or not. Only this file decides whether a call still fits before them.

export interface Deadlines {
  readonly firstWordBy: number
  readonly endBy: number
}

export interface DeadlineFigures {
  /** With less time than this until `firstWordBy` an economy model is asked, if there is one. */
  readonly economyUnderMs: number
  /** With less time than this no model is asked. */
  readonly noModelUnderMs: number
  /** The time before `endBy` that is reserved for settlement. */
  readonly settleMs: number
}

export function deadlinesFrom(
  acceptedAt: number,
  limits: { readonly firstWordMs: number; readonly endMs: number },
): Deadlines {
  return { firstWordBy: acceptedAt + limits.firstWordMs, endBy: acceptedAt + limits.endMs }
}

/** The deadline of the next words: `firstWordBy` until the first word is shown, then the end. */
export function wordsBy({ firstWordBy, endBy }: Deadlines, hasShown: boolean, { settleMs }: DeadlineFigures): number {
  return hasShown ? endBy - settleMs : Math.min(firstWordBy, endBy - settleMs)
}

/** Whether a call that starts now has enough time to produce words before their deadline. */
export function callFits(
  call: { readonly isEconomy: boolean; readonly typicalMs: number },
  left: { readonly ms: number; readonly hasShown: boolean; readonly economyFollows: boolean },
  { economyUnderMs, noModelUnderMs }: DeadlineFigures,
): boolean {
  if (left.ms < Math.max(noModelUnderMs, call.typicalMs)) return false
  return left.hasShown || call.isEconomy || !left.economyFollows || left.ms >= economyUnderMs
}
