// Reads a stream until it ends or the signal aborts, whichever is first, even when the stream itself does not
// listen to the signal: a model that hangs must not hang the turn. Throws the signal's reason on abort.

export async function* untilAborted<Item>(source: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]()
  let abandon: ((reason: unknown) => void) | undefined
  // One listener for the whole stream: a promise per item raced against a long-lived one would be retained.
  const onAbort = () => abandon?.(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    while (true) {
      const next = await new Promise<IteratorResult<Item>>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        abandon = reject
        iterator.next().then(resolve, reject)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a stream that is stuck would hold us here.
    iterator.return?.()?.catch(() => {})
  }
}
