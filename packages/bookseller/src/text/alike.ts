// How alike two spellings are, by the pairs of letters they share.

/** The share of pairs that two lists have in common, from 0 to 1. */
export function alike(a: readonly string[], b: readonly string[]): number {
  const rest = [...b]
  let shared = 0
  for (const pair of a) {
    const at = rest.indexOf(pair)
    if (at === -1) continue
    rest.splice(at, 1)
    shared += 1
  }
  return (2 * shared) / (a.length + b.length || 1)
}
