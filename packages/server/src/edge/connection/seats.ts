// How many connections each network, or each principal, has open on this node: no one must take all there are.

export class Seats {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  hasRoom(holder: string): boolean {
    return (this.#taken.get(holder) ?? 0) < this.#max
  }

  /** A seat, until it is disposed of; undefined when the holder has all that it may. */
  take(holder: string): Disposable | undefined {
    if (!this.hasRoom(holder)) return undefined
    this.#taken.set(holder, (this.#taken.get(holder) ?? 0) + 1)
    let isLeft = false
    return {
      [Symbol.dispose]: () => {
        if (isLeft) return
        isLeft = true
        const left = (this.#taken.get(holder) ?? 1) - 1
        if (left === 0) this.#taken.delete(holder)
        else this.#taken.set(holder, left)
      },
    }
  }
}
