// Where an answer goes on after its speaker was lost: the next one begins anew, and what the shopper has already is
// skipped. Only a beginning that is exactly the shown text fits; anything else is a mismatch, of which nothing is shown.

export interface Seam {
  /** What of a new piece follows the shown text; undefined once the beginning turned out to be another. */
  push(delta: string): string | undefined
  /** Whether all of the shown text was met. */
  closed(): boolean
}

export function createSeam(shown: string): Seam {
  let met = 0
  let fits = true
  return {
    push(delta) {
      if (!fits) return undefined
      const expected = shown.slice(met, met + delta.length)
      fits = delta.startsWith(expected)
      if (!fits) return undefined
      met += expected.length
      return delta.slice(expected.length)
    },
    closed: () => fits && met === shown.length,
  }
}
