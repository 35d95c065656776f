// Passes every item of a stream to `take` until the stream ends or the signal aborts, even when the stream ignores the
// signal: a model that hangs must not hang the turn. Rejects with the signal's reason, or with the error that `take` or the
// stream threw. It uses callbacks, not a generator: every generator that a token passes through costs more than the token.

export function eachUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
  take: (item: Item) => void,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]()
  return new Promise((resolve, reject) => {
    let isOver = false
    const over = (finish: () => void) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', onAbort)
      // Not awaited: `return` of a stuck stream may never settle.
      iterator.return?.()?.catch(() => {})
      finish()
    }
    const onAbort = () => over(() => reject(signal.reason))
    const onError = (error: unknown) => over(() => reject(error))
    const onResult = (result: IteratorResult<Item>) => {
      if (isOver) return
      if (result.done === true) return over(resolve)
      try {
        take(result.value)
      } catch (error) {
        return onError(error)
      }
      if (!isOver) iterator.next().then(onResult, onError)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    iterator.next().then(onResult, onError)
  })
}
