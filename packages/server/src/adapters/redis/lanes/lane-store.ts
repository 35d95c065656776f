// One lane on Redis: its keys, its scripts and their replies. It does not decide who ticks or what happens while Redis is
// unavailable: every call may throw RedisUnavailable. Used by `shared-lane.ts`.
import type { Cell } from '#domain/lane/cells.ts'
import { withNewEpoch } from '#domain/lane/circuit.ts'
import type { LaneCounts } from '#domain/lane/counts.ts'
import type { Ask, Gate, DenyReason } from '#domain/lane/gate.ts'
import { holdMs } from '#domain/lane/lane-counter.ts'
import type { Permit, PermitAnswer } from '#domain/lane/lane-counter.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import { startState } from '#domain/lane/state.ts'
import type { LaneState } from '#domain/lane/state.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import { LANE_SCRIPTS as scripts } from './scripts.ts'

export interface LaneReading {
  readonly now: number
  /** Whether the node that read the lane must tick it. */
  readonly isTicker: boolean
  readonly nodes: number
  readonly version: number
  readonly state: LaneState
  /** All cells for the ticker, and those of the last ten seconds for other nodes. */
  readonly counts: LaneCounts
}

export interface LaneStoreParts {
  readonly redis: Pick<Redis, 'run'>
  readonly lane: string
  readonly policy: LanePolicy
}

/** Two ticks may be missed; then another node ticks. */
const TICK_LEASE_TICKS = 3
/** A node that has not read the lane for this many ticks is not counted. */
const NODE_TICKS = 20
const BEGIN_TRIES_MAX = 3
/** Nodes of an older version, which count other cells, have their own beside them. */
const KEYS = ['state', 'permits', 'leases', 'held', 'cells-2', 'nodes'] as const

export class LaneStore {
  readonly #parts: LaneStoreParts
  readonly #keys: readonly string[]

  constructor(parts: LaneStoreParts) {
    this.#parts = parts
    this.#keys = KEYS.map((name) => `{lane:${parts.lane}}:${name}`)
  }

  /** Undefined when the lane was never written, or Redis has lost it. */
  async permit(id: string, ask: Ask, leaseMs: number): Promise<PermitAnswer | undefined> {
    const cost = ask.kind === 'retry' ? ask.cost : 0
    const args = [id, ask.kind, cost, leaseMs]
    const reply = (await this.#run('permit', args)) as PermitReply
    if (reply[0] === 'unknown') return undefined
    if (reply[0] !== 'permit') {
      const [why, retryAfterMs] = reply
      return { kind: 'refused', why, ...(retryAfterMs < 0 ? {} : { retryAfterMs }) }
    }
    const [kind, epoch, isProbe, isServed, takenAt, leaseUntil] = reply
    return { kind, permit: { id, epoch, isProbe: isProbe === 1, isServed: isServed === 1, takenAt, leaseUntil } }
  }

  async served(id: string, leaseMs: number): Promise<void> {
    await this.#run('served', [id, leaseMs])
  }

  async report(id: string, outcome: Outcome): Promise<void> {
    await this.#run('report', [id, outcome, holdMs(outcome, this.#parts.policy.settings.limit)])
  }

  async shed(): Promise<void> {
    await this.#run('shed', [])
  }

  /**
   * Makes Redis count permits that it does not count yet: those that the node granted by itself (`own`), and those of the
   * shared lane that Redis may have lost (`shared`).
   */
  async adopt(permits: Readonly<Record<'own' | 'shared', readonly Permit[]>>, now: number): Promise<void> {
    const listed = ({ id, leaseUntil, isServed }: Permit) => [id, Math.ceil(leaseUntil - now), isServed ? 1 : 0]
    const own = permits.own.flatMap((permit) => [...listed(permit), ''])
    await this.#run('adopt', [...own, ...permits.shared.flatMap((permit) => [...listed(permit), permit.epoch])])
  }

  /** With `node`, also asks for the lane's tick. A missing lane is created from `known`, or as new. */
  async read(node?: string, known?: LaneState): Promise<LaneReading> {
    const { tickMs } = this.#parts.policy.settings
    const args = [node ?? '', TICK_LEASE_TICKS * tickMs, NODE_TICKS * tickMs]
    for (let tries = 0; tries < BEGIN_TRIES_MAX; tries += 1) {
      const reply = (await this.#run('read', args)) as ReadReply
      if (isKnown(reply)) return readingOf(reply)
      await this.#begin(known, reply[0])
    }
    throw new RedisUnavailable(`the lane ${this.#parts.lane} cannot be begun`)
  }

  /** False when another node wrote since `version` was read. */
  async publish(version: number, state: LaneState, gate: Gate): Promise<boolean> {
    const { bucketMin } = this.#parts.policy.settings.retry
    const free = gate.kind === 'free' ? gate : undefined
    const probing = gate.kind === 'probing' ? gate : undefined
    const figures = [
      free?.limit,
      free?.retry?.inFlightMax,
      free?.retry?.countMax,
      probing?.notBefore,
      probing?.probesMax,
      free?.overloadsMax,
      free?.startsMax,
    ]
    const listed = figures.map((figure) => figure ?? '')
    const bucket = [bucketMin, gate.refill]
    const args = [version, JSON.stringify(state), gate.kind, gate.epoch, gate.bucketMax, ...listed, ...bucket]
    return (await this.#run('publish', args)) === 1
  }

  async #begin(known: LaneState | undefined, now: number): Promise<void> {
    const { policy } = this.#parts
    const { probeStages } = policy.settings
    const state = known === undefined ? startState(policy.name, now) : withNewEpoch(known, probeStages)
    const probes = { epoch: state.epoch, taken: 0, passed: 0, failed: 0, lost: 0 }
    const none = { cells: [], inFlight: 0, bucket: 0, failuresRunning: 0, successesRunning: 0, probes }
    await this.publish(0, state, policy.gate(state, none, now))
  }

  #run(name: keyof typeof scripts, args: readonly (string | number)[]): Promise<unknown> {
    return this.#parts.redis.run(scripts[name], this.#keys, args)
  }
}

type PermitReply =
  | readonly ['unknown']
  | readonly ['permit', number, number, number, number, number]
  | readonly [DenyReason, number]

type Unbegun = readonly [number, number, number]
type Begun = readonly [
  ...Unbegun,
  version: number,
  state: string,
  inFlight: number,
  bucket: number,
  failures: number,
  successes: number,
  ...probes: [epoch: number, taken: number, passed: number, failed: number, lost: number],
  cells: readonly number[],
]
type ReadReply = Unbegun | Begun

function isKnown(reply: ReadReply): reply is Begun {
  return reply.length > 3
}

function readingOf(reply: Begun): LaneReading {
  const [now, isTicker, nodes, version, state, inFlight, bucket, failuresRunning, successesRunning] = reply
  const [epoch, taken, passed, failed, lost] = [reply[9], reply[10], reply[11], reply[12], reply[13]]
  const probes = { epoch, taken, passed, failed, lost }
  const counts = { cells: cellsOf(reply[14]), inFlight, bucket, failuresRunning, successesRunning, probes }
  return { now, isTicker: isTicker === 1, nodes, version, state: stateOf(state, now), counts }
}

/** An older version's state has no refill time of the bucket: it starts now. */
function stateOf(json: string, now: number): LaneState {
  return { refill: 0, refilledAt: now, ...(JSON.parse(json) as Omit<LaneState, 'refill' | 'refilledAt'>) }
}

const FIGURES = 10

/** In the order of the scripts. */
function cellsOf(flat: readonly number[]): readonly Cell[] {
  return Array.from({ length: flat.length / FIGURES }, (_, index) => {
    const figures = flat.slice(index * FIGURES, (index + 1) * FIGURES)
    const [
      at = 0,
      successes = 0,
      overloads = 0,
      silents = 0,
      faults = 0,
      firsts = 0,
      retries = 0,
      shed = 0,
      inFlightPeak = 0,
      waitedMs = 0,
    ] = figures
    return { at, successes, overloads, silents, faults, firsts, retries, shed, inFlightPeak, waitedMs }
  })
}
