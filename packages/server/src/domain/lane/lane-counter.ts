// The counts of one lane in one process: permits with leases, outcomes per half second, the retry bucket. It compares them with
// its gate and decides nothing else; tests hold the Redis scripts to the same behaviour.
import { CELL_MS, CELLS_MAX, emptyCell, sumSince } from './cells.ts'
import type { Cell } from './cells.ts'
import type { LaneCounts, ProbeCounts } from './counts.ts'
import { judge, RETRY_WINDOW_MS } from './gate.ts'
import type { Ask, Gate, DenyReason } from './gate.ts'
import { isFailure } from './outcome.ts'
import type { Failure, Outcome } from './outcome.ts'

export interface PermitAsk {
  /** The attempt's id: a second request with it returns the same permit. */
  readonly id: string
  readonly ask: Ask
  /** After this the owner counts as dead. Longer than a call may be silent, or all probes of a slow lane would be lost. */
  readonly leaseMs: number
}

export interface Permit {
  readonly id: string
  readonly epoch: number
  readonly isProbe: boolean
  /** Its first words arrived and were counted as a success. */
  readonly isServed: boolean
  readonly takenAt: number
  readonly leaseUntil: number
}

export type PermitAnswer =
  | { readonly kind: 'permit'; readonly permit: Permit }
  /** `retryAfterMs` is set when the time of the next probe is known. */
  | { readonly kind: 'refused'; readonly why: DenyReason; readonly retryAfterMs?: number }

export interface CounterLimits {
  readonly overloadHoldMs: number
  readonly silentHoldMs: number
  readonly bucketStart: number
}

/** How long after its permit was taken a call holds its slot, though it has ended. */
export function holdMs(outcome: Outcome, { overloadHoldMs, silentHoldMs }: Omit<CounterLimits, 'bucketStart'>): number {
  if (outcome === 'overload') return overloadHoldMs
  return outcome === 'silent' ? silentHoldMs : 0
}

const NO_PROBES = { taken: 0, passed: 0, failed: 0, lost: 0 }

export class LaneCounter {
  readonly #limits: CounterLimits
  readonly #permits = new Map<string, Permit>()
  /** The moments at which slots that overloads still hold become free. */
  #heldUntil: readonly number[] = []
  #cells: Cell[] = []
  #bucket: number
  #failuresRunning = 0
  #successesRunning = 0
  /** Refused or silent calls, and calls begun, since the last tick. */
  #overloadsNew = 0
  #startsNew = 0
  #probes: ProbeCounts
  #gate: Gate

  constructor(limits: CounterLimits, gate: Gate) {
    this.#limits = limits
    this.#gate = gate
    this.#bucket = limits.bucketStart
    this.#probes = { ...NO_PROBES, epoch: gate.epoch }
  }

  /** Sets what passes from now on. A new epoch resets the counts of probes. */
  setGate(gate: Gate): void {
    if (gate.epoch !== this.#gate.epoch) this.#probes = { ...NO_PROBES, epoch: gate.epoch }
    this.#gate = gate
    this.#overloadsNew = 0
    this.#startsNew = 0
    this.#bucket = Math.min(this.#bucket + gate.refill, gate.bucketMax)
  }

  take({ id, ask, leaseMs }: PermitAsk, now: number): PermitAnswer {
    const taken = this.#permits.get(id)
    if (taken !== undefined) return { kind: 'permit', permit: taken }
    const retriesRecent = ask.kind === 'retry' ? sumSince(this.#cells, now - RETRY_WINDOW_MS).retries : 0
    const counts = {
      inFlight: this.#inFlight(now),
      bucket: this.#bucket,
      probes: this.#probes,
      retriesRecent,
      overloadsNew: this.#overloadsNew,
      startsNew: this.#startsNew,
    }
    const verdict = judge(this.#gate, counts, { ask, now })
    if (verdict !== 'permit' && verdict !== 'probe') return this.#refused(verdict, now)

    const isProbe = verdict === 'probe'
    const permit = { id, epoch: this.#gate.epoch, isProbe, isServed: false, takenAt: now, leaseUntil: now + leaseMs }
    this.#permits.set(id, permit)
    if (isProbe) this.#probes = { ...this.#probes, taken: this.#probes.taken + 1 }
    if (ask.kind === 'retry') this.#bucket -= ask.cost
    this.#startsNew += 1
    this.#count(now, { [ask.kind === 'retry' ? 'retries' : 'firsts']: 1 })
    return { kind: 'permit', permit }
  }

  /**
   * Reports the first words, which count as the success: an answer can take a minute, and if only its end counted, a lane that
   * has just recovered would be judged by its quick failures alone.
   */
  served(id: string, { now, leaseMs }: { readonly now: number; readonly leaseMs: number }): void {
    const permit = this.#permits.get(id)
    if (permit === undefined || permit.isServed) return
    this.#permits.set(id, { ...permit, isServed: true, leaseUntil: now + leaseMs })
    if (permit.epoch !== this.#gate.epoch) return
    this.#countProbe(permit, 'success')
    this.#countSuccess(permit, now)
  }

  /** Reports the end of a call. A second report, or one after the lease has expired, finds no permit and is not counted. */
  report(id: string, outcome: Outcome, now: number): void {
    const permit = this.#permits.get(id)
    if (permit === undefined) return
    this.#permits.delete(id)
    const heldUntil = permit.takenAt + holdMs(outcome, this.#limits)
    if (heldUntil > now) this.#heldUntil = [...this.#heldUntil, heldUntil]
    if (permit.epoch !== this.#gate.epoch) return
    this.#countProbe(permit, outcome)
    if (outcome === 'success') {
      this.#bucket = Math.min(this.#gate.bucketMax, this.#bucket + 1)
      // A served call was already counted: its end says nothing about the lane's present state.
      if (!permit.isServed) this.#countSuccess(permit, now)
    }
    if (isFailure(outcome)) this.#countFailure(permit, outcome, now)
  }

  /** Counts a request that went to another source because the lane was full. */
  shed(now: number): void {
    this.#count(now, { shed: 1 })
  }

  /** Removes permits with expired leases. Called before a tick. */
  sweep(now: number): void {
    for (const permit of this.#permits.values()) {
      if (permit.leaseUntil > now) continue
      this.#permits.delete(permit.id)
      this.#countProbe(permit, 'neutral')
    }
    this.#heldUntil = this.#heldUntil.filter((until) => until > now)
  }

  /** Read-only: a health page may call it at any rate. */
  counts(now: number): LaneCounts {
    return {
      cells: [...this.#cells],
      inFlight: this.#inFlight(now),
      bucket: this.#bucket,
      failuresRunning: this.#failuresRunning,
      successesRunning: this.#successesRunning,
      probes: this.#probes,
    }
  }

  #refused(why: DenyReason, now: number): PermitAnswer {
    const opensInMs = why === 'open' && this.#gate.kind === 'probing' ? this.#gate.notBefore - now : undefined
    return { kind: 'refused', why, ...(opensInMs === undefined ? {} : { retryAfterMs: opensInMs }) }
  }

  #countSuccess({ takenAt }: Permit, now: number): void {
    this.#failuresRunning = 0
    this.#successesRunning += 1
    this.#count(now, { successes: 1, waitedMs: now - takenAt })
  }

  #countFailure({ isServed }: Permit, outcome: Failure, now: number): void {
    this.#failuresRunning += 1
    this.#successesRunning = 0
    if (outcome !== 'fault') this.#overloadsNew += 1
    // An answer that broke off subtracts its success, or a lane that breaks off every answer would seem half healthy.
    this.#count(now, { [`${outcome}s` as const]: 1, successes: isServed ? -1 : 0 })
  }

  #countProbe({ epoch, isProbe, isServed }: Permit, outcome: Outcome): void {
    if (!isProbe || isServed || epoch !== this.#probes.epoch) return
    const field = outcome === 'success' ? 'passed' : outcome === 'neutral' ? 'lost' : 'failed'
    this.#probes = { ...this.#probes, [field]: this.#probes[field] + 1 }
  }

  #inFlight(now: number): number {
    return this.#permits.size + this.#heldUntil.filter((until) => until > now).length
  }

  #count(now: number, added: Partial<Record<Exclude<keyof Cell, 'at' | 'inFlightPeak'>, number>>): void {
    const last = this.#cells.at(-1)
    // After the clock stepped back, counting continues in the newest cell.
    const isCurrent = last !== undefined && now < last.at + CELL_MS
    const cell = isCurrent ? last : emptyCell(now)
    if (!isCurrent) this.#cells = [...this.#cells.slice(1 - CELLS_MAX), cell]
    const next = { ...cell, inFlightPeak: Math.max(cell.inFlightPeak, this.#inFlight(now)) }
    for (const [field, count] of Object.entries(added)) next[field as keyof typeof added] += count
    this.#cells[this.#cells.length - 1] = next
  }
}
