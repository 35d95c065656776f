// A wait that a signal can end, on the timers of any clock. The timer and the listener are removed when it settles, because
// a long-lived signal outlives many sleeps.

export function sleepOn(
  after: (ms: number, action: () => void) => Disposable,
  ms: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const onAbort = () => {
      timer[Symbol.dispose]()
      reject(signal?.reason)
    }
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
