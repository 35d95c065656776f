// Forgets what is over from the front of a map whose entries end about in the order they were put there.
// Bounded: it stops at the first entry that is not over, or after `limit`.

export function sweepFront<Key, Value>(
  map: Map<Key, Value>,
  isOver: (value: Value) => boolean,
  limit: number,
  onForgotten?: (value: Value) => void,
): void {
  let forgotten = 0
  for (const [key, value] of map) {
    if (forgotten === limit || !isOver(value)) return
    map.delete(key)
    onForgotten?.(value)
    forgotten += 1
  }
}
