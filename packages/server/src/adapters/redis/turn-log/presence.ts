// Records which turns have readers on this node, at whichever copy. The shared log gets a report while there are readers
// and when the last one leaves; the owner reports its own turns with its renewals.
import { orUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { AttendedTurn, TurnStore } from './turn-store.ts'

/** A node counts as reading until two of its reports are overdue. */
const OVERDUE_REPORTS = 2.5

export interface PresenceParts {
  readonly store: TurnStore
  readonly clock: Clock
  readonly attendMs: number
  readonly isHere: (turnId: string) => boolean
  /** Called after each report; undefined when the turn does not exist. */
  readonly onReport: (turnId: string, turn: AttendedTurn | undefined) => void
}

export class Presence implements Disposable {
  readonly #parts: PresenceParts
  readonly #turns = new Map<string, { readers: number; timer: Disposable }>()

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  isRead(turnId: string): boolean {
    return this.#turns.has(turnId)
  }

  /** Resolves when the turn counts as read. */
  async enter(turnId: string): Promise<void> {
    const known = this.#turns.get(turnId)
    if (known !== undefined) {
      known.readers += 1
      return
    }
    this.#turns.set(turnId, { readers: 1, timer: this.#reportLater(turnId) })
    await this.report(turnId)
  }

  /** True when it was the last reader. */
  exit(turnId: string): boolean {
    const turn = this.#turns.get(turnId)
    if (turn === undefined) return false
    turn.readers -= 1
    if (turn.readers > 0) return false
    turn.timer[Symbol.dispose]()
    this.#turns.delete(turnId)
    return true
  }

  async report(turnId: string): Promise<void> {
    const { store, attendMs, isHere, onReport } = this.#parts
    if (!this.#turns.has(turnId) || isHere(turnId)) return
    // After a failure the next report follows soon enough.
    await orUnavailable(async () => onReport(turnId, await store.attend(turnId, attendMs * OVERDUE_REPORTS)))
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#turns.values()) timer[Symbol.dispose]()
    this.#turns.clear()
  }

  #reportLater(turnId: string): Disposable {
    return this.#parts.clock.after(this.#parts.attendMs, () => {
      const turn = this.#turns.get(turnId)
      if (turn === undefined) return
      turn.timer = this.#reportLater(turnId)
      void this.report(turnId)
    })
  }
}
