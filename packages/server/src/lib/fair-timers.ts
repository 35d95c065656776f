// Timers for deadlines on answers from elsewhere: time in which this process was itself too busy to hear an answer does
// not count, and neither does time in which the answers to its own earlier calls were arriving, one after another. Without it a
// node under load takes its own slowness for that of Redis or of a model, and refuses shoppers for nothing.

export interface FairClock {
  now(): number
  after(ms: number, action: () => void): Disposable
  defer(action: () => void): void
}

/** A process whose event loop is always late waits for this many deadlines, and no longer. */
const GRANTS_MAX = 3
/** While earlier answers keep arriving a call waits for this many deadlines, and no longer. */
const QUEUED_MAX = 20

export interface FairTimersOptions {
  readonly clock: FairClock
  /** When an answer to a call that was made before was last heard. Default: it says nothing about the others. */
  readonly heardAt?: () => number
}

export function fairTimers({ clock, heardAt = () => 0 }: FairTimersOptions): Pick<FairClock, 'after'> {
  return {
    after(ms, action) {
      const endsAt = clock.now() + QUEUED_MAX * ms
      let timer: Disposable
      let isOver = false
      let grantsLeft = GRANTS_MAX - 1
      const decide = (wasBusy: boolean) => {
        if (isOver) return
        const now = clock.now()
        const sinceHeardMs = now - heardAt()
        if (wasBusy && grantsLeft > 0) {
          grantsLeft -= 1
          arm(ms)
        } else if (sinceHeardMs < ms && now < endsAt) arm(ms - sinceHeardMs)
        else action()
      }
      const arm = (waitMs: number) => {
        const dueAt = clock.now() + waitMs
        timer = clock.after(waitMs, () => {
          const wasBusy = clock.now() - dueAt > ms / 2
          // What has arrived meanwhile is heard before a deferred action.
          clock.defer(() => decide(wasBusy))
        })
      }
      arm(ms)
      return {
        [Symbol.dispose]() {
          isOver = true
          timer[Symbol.dispose]()
        },
      }
    },
  }
}
