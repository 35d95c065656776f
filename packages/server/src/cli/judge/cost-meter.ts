// Adds up what a comparison costs. No call begins once the limit is reached; calls in flight then end.

/** The limit is reached. */
export class CostReached extends Error {}

export class CostMeter {
  readonly #maxMicroUsd: number
  #spentMicroUsd = 0

  constructor(maxMicroUsd: number) {
    this.#maxMicroUsd = maxMicroUsd
  }

  get spentMicroUsd(): number {
    return this.#spentMicroUsd
  }

  add(microUsd: number): void {
    this.#spentMicroUsd += microUsd
  }

  /** Throws CostReached. */
  check(): void {
    if (this.#spentMicroUsd >= this.#maxMicroUsd && this.#spentMicroUsd > 0) throw new CostReached()
  }
}
