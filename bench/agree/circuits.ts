// Counts how often circuits open, from their states at regular polls: the same way in virtual and in real time.
export const CIRCUIT_POLL_MS = 250

export class CircuitWatch {
  readonly openedAtMs: number[] = []
  readonly #wasOpen = new Map<string, boolean>()

  saw(lane: string, phase: string, atMs: number): void {
    const isOpen = phase === 'open'
    if (isOpen && this.#wasOpen.get(lane) !== true) this.openedAtMs.push(atMs)
    this.#wasOpen.set(lane, isOpen)
  }
}
