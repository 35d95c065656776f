// Counts of durations by bucket, which can be added where percentiles cannot. `limits` are the upper ends of the buckets, rising; the
// last count is of what is beyond them.

/** The bucket of a duration. */
export function bucketOf(limits: readonly number[], value: number): number {
  const found = limits.findIndex((limit) => value <= limit)
  return found === -1 ? limits.length : found
}

/** The duration within which `share` of the counted ones are, interpolated within its bucket; null where nothing was counted. */
export function within(limits: readonly number[], counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = share * total
  for (const [bucket, count] of counts.entries()) {
    const from = limits[bucket - 1] ?? 0
    const to = limits[bucket] ?? from
    if (left <= count) return Math.round(from + (to - from) * (count === 0 ? 0 : left / count))
    left -= count
  }
  return limits.at(-1) ?? null
}
