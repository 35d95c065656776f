// Formats figures for every report: the same bytes on every machine, so nothing here uses a locale. A value that is not
// finite is a dash.

const UNKNOWN = '–'

export function whole(value: number): string {
  if (!Number.isFinite(value)) return UNKNOWN
  return Math.round(value)
    .toFixed(0)
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : UNKNOWN
}

export function rate(perSecond: number): string {
  return Number.isInteger(perSecond) ? whole(perSecond) : ratio(perSecond)
}

/** Never rounds up to 100 % or down to 0 %: both would be false claims. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return UNKNOWN
  if (share > 0 && share < 0.01) return share < 0.001 ? '<0.1 %' : `${(share * 100).toFixed(1)} %`
  if (share > 0.99 && share < 1) return share > 0.999 ? '>99.9 %' : `${(share * 100).toFixed(1)} %`
  return `${whole(share * 100)} %`
}

/** Formats a duration: 850 ms, 6.5 s, 42 s, 3 min 20 s. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return UNKNOWN
  if (ms > 0 && ms < 1000) return `${whole(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(ms % 1000 === 0 || ms >= 59_950 ? 0 : 1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds % 60 === 0 ? `${whole(seconds / 60)} min` : `${whole(Math.floor(seconds / 60))} min ${seconds % 60} s`
}

export function usd(microUsd: number): string {
  if (!Number.isFinite(microUsd)) return UNKNOWN
  const cents = Math.round(Math.abs(microUsd) / 10_000)
  return `${microUsd < 0 ? '-' : ''}$${whole(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`
}

/** Formats a time in a run: 3:05. */
export function minuteSecond(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
