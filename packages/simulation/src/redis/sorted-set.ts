// A sorted set: members by score, then by their bytes. Members are sorted on each read, because sets are small here or
// a read takes a small part.

export interface ScoreRange {
  readonly min: number
  readonly max: number
  readonly isMinOpen: boolean
  readonly isMaxOpen: boolean
}

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

  members(): string[] {
    return sorted([...this.#scores])
  }

  within(range: ScoreRange): string[] {
    const found: [string, number][] = []
    for (const entry of this.#scores) if (isWithin(entry[1], range)) found.push(entry)
    return sorted(found)
  }

  count(range: ScoreRange): number {
    let count = 0
    for (const score of this.#scores.values()) if (isWithin(score, range)) count += 1
    return count
  }

  deleteWithin(range: ScoreRange): number {
    const before = this.#scores.size
    for (const [member, score] of this.#scores) if (isWithin(score, range)) this.#scores.delete(member)
    return before - this.#scores.size
  }
}

function isWithin(score: number, { min, max, isMinOpen, isMaxOpen }: ScoreRange): boolean {
  return (isMinOpen ? score > min : score >= min) && (isMaxOpen ? score < max : score <= max)
}

function sorted(entries: [string, number][]): string[] {
  if (entries.length > 1) entries.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
  return entries.map(([member]) => member)
}
