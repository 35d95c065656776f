// One lane on one node: shared while Redis answers, a local stand-in while it does not. A permit is ended on the side that
// granted it, and after an outage Redis is sent what happened meanwhile.
import type { Ask } from '#domain/lane/gate.ts'
import type { Permit, PermitAnswer } from '#domain/lane/lane-counter.ts'
import { laneView } from '#domain/lane/lane-view.ts'
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { LocalLane } from '#domain/lane/local-lane.ts'
import { operate } from '#domain/lane/operate.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import { standaloneLane } from '#domain/lane/standalone-lane.ts'
import type { OperatorMark } from '#domain/lane/state.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import { LaneStore } from './lane-store.ts'
import type { LaneStoreParts, LaneReading } from './lane-store.ts'

export interface SharedLaneParts extends LaneStoreParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'float'>
  readonly telemetry: Telemetry
  readonly nodeId: string
  readonly leaseMs: number
}

/** A permit of this node's local lane. */
interface OwnGrant {
  readonly lane: LocalLane
  readonly permit: Permit
}

/** How long a node without Redis makes no retries. */
const RETRIES_PAUSED_MS = 10_000
/** Reports that Redis has not received yet; beyond this number, leases expire by themselves. */
const UNREPORTED_MAX = 10_000
const OPERATE_TRIES_MAX = 5

export class SharedLane {
  readonly #parts: SharedLaneParts
  readonly #store: LaneStore
  /** Permits of the shared lane that this node holds. */
  readonly #shared = new Map<string, Permit>()
  readonly #grants = new Map<string, OwnGrant>()
  readonly #unreported = new Map<string, Outcome>()
  /** Ids of permits that Redis may have granted although its reply did not arrive. */
  readonly #doubtful = new Set<string>()
  #last: LaneReading | undefined
  /** The server's clock minus ours. */
  #aheadMs = 0
  #standalone: { readonly lane: LocalLane; readonly since: number } | undefined

  constructor(parts: SharedLaneParts) {
    this.#parts = parts
    this.#store = new LaneStore(parts)
  }

  async permit(id: string, ask: Ask): Promise<PermitAnswer> {
    const wasUnavailable = this.#standalone !== undefined
    const shared = wasUnavailable ? undefined : await this.#orLeave(() => this.#askShared(id, ask))
    if (shared?.kind === 'permit') this.#shared.set(id, shared.permit)
    if (shared !== undefined) return shared
    const permit = this.#shared.get(id)
    if (permit !== undefined) return { kind: 'permit', permit }
    if (!wasUnavailable) this.#doubtful.add(id)
    const answer = this.#askHere(id, ask)
    if (answer.kind === 'refused' && this.#doubtful.delete(id)) this.#reportLater(id, 'neutral')
    return answer
  }

  async served(id: string, leaseMs: number): Promise<void> {
    const now = this.#now()
    const servedNow = (permit: Permit) => ({ ...permit, leaseUntil: now + leaseMs, isServed: true })
    const grant = this.#grants.get(id)
    if (grant !== undefined) {
      grant.lane.served(id, { now, leaseMs })
      this.#grants.set(id, { ...grant, permit: servedNow(grant.permit) })
      return
    }
    const permit = this.#shared.get(id)
    if (permit !== undefined) this.#shared.set(id, servedNow(permit))
    if (this.#standalone === undefined) await this.#orLeave(() => this.#store.served(id, leaseMs))
  }

  async report(id: string, outcome: Outcome): Promise<void> {
    this.#shared.delete(id)
    const grant = this.#grants.get(id)
    if (grant !== undefined) {
      this.#grants.delete(id)
      grant.lane.report(id, outcome, this.#now())
      if (this.#doubtful.delete(id)) this.#reportLater(id, outcome)
      return
    }
    const isReported = this.#standalone === undefined && (await this.#orLeave(() => this.#reported(id, outcome)))
    if (isReported !== true) this.#reportLater(id, outcome)
  }

  async shed(): Promise<void> {
    if (this.#standalone === undefined) await this.#orLeave(() => this.#store.shed())
    else this.#standalone.lane.shed(this.#now())
  }

  async peek(): Promise<LaneView> {
    return (
      this.#standalone?.lane.view(this.#now()) ?? this.#viewOf(await this.#store.read(undefined, this.#last?.state))
    )
  }

  seen(): LaneView {
    if (this.#standalone !== undefined) return this.#standalone.lane.view(this.#now())
    return this.#last === undefined ? this.#newStandalone().view(this.#now()) : this.#viewOf(this.#last)
  }

  async operate(mark: Omit<OperatorMark, 'at'>): Promise<LaneView> {
    for (let tries = 0; tries < OPERATE_TRIES_MAX; tries += 1) {
      const reading = await this.#store.read(undefined, this.#last?.state)
      const state = operate(reading.state, { ...mark, at: reading.now })
      const gate = this.#policy.gate(state, reading.counts, reading.now)
      if (await this.#store.publish(reading.version, state, gate)) return this.#viewOf(await this.#store.read())
    }
    throw new RedisUnavailable(`the lane ${this.#parts.lane} changed each time it was to be written`)
  }

  async tick(): Promise<void> {
    const reading = await this.#orLeave(() => this.#readAndTick())
    if (reading === undefined) this.#standalone?.lane.tick(this.#now())
    else await this.#see(reading)
  }

  get #policy(): LanePolicy {
    return this.#parts.policy
  }

  async #askShared(id: string, ask: Ask): Promise<PermitAnswer | undefined> {
    const { leaseMs } = this.#parts
    const answer = await this.#store.permit(id, ask, leaseMs)
    if (answer !== undefined) return answer
    // A read creates the lane, from the last known state if Redis has lost it.
    await this.#store.read(undefined, this.#last?.state)
    return this.#store.permit(id, ask, leaseMs)
  }

  #askHere(id: string, ask: Ask): PermitAnswer {
    const now = this.#now()
    const { lane, since } = this.#standalone ?? this.#leave()
    if (ask.kind === 'retry' && now - since < RETRIES_PAUSED_MS) return { kind: 'refused', why: 'no-retries' }
    const answer = lane.take({ id, ask, leaseMs: this.#parts.leaseMs }, now)
    if (answer.kind === 'permit') this.#grants.set(id, { lane, permit: answer.permit })
    return answer
  }

  async #reported(id: string, outcome: Outcome): Promise<true> {
    await this.#store.report(id, outcome)
    return true
  }

  #reportLater(id: string, outcome: Outcome): void {
    if (this.#unreported.size < UNREPORTED_MAX) this.#unreported.set(id, outcome)
  }

  async #readAndTick(): Promise<LaneReading> {
    const { nodeId, random } = this.#parts
    const reading = await this.#store.read(nodeId, this.#last?.state)
    if (!reading.isTicker) return reading
    const moment = { now: reading.now, float: random.float() }
    const state = this.#policy.tick(reading.state, reading.counts, moment)
    const gate = this.#policy.gate(state, reading.counts, reading.now)
    // Refused when an operator has just acted: the next tick reads the change.
    const isWritten = await this.#store.publish(reading.version, state, gate)
    return isWritten ? { ...reading, state, version: reading.version + 1 } : reading
  }

  async #see(reading: LaneReading): Promise<void> {
    this.#last = reading
    this.#aheadMs = reading.now - this.#parts.clock.now()
    const hasReturned = this.#standalone !== undefined
    if (hasReturned) {
      this.#standalone = undefined
      this.#reportStandalone('ended')
    }
    // Redis may have lost permits, or missed the report of first text.
    const shared = hasReturned ? underWay([...this.#shared.values()], this.#now()) : []
    if (this.#unreported.size > 0 || this.#grants.size > 0 || shared.length > 0)
      await this.#orLeave(() => this.#reconcile(shared))
  }

  /** Reports what ended meanwhile, and makes Redis count the calls in flight. */
  async #reconcile(shared: readonly Permit[]): Promise<void> {
    const reports = [...this.#unreported].map(async ([id, outcome]) => {
      await this.#store.report(id, outcome)
      this.#unreported.delete(id)
    })
    const own = this.#stillUnderWay()
    // Until the reply, Redis may or may not count them: a call that ends now is reported there too.
    for (const { id } of own) this.#doubtful.add(id)
    const isNone = own.length === 0 && shared.length === 0
    await Promise.all([...reports, ...(isNone ? [] : [this.#store.adopt({ own, shared }, this.#now())])])
    // The report of an ended call may have arrived before it was counted, and found nothing.
    for (const { id } of shared) if (!this.#shared.has(id)) this.#reportLater(id, 'neutral')
    for (const permit of own) {
      if (!this.#doubtful.delete(permit.id)) continue
      this.#grants.delete(permit.id)
      this.#shared.set(permit.id, permit)
    }
  }

  #stillUnderWay(): readonly Permit[] {
    const permits = [...this.#grants.values()].map(({ permit }) => permit)
    const own = underWay(permits, this.#now())
    for (const permit of permits) if (!own.includes(permit)) this.#grants.delete(permit.id)
    return own
  }

  /** Undefined when Redis is unavailable; from then on the node uses its local lane. */
  async #orLeave<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const answer = await orUnavailable(ask)
    if (!(answer instanceof StoreUnavailable)) return answer
    this.#leave()
    return undefined
  }

  #leave(): { readonly lane: LocalLane; readonly since: number } {
    if (this.#standalone === undefined) {
      this.#standalone = { lane: this.#newStandalone(), since: this.#now() }
      this.#reportStandalone('began')
    }
    return this.#standalone
  }

  #newStandalone(): LocalLane {
    const last = this.#last
    const seen = last && { state: last.state, inFlight: last.counts.inFlight, nodes: last.nodes }
    return standaloneLane(this.#policy, seen, { now: this.#now(), float: () => this.#parts.random.float() })
  }

  #viewOf({ state, counts, now }: LaneReading): LaneView {
    return laneView(state, {
      counts,
      gate: this.#policy.gate(state, counts, now),
      now,
      settings: this.#policy.settings,
    })
  }

  #reportStandalone(what: 'began' | 'ended'): void {
    const { telemetry, lane } = this.#parts
    telemetry.count(what === 'began' ? 'lane_standalone_began_total' : 'lane_standalone_ended_total')
    telemetry.log('warn', what === 'began' ? 'lane.standalone-began' : 'lane.standalone-ended', { laneId: lane })
  }

  #now(): number {
    return this.#parts.clock.now() + this.#aheadMs
  }
}

function underWay(permits: readonly Permit[], now: number): readonly Permit[] {
  return permits.filter(({ leaseUntil }) => leaseUntil > now)
}
