// Counts of one lane in one process: permits with leases, outcomes by half seconds, the retry bucket. It compares with the
// gate it was given and decides nothing else; the scripts on shared state are held to do exactly as it does.
import { CELL_MS, CELLS_MAX, emptyCell, sumSince } from './cells.ts'
import type { Cell } from './cells.ts'
import type { LaneCounts, ProbeCounts } from './counts.ts'
import { judge, RETRY_WINDOW_MS } from './gate.ts'
import type { Ask, Gate, DenyReason } from './gate.ts'
import type { Outcome } from './outcome.ts'

export interface PermitAsk {
  /** The attempt's own id: asking again under it gives the same permit. */
  readonly id: string
  readonly ask: Ask
  /** After this the owner is taken for dead: longer than its call may be silent, or a slow lane's probes would all be lost. */
  readonly leaseMs: number
}

export interface Permit {
  readonly id: string
  readonly epoch: number
  readonly isProbe: boolean
  /** Its first words came, and were counted as a success. */
  readonly isServed: boolean
  readonly takenAt: number
  readonly leaseUntil: number
}

export type PermitAnswer =
  | { readonly kind: 'permit'; readonly permit: Permit }
  /** `retryAfterMs` where it is known when the lane will look again. */
  | { readonly kind: 'refused'; readonly why: DenyReason; readonly retryAfterMs?: number }

export interface CounterLimits {
  readonly overloadHoldMs: number
  readonly bucketStart: number
}

const NO_PROBES = { taken: 0, passed: 0, failed: 0, lost: 0 }

export class LaneCounter {
  readonly #limits: CounterLimits
  readonly #permits = new Map<string, Permit>()
  /** When the slots that overloads still hold become free. */
  #heldUntil: readonly number[] = []
  #cells: Cell[] = []
  #bucket: number
  #failuresRunning = 0
  #successesRunning = 0
  /** Since the controller last looked. */
  #overloadsNew = 0
  #probes: ProbeCounts
  #gate: Gate

  constructor(limits: CounterLimits, gate: Gate) {
    this.#limits = limits
    this.#gate = gate
    this.#bucket = limits.bucketStart
    this.#probes = { ...NO_PROBES, epoch: gate.epoch }
  }

  /** What the controller lets through from now on. A new epoch forgets the probes of the old one. */
  setGate(gate: Gate): void {
    if (gate.epoch !== this.#gate.epoch) this.#probes = { ...NO_PROBES, epoch: gate.epoch }
    this.#gate = gate
    this.#overloadsNew = 0
    this.#bucket = Math.min(this.#bucket + gate.refill, gate.bucketMax)
  }

  take({ id, ask, leaseMs }: PermitAsk, now: number): PermitAnswer {
    const taken = this.#permits.get(id)
    if (taken !== undefined) return { kind: 'permit', permit: taken }
    const retriesRecent = ask.kind === 'retry' ? sumSince(this.#cells, now - RETRY_WINDOW_MS).retries : 0
    const overloadsNew = this.#overloadsNew
    const counts = {
      inFlight: this.#inFlight(now),
      bucket: this.#bucket,
      probes: this.#probes,
      retriesRecent,
      overloadsNew,
    }
    const verdict = judge(this.#gate, counts, { ask, now })
    if (verdict !== 'permit' && verdict !== 'probe') return this.#refused(verdict, now)

    const isProbe = verdict === 'probe'
    const permit = { id, epoch: this.#gate.epoch, isProbe, isServed: false, takenAt: now, leaseUntil: now + leaseMs }
    this.#permits.set(id, permit)
    if (isProbe) this.#probes = { ...this.#probes, taken: this.#probes.taken + 1 }
    if (ask.kind === 'retry') this.#bucket -= ask.cost
    this.#count(now, { [ask.kind === 'retry' ? 'retries' : 'firsts']: 1 })
    return { kind: 'permit', permit }
  }

  /**
   * The first words came. That is the success: an answer can go on for a minute, and if only its end counted, the quick
   * failures of a lane that has just come back would be all that is known of it.
   */
  served(id: string, { now, leaseMs }: { readonly now: number; readonly leaseMs: number }): void {
    const permit = this.#permits.get(id)
    if (permit === undefined || permit.isServed) return
    this.#permits.set(id, { ...permit, isServed: true, leaseUntil: now + leaseMs })
    if (permit.epoch !== this.#gate.epoch) return
    this.#countProbe(permit, 'success')
    this.#countSuccess(permit, now)
  }

  /** How a call ended. A second report, or one of an owner that was taken for dead, finds no permit and counts for nothing. */
  report(id: string, outcome: Outcome, now: number): void {
    const permit = this.#permits.get(id)
    if (permit === undefined) return
    this.#permits.delete(id)
    const heldUntil = permit.takenAt + this.#limits.overloadHoldMs
    if (outcome === 'overload' && heldUntil > now) this.#heldUntil = [...this.#heldUntil, heldUntil]
    if (permit.epoch !== this.#gate.epoch) return
    this.#countProbe(permit, outcome)
    if (outcome === 'success') {
      this.#bucket = Math.min(this.#gate.bucketMax, this.#bucket + 1)
      // The end of an answer that began well a while ago says nothing about now.
      if (!permit.isServed) this.#countSuccess(permit, now)
    }
    if (outcome === 'overload' || outcome === 'fault') this.#countFailure(permit, outcome, now)
  }

  /** Someone went elsewhere because the lane was full. */
  shed(now: number): void {
    this.#count(now, { shed: 1 })
  }

  /** Takes back what dead owners left behind. Called before a tick. */
  sweep(now: number): void {
    for (const permit of this.#permits.values()) {
      if (permit.leaseUntil > now) continue
      this.#permits.delete(permit.id)
      this.#countProbe(permit, 'neutral')
    }
    this.#heldUntil = this.#heldUntil.filter((until) => until > now)
  }

  /** Changes nothing: a health page can ask as often as it likes. */
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

  #countFailure({ isServed }: Permit, outcome: 'overload' | 'fault', now: number): void {
    this.#failuresRunning += 1
    this.#successesRunning = 0
    if (outcome === 'overload') this.#overloadsNew += 1
    // An answer that broke off was no success after all: it is taken back, or a lane that breaks every answer looks half well.
    this.#count(now, { [outcome === 'fault' ? 'faults' : 'overloads']: 1, successes: isServed ? -1 : 0 })
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
    // A clock that stepped back goes on counting in the newest cell.
    const isCurrent = last !== undefined && now < last.at + CELL_MS
    const cell = isCurrent ? last : emptyCell(now)
    if (!isCurrent) this.#cells = [...this.#cells.slice(1 - CELLS_MAX), cell]
    const next = { ...cell, inFlightPeak: Math.max(cell.inFlightPeak, this.#inFlight(now)) }
    for (const [field, count] of Object.entries(added)) next[field as keyof typeof added] += count
    this.#cells[this.#cells.length - 1] = next
  }
}
