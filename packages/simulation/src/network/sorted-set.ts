// A sorted set as the store has them: members by score, then by name. Small ones, or asked for a small part: what is asked
// for is sorted then. Used by the simulated store.

export class SortedSet {
  readonly #scores = new Map<string, number>()

  get size(): number {
    return this.#scores.size
  }

  score(member: string): number | undefined {
    return this.#scores.get(member)
  }

  set(member: string, score: number): void {
    this.#scores.set(member, score)
  }

  delete(member: string): boolean {
    return this.#scores.delete(member)
  }

  /** Members whose score passes, lowest first. */
  where(passes: (score: number) => boolean, limit = Number.POSITIVE_INFINITY): string[] {
    const found: [string, number][] = []
    for (const entry of this.#scores) if (passes(entry[1])) found.push(entry)
    found.sort(byScore)
    return found.slice(0, limit).map(([member]) => member)
  }

  count(passes: (score: number) => boolean): number {
    let count = 0
    for (const score of this.#scores.values()) if (passes(score)) count += 1
    return count
  }

  deleteWhere(passes: (score: number) => boolean): void {
    for (const [member, score] of this.#scores) if (passes(score)) this.#scores.delete(member)
  }
}

function byScore(a: readonly [string, number], b: readonly [string, number]): number {
  return a[1] - b[1] || (a[0] < b[0] ? -1 : 1)
}
