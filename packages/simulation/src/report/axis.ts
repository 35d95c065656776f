// Round numbers along an axis: easy to divide in the head, and few enough not to overlap.

export interface Axis {
  readonly max: number
  readonly ticks: readonly number[]
}

const TIME_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400]
const TIME_TICKS_MAX = 11
const VALUE_TICKS = 4

/** An axis from 0 to a round number that is at least `most`. */
export function valueAxis(most: number): Axis {
  const rough = Math.max(1, most) / VALUE_TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough - 1e-9) ?? 10) * power)
  const round = Number.isInteger(step) ? step : Math.ceil(step)
  const count = Math.max(1, Math.ceil(most / round - 1e-9))
  return { max: round * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * round) }
}

export const SHARE_AXIS: Axis = { max: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }

/** An axis that ends where the run ends, on a round number or not. */
export function timeAxis(lastMs: number): Axis {
  const fits = (stepS: number) => lastMs / (stepS * 1000) <= TIME_TICKS_MAX
  const longest = lastMs / 1000 / TIME_TICKS_MAX
  const stepMs = (TIME_STEPS_S.find(fits) ?? Math.ceil(longest / 86_400) * 86_400) * 1000
  const count = Math.floor(lastMs / stepMs) + 1
  return { max: Math.max(1, lastMs), ticks: Array.from({ length: count }, (_, index) => index * stepMs) }
}
