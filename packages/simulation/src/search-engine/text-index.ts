// The inverted index of one text field, with BM25 as Lucene computes it.

const K1 = 1.2
const B = 0.75

export class TextIndex {
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths = new Map<number, number>()
  #total = 0

  add(document: number, tokens: readonly string[]): void {
    this.remove(document)
    this.#lengths.set(document, tokens.length)
    this.#total += tokens.length
    for (const token of tokens) {
      const list = this.#postings.get(token) ?? new Map<number, number>()
      list.set(document, (list.get(document) ?? 0) + 1)
      this.#postings.set(token, list)
    }
  }

  remove(document: number): void {
    const length = this.#lengths.get(document)
    if (length === undefined) return
    this.#total -= length
    this.#lengths.delete(document)
    for (const list of this.#postings.values()) list.delete(document)
  }

  /** The documents that have any of the tokens, or all of them, with their scores. */
  search(tokens: readonly string[], operator: 'or' | 'and'): Map<number, number> {
    const count = this.#lengths.size
    const mean = this.#total / (count || 1)
    const scores = new Map<number, number>()
    const had = new Map<number, number>()
    const unique = new Set(tokens)
    for (const token of unique) {
      const list = this.#postings.get(token) ?? new Map<number, number>()
      const rarity = Math.log(1 + (count - list.size + 0.5) / (list.size + 0.5))
      for (const [document, frequency] of list) {
        const length = 1 - B + (B * this.#lengths.get(document)!) / (mean || 1)
        scores.set(document, (scores.get(document) ?? 0) + (rarity * frequency) / (frequency + K1 * length))
        had.set(document, (had.get(document) ?? 0) + 1)
      }
    }
    if (operator === 'and')
      for (const document of scores.keys()) if (had.get(document) !== unique.size) scores.delete(document)
    return scores
  }
}
