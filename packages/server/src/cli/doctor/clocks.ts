// How far the clocks of other machines may differ from this one's, and what breaks beyond that.
import type { Finding } from './checks.ts'
import type { ClockDifference } from './reach.ts'

interface ClockLimits {
  /** From here on it is a warning, and from `failMs` on a failure; absent: never one. */
  readonly warnMs: number
  readonly failMs?: number
  readonly breaks: string
}

/** Leases of turns last ten seconds and are renewed after three; nodes that do not agree on the time take turns from each other. */
export const LEASE_LIMITS: ClockLimits = {
  warnMs: 1000,
  failMs: 3000,
  breaks: 'nodes whose clocks differ misjudge leases, deadlines and the end of a day',
}
/** AWS refuses a signature that is five minutes off. */
export const SIGNATURE_LIMITS: ClockLimits = {
  warnMs: 30_000,
  failMs: 240_000,
  breaks: 'AWS refuses requests that are signed five minutes off',
}
/** Tokens of issuers are accepted a minute off. */
export const TOKEN_LIMITS: ClockLimits = {
  warnMs: 30_000,
  breaks: 'tokens of issuers are judged by this clock, and times in logs do not match those of the vendor',
}

const FIX = 'Let chrony or systemd-timesyncd set the clock of this machine.'

/** The part that the measurement leaves uncertain counts for the clock. */
export function clockFinding(host: string, { aheadMs, withinMs }: ClockDifference, limits: ClockLimits): Finding {
  const check = `clock of ${host}`
  const off = Math.max(0, Math.abs(aheadMs) - withinMs)
  const detail = `${seconds(aheadMs)} ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine, ±${seconds(withinMs)}`
  const isBroken = limits.failMs !== undefined && off >= limits.failMs
  if (off < limits.warnMs) return { check, ok: true, detail }
  const found = { check, detail: `${detail}: ${limits.breaks}`, fix: FIX }
  return isBroken ? { ...found, ok: false } : { ...found, ok: true, isWarning: true }
}

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`
