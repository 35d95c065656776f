// Forgets what is over from the front of a map whose entries end about in the order they were put there.
// Bounded: it stops at the first entry that is not over, or after `limit`. Returns what it forgot.

export function sweepFront<Key, Value>(
  map: Map<Key, Value>,
  isOver: (value: Value) => boolean,
  limit: number,
): readonly Value[] {
  const forgotten: Value[] = []
  for (const [key, value] of map) {
    if (forgotten.length === limit || !isOver(value)) break
    map.delete(key)
    forgotten.push(value)
  }
  return forgotten
}
