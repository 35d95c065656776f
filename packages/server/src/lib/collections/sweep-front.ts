// Deletes expired entries from the front of a map whose entries expire roughly in the order of insertion.
// Bounded: it stops at the first entry that has not expired, or after `limit` entries. Returns the deleted ones.

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
