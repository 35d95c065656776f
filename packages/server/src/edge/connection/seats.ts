// Limits the open connections of each network or principal on this node: none may take them all.

export class Seats {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  hasRoom(holder: string): boolean {
    return (this.#taken.get(holder) ?? 0) < this.#max
  }

  /** Takes a seat until it is disposed; undefined when the holder has reached its limit. */
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
