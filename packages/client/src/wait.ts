// Waits that can end early: by a signal, which throws its reason, or by a promise that makes the wait unnecessary.
// No timer outlives its wait, because it would keep a Node process alive.

/** The longest delay of `setTimeout`: with a longer one it fires at once. */
const timerMaxMs = 2 ** 31 - 1

/** Resolves after `ms`, or earlier when `sooner` resolves. */
export async function pauseFor(ms: number, sooner: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(ms, timerMaxMs))))
  try {
    await unlessAborted(Promise.race([passed, sooner]), signal)
  } finally {
    clearTimeout(timer)
  }
}

export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
