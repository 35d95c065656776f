// One lane as the store keeps it: permits and their leases, slots that overload holds, outcomes by half seconds, the retry
// bucket, probes. It is the twin of adapters/redis/lanes/scripts.ts in TypeScript, script by script, and held to the contract
// of lanes through the production adapter. Used by the simulated store.
import { CELL_MS, CELLS_MAX } from '@mangaassist/server/domain/lane/cells'
import { RETRY_WINDOW_MS } from '@mangaassist/server/domain/lane/gate'
import type { DenyReason } from '@mangaassist/server/domain/lane/gate'
import { SortedSet } from './sorted-set.ts'

type Argument = string | number

interface Permit {
  readonly epoch: number
  readonly isProbe: number
  readonly takenAt: number
  isServed: number
  leaseUntil: number
}

type ProbeField = 'passed' | 'failed' | 'lost'

const CELLS_RECENT = RETRY_WINDOW_MS / CELL_MS + 1
const SWEEP_MAX = 1000
const [SUCCESSES, OVERLOADS, FAULTS, FIRSTS, RETRIES, SHED, PEAK, WAITED] = [1, 2, 3, 4, 5, 6, 7, 8] as const

export class LaneKeys {
  readonly #permits = new Map<string, Permit>()
  readonly #held = new SortedSet()
  readonly #nodes = new SortedSet()
  #cells: number[][] = []
  #now = 0
  #version = 0
  #state: Argument = ''
  #kind: Argument = ''
  #epoch = 0
  #bucketMax = 0
  #limit: number | undefined
  #retryInFlightMax: number | undefined
  #retryCountMax: number | undefined
  #notBefore = 0
  #probesMax = 0
  #bucket: number | undefined
  #overloadsMax: number | undefined
  #overloadsNew = 0
  #failures = 0
  #successes = 0
  #probes = { epoch: 0, taken: 0, passed: 0, failed: 0, lost: 0 }
  #ticker: Argument = ''
  #tickUntil = 0

  run(name: string, args: readonly Argument[], now: number): unknown {
    this.#now = Math.max(now, this.#now)
    switch (name) {
      case 'lane-permit':
        return this.#permit(args)
      case 'lane-served':
        return this.#serve(String(args[0]), Number(args[1]))
      case 'lane-report':
        return this.#report(String(args[0]), String(args[1]), Number(args[2]))
      case 'lane-shed':
        this.#count(SHED, 1)
        return 1
      case 'lane-look':
        return this.#look(String(args[0]), Number(args[1]), Number(args[2]))
      case 'lane-publish':
        return this.#publish(args)
      case 'lane-adopt':
        return this.#adopt(args)
      default:
        throw new Error(`the simulated store knows no script ${name}`)
    }
  }

  #inFlight(): number {
    const now = this.#now
    if (this.#held.size === 0) return this.#permits.size
    return this.#permits.size + this.#held.count((until) => until > now)
  }

  #count(place: number, by: number, otherPlace = 0, otherBy = 0): void {
    let cell = this.#cells.at(-1)
    if (cell === undefined || this.#now >= (cell[0] ?? 0) + CELL_MS) {
      cell = [Math.floor(this.#now / CELL_MS) * CELL_MS, 0, 0, 0, 0, 0, 0, 0, 0]
      this.#cells.push(cell)
      if (this.#cells.length > CELLS_MAX) this.#cells = this.#cells.slice(-CELLS_MAX)
    }
    cell[place] = (cell[place] ?? 0) + by
    if (otherPlace !== 0) cell[otherPlace] = (cell[otherPlace] ?? 0) + otherBy
    cell[PEAK] = Math.max(cell[PEAK] ?? 0, this.#inFlight())
  }

  #tellProbe(permit: Permit, field: ProbeField): void {
    if (permit.isProbe === 0 || permit.isServed === 1 || permit.epoch !== this.#probes.epoch) return
    this.#probes[field] += 1
  }

  #retriesRecent(): number {
    const from = this.#now - RETRY_WINDOW_MS
    return this.#cells
      .slice(-CELLS_RECENT)
      .reduce((sum, cell) => sum + ((cell[0] ?? 0) >= from ? (cell[RETRIES] ?? 0) : 0), 0)
  }

  #judge(isRetry: boolean, cost: number): 'permit' | 'probe' | DenyReason {
    if (this.#kind === 'shut') return 'open'
    if (this.#kind === 'probing') {
      if (this.#now < this.#notBefore) return 'open'
      if (isRetry) return 'no-retries'
      const taken = this.#probes.epoch === this.#epoch ? this.#probes.taken : 0
      return taken < this.#probesMax ? 'probe' : 'probing'
    }
    if (this.#overloadsMax !== undefined && this.#overloadsNew >= this.#overloadsMax) return 'saturated'
    if (this.#limit === undefined && !isRetry) return 'permit'
    const out = this.#inFlight()
    if (this.#limit !== undefined && out >= this.#limit) return 'saturated'
    return isRetry ? this.#judgeRetry(cost, out) : 'permit'
  }

  #judgeRetry(cost: number, out: number): 'permit' | DenyReason {
    if (this.#retryCountMax === undefined) return 'no-retries'
    if (this.#retryInFlightMax !== undefined && out >= this.#retryInFlightMax) return 'saturated'
    if (this.#retriesRecent() >= this.#retryCountMax) return 'retry-cap'
    return (this.#bucket ?? 0) >= cost ? 'permit' : 'retry-bucket'
  }

  #permit([id, kind, cost, leaseMs]: readonly Argument[]): readonly Argument[] {
    if (this.#version === 0) return ['unknown']
    const before = this.#permits.get(String(id))
    if (before !== undefined) return answerOf(before)
    const isRetry = kind === 'retry'
    const verdict = this.#judge(isRetry, Number(cost))
    if (verdict !== 'permit' && verdict !== 'probe') {
      const isKnown = verdict === 'open' && this.#kind === 'probing'
      return [verdict, isKnown ? this.#notBefore - this.#now : -1]
    }
    const isProbe = verdict === 'probe' ? 1 : 0
    const now = this.#now
    const taken: Permit = { epoch: this.#epoch, isProbe, isServed: 0, takenAt: now, leaseUntil: now + Number(leaseMs) }
    this.#permits.set(String(id), taken)
    this.#probes.taken += isProbe
    if (isRetry) this.#bucket = (this.#bucket ?? 0) - Number(cost)
    this.#count(isRetry ? RETRIES : FIRSTS, 1)
    return answerOf(taken)
  }

  #serve(id: string, leaseMs: number): number {
    const held = this.#permits.get(id)
    if (held === undefined || held.isServed === 1) return 0
    if (held.epoch === this.#epoch) this.#tellProbe(held, 'passed')
    held.isServed = 1
    held.leaseUntil = this.#now + leaseMs
    if (held.epoch === this.#epoch) this.#succeed(held)
    return 1
  }

  #succeed({ takenAt }: Permit): void {
    this.#failures = 0
    this.#successes += 1
    this.#count(SUCCESSES, 1, WAITED, this.#now - takenAt)
  }

  #report(id: string, outcome: string, overloadHoldMs: number): number {
    const held = this.#permits.get(id)
    if (held === undefined) return 0
    this.#permits.delete(id)
    const heldUntil = held.takenAt + overloadHoldMs
    if (outcome === 'overload' && heldUntil > this.#now) this.#held.set(id, heldUntil)
    if (held.epoch !== this.#epoch) return 1
    if (outcome === 'success') {
      this.#tellProbe(held, 'passed')
      this.#bucket = Math.min(this.#bucketMax, (this.#bucket ?? 0) + 1)
      if (held.isServed === 0) this.#succeed(held)
    } else if (outcome === 'neutral') {
      this.#tellProbe(held, 'lost')
    } else {
      this.#tellProbe(held, 'failed')
      this.#failures += 1
      this.#successes = 0
      if (outcome === 'overload') this.#overloadsNew += 1
      this.#count(outcome === 'fault' ? FAULTS : OVERLOADS, 1, SUCCESSES, held.isServed === 1 ? -1 : 0)
    }
    return 1
  }

  #look(node: string, tickLeaseMs: number, nodeMs: number): readonly unknown[] {
    const now = this.#now
    let isTicker = 0
    if (node !== '') {
      this.#nodes.set(node, now + nodeMs)
      this.#nodes.deleteWhere((until) => until <= now)
      if (this.#ticker === node || this.#tickUntil <= now) {
        isTicker = 1
        this.#ticker = node
        this.#tickUntil = now + tickLeaseMs
      }
    }
    const nodes = this.#nodes.count((until) => until > now)
    if (this.#version === 0) return [now, isTicker, nodes]
    if (isTicker === 1) this.#sweep()
    const { epoch, taken, passed, failed, lost } = this.#probes
    const cells = this.#cellsFrom(isTicker === 1 ? 0 : this.#cells.length - CELLS_RECENT)
    const running = [this.#inFlight(), this.#bucket, this.#failures, this.#successes]
    return [now, isTicker, nodes, this.#version, this.#state, ...running, epoch, taken, passed, failed, lost, cells]
  }

  #cellsFrom(from: number): readonly number[] {
    const figures: number[] = []
    for (let index = Math.max(0, from); index < this.#cells.length; index += 1) {
      for (const figure of this.#cells[index] ?? []) figures.push(figure)
    }
    return figures
  }

  #sweep(): void {
    let swept = 0
    for (const [id, permit] of this.#permits) {
      if (permit.leaseUntil > this.#now) continue
      this.#permits.delete(id)
      this.#tellProbe(permit, 'lost')
      swept += 1
      if (swept === SWEEP_MAX) break
    }
    this.#held.deleteWhere((until) => until <= this.#now)
  }

  #publish(args: readonly Argument[]): number {
    if (this.#version !== Number(args[0])) return 0
    const epoch = Number(args[3])
    const isNew = this.#version === 0
    const isOfOther = isNew || this.#epoch !== epoch
    this.#version += 1
    this.#state = args[1] ?? ''
    this.#kind = args[2] ?? ''
    this.#epoch = epoch
    this.#bucketMax = Number(args[4])
    this.#limit = figure(args[5])
    this.#retryInFlightMax = figure(args[6])
    this.#retryCountMax = figure(args[7])
    this.#notBefore = figure(args[8]) ?? 0
    this.#probesMax = figure(args[9]) ?? 0
    this.#overloadsMax = figure(args[10])
    this.#overloadsNew = 0
    this.#bucket = Math.min((this.#bucket ?? Number(args[11])) + Number(args[12]), this.#bucketMax)
    if (isNew) [this.#failures, this.#successes] = [0, 0]
    if (isOfOther) this.#probes = { epoch, taken: 0, passed: 0, failed: 0, lost: 0 }
    return 1
  }

  /** Permits that a node has: id, lease, whether served, and the epoch of those that were of this lane, in fours. */
  #adopt(args: readonly Argument[]): number {
    if (this.#version === 0) return 0
    const now = this.#now
    for (let place = 0; place < args.length; place += 4) {
      const id = String(args[place])
      const [leaseMs, isServed] = [Number(args[place + 1]), Number(args[place + 2])]
      if (this.#permits.has(id)) {
        if (isServed === 1) this.#serve(id, leaseMs)
        continue
      }
      const epoch = figure(args[place + 3]) ?? this.#epoch
      this.#permits.set(id, { epoch, isProbe: 0, isServed, takenAt: now, leaseUntil: now + leaseMs })
    }
    return 1
  }
}

function answerOf({ epoch, isProbe, isServed, takenAt, leaseUntil }: Permit): readonly Argument[] {
  return ['permit', epoch, isProbe, isServed, takenAt, leaseUntil]
}

function figure(argument: Argument | undefined): number | undefined {
  return argument === undefined || argument === '' ? undefined : Number(argument)
}
