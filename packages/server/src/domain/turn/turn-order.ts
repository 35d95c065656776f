// The turns of a conversation in the order they were asked. Stores append; a turn that had to wait for its store arrives after
// some that were asked later, and is read before them.

interface Placed {
  /** By the clock of the node that took it in; absent in what was stored long ago. */
  readonly askedAt?: number
  readonly late?: true
}

export function inOrderAsked<Turn extends Placed>(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some(({ late }) => late === true)) return turns
  const ordered: Turn[] = []
  for (const turn of turns) {
    let place = ordered.length
    // Only what waited is moved: clocks of nodes differ, and of the others the store knows better.
    while (turn.late === true && place > 0 && isAfter(ordered[place - 1], turn)) place -= 1
    ordered.splice(place, 0, turn)
  }
  return ordered
}

function isAfter(other: Placed | undefined, { askedAt = 0 }: Placed): boolean {
  return (other?.askedAt ?? 0) > askedAt
}
