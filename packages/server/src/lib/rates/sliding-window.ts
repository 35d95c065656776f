// An exact sliding window over the timestamps of the last `windowMs`: no such span ever holds more than the limit.
// Pure: the caller stores the list, which is never longer than the limit.

export function withinWindow(moments: readonly number[], now: number, windowMs: number): readonly number[] {
  const firstInside = moments.findIndex((moment) => moment > now - windowMs)
  return firstInside === -1 ? [] : moments.slice(firstInside)
}

interface SlidingWindow {
  readonly ms: number
  readonly limit: number
}

/** How long until one more fits; 0 when it fits now. `inside` is the result of `withinWindow`. */
export function windowWaitMs(inside: readonly number[], now: number, { ms, limit }: SlidingWindow): number {
  if (inside.length < limit) return 0
  const leaving = inside[inside.length - limit]
  return leaving === undefined ? 0 : leaving + ms - now
}
