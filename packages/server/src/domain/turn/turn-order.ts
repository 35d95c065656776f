// Sorts the turns of a conversation in the order in which they were asked. Stores append: a turn that had to wait for its store is
// written after later turns, and must be read before them.

interface Placed {
  /** By the clock of the node that admitted it; absent in old records. */
  readonly askedAt?: number
  readonly late?: true
}

export function inOrderAsked<Turn extends Placed>(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some(({ late }) => late === true)) return turns
  const ordered: Turn[] = []
  for (const turn of turns) {
    let place = ordered.length
    // Only a late turn is moved: the clocks of nodes differ, so for the others the store's order is better.
    while (turn.late === true && place > 0 && isAfter(ordered[place - 1], turn)) place -= 1
    ordered.splice(place, 0, turn)
  }
  return ordered
}

function isAfter(other: Placed | undefined, { askedAt = 0 }: Placed): boolean {
  return (other?.askedAt ?? 0) > askedAt
}
