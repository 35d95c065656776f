// The performance score of a page on a phone, by the curves and weights that Lighthouse publishes. Its speed index needs
// a film of the page; the largest paint takes its place, since a page whose largest part is shown is nearly complete.

export interface Load {
  readonly fcpMs: number
  readonly lcpMs: number
  /** What tasks took beyond 50 ms each, after the first paint. */
  readonly blockingMs: number
  readonly shift: number
}

/** A figure with this value at `p10` has 0.9, at `median` 0.5, on a log-normal curve. */
interface Curve {
  readonly p10: number
  readonly median: number
  readonly weight: number
}

const FCP = { p10: 1800, median: 3000, weight: 0.1 }
const SPEED_INDEX = { p10: 3387, median: 5800, weight: 0.1 }
const LCP = { p10: 2500, median: 4000, weight: 0.25 }
const BLOCKING = { p10: 200, median: 600, weight: 0.3 }
const SHIFT = { p10: 0.1, median: 0.25, weight: 0.25 }

/** From 0 to 100. */
export function performanceScore({ fcpMs, lcpMs, blockingMs, shift }: Load): number {
  const parts: readonly (readonly [Curve, number])[] = [
    [FCP, fcpMs],
    [SPEED_INDEX, lcpMs],
    [LCP, lcpMs],
    [BLOCKING, blockingMs],
    [SHIFT, shift],
  ]
  return Math.round(100 * parts.reduce((sum, [curve, value]) => sum + curve.weight * onCurve(curve, value), 0))
}

const INVERSE_ERFC_OF_ONE_FIFTH = 0.906193802436823

function onCurve({ p10, median }: Curve, value: number): number {
  if (value <= 0) return 1
  const distance = (Math.log(value / median) * INVERSE_ERFC_OF_ONE_FIFTH) / -Math.log(p10 / median)
  return (1 - errorFunction(distance)) / 2
}

/** By Abramowitz and Stegun 7.1.26, within 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(x) * (1 - series * Math.exp(-x * x))
}
