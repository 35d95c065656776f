// Timers for deadlines on answers from elsewhere: time in which this process was itself too busy to hear an answer does
// not count. Without it a node under load takes its own slowness for that of Redis or of a model, and refuses shoppers for
// nothing.

export interface FairClock {
  now(): number
  after(ms: number, action: () => void): Disposable
  defer(action: () => void): void
}

/** A node that is always late ends up waiting for this many deadlines, and no longer. */
const GRANTS_MAX = 3

export function fairTimers(clock: FairClock): Pick<FairClock, 'after'> {
  return {
    after(ms, action) {
      let timer: Disposable
      let isOver = false
      const arm = (grantsLeft: number) => {
        const dueAt = clock.now() + ms
        timer = clock.after(ms, () => {
          const wasBusy = clock.now() - dueAt > ms / 2
          // What has arrived meanwhile is heard before a deferred action.
          clock.defer(() => {
            if (isOver) return
            if (wasBusy && grantsLeft > 0) arm(grantsLeft - 1)
            else action()
          })
        })
      }
      arm(GRANTS_MAX - 1)
      return {
        [Symbol.dispose]() {
          isOver = true
          timer[Symbol.dispose]()
        },
      }
    },
  }
}
