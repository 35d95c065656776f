// The two deadlines of a turn, as moments in milliseconds since the epoch. `firstWordBy` drives downgrade and
// fallback; `endBy` ends the text, whole or partial. What still fits before them is decided here and nowhere else.

export interface Deadlines {
  readonly firstWordBy: number
  readonly endBy: number
}

export interface DeadlineFigures {
  /** With less than this to the first word's deadline the economy model is asked, if there is one. */
  readonly economyUnderMs: number
  /** With less than this no model is asked. */
  readonly noModelUnderMs: number
  /** Kept back from `endBy` for settling. */
  readonly settleMs: number
}

export function deadlinesFrom(
  acceptedAt: number,
  limits: { readonly firstWordMs: number; readonly endMs: number },
): Deadlines {
  return { firstWordBy: acceptedAt + limits.firstWordMs, endBy: acceptedAt + limits.endMs }
}

/** What the next words have left: until the first one is shown its own deadline counts, and then the end. */
export function wordsBy({ firstWordBy, endBy }: Deadlines, hasShown: boolean, { settleMs }: DeadlineFigures): number {
  return hasShown ? endBy - settleMs : Math.min(firstWordBy, endBy - settleMs)
}

/** Whether a call that begins now has time: never one that cannot end in words before their deadline. */
export function callFits(
  call: { readonly isEconomy: boolean; readonly typicalMs: number },
  left: { readonly ms: number; readonly hasShown: boolean; readonly economyFollows: boolean },
  { economyUnderMs, noModelUnderMs }: DeadlineFigures,
): boolean {
  if (left.ms < Math.max(noModelUnderMs, call.typicalMs)) return false
  return left.hasShown || call.isEconomy || !left.economyFollows || left.ms >= economyUnderMs
}
