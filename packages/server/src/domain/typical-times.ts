// How long each model usually takes to its first word, learnt from its calls: what decides whether another try still fits.

/** Before any call was seen. */
const AT_FIRST_MS = 1000
/** How much the newest call counts. */
const WEIGHT = 0.2

export class TypicalTimes {
  readonly #byName = new Map<string, number>()

  of(name: string): number {
    return this.#byName.get(name) ?? AT_FIRST_MS
  }

  see(name: string, ms: number): void {
    const known = this.#byName.get(name)
    this.#byName.set(name, known === undefined ? ms : known + WEIGHT * (ms - known))
  }
}
