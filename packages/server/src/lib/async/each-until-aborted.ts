// Takes every item of a stream as it comes, until it ends or the signal aborts, even when the stream itself does not
// listen to the signal: a model that hangs must not hang the turn. Rejects with the signal's reason, or with what `take`
// or the stream threw. By callbacks and not as a generator: each generator in the way of a token costs more than the
// token.

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
      // Not awaited: a stream that is stuck would hold us here.
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
