// Timers for deadlines on answers from elsewhere: time in which this process was itself too busy to hear an answer does
// not count, and neither does time in which the answers to its own earlier calls were arriving, one after another. Without it a
// node under load takes its own slowness for that of Redis or of a model, and refuses shoppers for nothing.

export interface FairClock {
  now(): number
  after(ms: number, action: () => void): Disposable
  defer(action: () => void): void
}

/** A process whose event loop is always late waits for this many deadlines, and no longer. */
const GRANTS_MAX = 4
/** While earlier answers keep arriving a call waits for this many deadlines, and no longer. */
const QUEUED_MAX = 20
/** How often the event loop is looked at while anything is waited for, in parts of a deadline; so late it is busy. */
const LOOKS = 4

export interface FairTimersOptions {
  readonly clock: FairClock
  /** When an answer to a call that was made before was last heard. Default: it says nothing about the others. */
  readonly heardAt?: () => number
}

export function fairTimers({ clock, heardAt = () => 0 }: FairTimersOptions): Pick<FairClock, 'after'> {
  const loop = new EventLoop(clock)
  return {
    after(ms, action) {
      const endsAt = clock.now() + QUEUED_MAX * ms
      let timer: Disposable
      let isOver = false
      let grantsLeft = GRANTS_MAX - 1
      const finish = () => {
        if (!isOver) loop.leave()
        isOver = true
      }
      const decide = (wasBusy: boolean) => {
        if (isOver) return
        const now = clock.now()
        const sinceHeardMs = now - heardAt()
        if (wasBusy && grantsLeft > 0) {
          grantsLeft -= 1
          arm(ms)
        } else if (sinceHeardMs < ms && now < endsAt) arm(ms - sinceHeardMs)
        else {
          finish()
          action()
        }
      }
      const arm = (waitMs: number) => {
        const since = clock.now()
        timer = clock.after(waitMs, () => {
          const wasBusy = clock.now() - (since + waitMs) > ms / LOOKS || loop.wasLateSince(since)
          // What has arrived meanwhile is heard before a deferred action.
          clock.defer(() => decide(wasBusy))
        })
      }
      loop.enter(ms / LOOKS)
      arm(ms)
      return {
        [Symbol.dispose]() {
          finish()
          timer[Symbol.dispose]()
        },
      }
    },
  }
}

/** How late the event loop is, looked at while anybody waits: a deadline that is met in time may have had no quiet moment. */
class EventLoop {
  readonly #clock: FairClock
  #waiting = 0
  #look: Disposable | undefined
  #lateAt = -1

  constructor(clock: FairClock) {
    this.#clock = clock
  }

  enter(everyMs: number): void {
    this.#waiting += 1
    if (this.#look === undefined) this.#lookAfter(everyMs)
  }

  leave(): void {
    this.#waiting -= 1
    if (this.#waiting > 0) return
    this.#look?.[Symbol.dispose]()
    this.#look = undefined
  }

  wasLateSince(at: number): boolean {
    return this.#lateAt >= at
  }

  #lookAfter(ms: number): void {
    const dueAt = this.#clock.now() + ms
    this.#look = this.#clock.after(ms, () => {
      const now = this.#clock.now()
      if (now - dueAt > ms) this.#lateAt = now
      this.#lookAfter(ms)
    })
  }
}
