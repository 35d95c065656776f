// Which turns of a conversation count. A turn may be asked in the place of an earlier one; stores only append, so both stay,
// and whatever reads the conversation as a conversation (prompts, dialogue state, summaries) leaves the replaced one out.

interface Placed {
  readonly turnId: string
  readonly replaces?: string
}

/** The turns that none of them replaces, nor the turn that is asked now in the place of `replaces`. */
export function currentTurns<Turn extends Placed>(turns: readonly Turn[], replaces?: string): readonly Turn[] {
  const replaced = replacements(turns)
  return turns.filter(({ turnId }) => turnId !== replaces && !replaced.has(turnId))
}

/** By the id of a replaced turn, the id of the one that was asked in its place; the latest counts. */
export function replacements(turns: readonly Placed[]): ReadonlyMap<string, string> {
  const pairs = turns.flatMap(({ replaces, turnId }) => (replaces === undefined ? [] : [[replaces, turnId] as const]))
  return new Map(pairs)
}

/** The turn with this id, the one in whose place it was asked, and so on, as far as they are there. */
export function replacedChain<Turn extends Placed>(
  turns: readonly Turn[],
  turnId: string | undefined,
): readonly Turn[] {
  const chain: Turn[] = []
  // A replacement is asked later than what it replaces, so one pass backwards meets them all.
  let wanted = turnId
  for (const turn of turns.toReversed())
    if (wanted !== undefined && turn.turnId === wanted) {
      chain.push(turn)
      wanted = turn.replaces
    }
  return chain
}
