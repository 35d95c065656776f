// One direction of a connection in virtual time: messages come out later, in the order they went in. Messages due in
// the same millisecond share one timer event, and a message without delay needs none. Used by store links and client
// connections.
import type { Clock } from '@mangaassist/server/ports/clock/port'

export class Pipe {
  readonly #clock: Pick<Clock, 'now' | 'after'>
  #lastAt = 0
  #batch: (() => void)[] = []
  #inFlight = 0

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock
  }

  send(ms: number, arrive: () => void): void {
    const now = this.#clock.now()
    const at = Math.max(now + ms, this.#lastAt)
    if (at === now && this.#inFlight === 0) return arrive()
    this.#inFlight += 1
    if (at === this.#lastAt && this.#batch.length > 0) {
      this.#batch.push(arrive)
      return
    }
    const batch = [arrive]
    this.#lastAt = at
    this.#batch = batch
    this.#clock.after(at - now, () => {
      // A message sent while these are delivered must come after them.
      if (this.#batch === batch) this.#batch = []
      for (const item of batch) {
        this.#inFlight -= 1
        item()
      }
    })
  }
}
