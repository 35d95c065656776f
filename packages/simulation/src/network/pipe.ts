// One direction of a connection in virtual time: what goes in comes out later, in the same order. What is due in the same
// millisecond shares an event, and what need not wait costs none. Used by the links to the stores and the lines of clients.
import type { Clock } from '@mangaassist/server/ports/clock/port'

export class Pipe {
  readonly #clock: Pick<Clock, 'now' | 'after'>
  #lastAt = 0
  #batch: (() => void)[] = []
  #underWay = 0

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock
  }

  send(ms: number, arrive: () => void): void {
    const now = this.#clock.now()
    const at = Math.max(now + ms, this.#lastAt)
    if (at === now && this.#underWay === 0) return arrive()
    this.#underWay += 1
    if (at === this.#lastAt && this.#batch.length > 0) {
      this.#batch.push(arrive)
      return
    }
    const batch = [arrive]
    this.#lastAt = at
    this.#batch = batch
    this.#clock.after(at - now, () => {
      // What is sent while these arrive comes after them.
      if (this.#batch === batch) this.#batch = []
      for (const item of batch) {
        this.#underWay -= 1
        item()
      }
    })
  }
}
