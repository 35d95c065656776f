// How many connections each network has open on this node: one address must not take all there is.

export class NetworkSeats {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** A seat, until it is disposed of; undefined when the network has all that it may. */
  take(network: string): Disposable | undefined {
    const taken = this.#taken.get(network) ?? 0
    if (taken >= this.#max) return undefined
    this.#taken.set(network, taken + 1)
    let isLeft = false
    return {
      [Symbol.dispose]: () => {
        if (isLeft) return
        isLeft = true
        const left = (this.#taken.get(network) ?? 1) - 1
        if (left === 0) this.#taken.delete(network)
        else this.#taken.set(network, left)
      },
    }
  }
}
