// One lane as a node of a fleet has it: shared while Redis answers, its own stand-in while it does not. Permits that were
// given out on either side are ended on the side that knows them, and once Redis is back it is told what happened meanwhile.
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
import type { LaneStoreParts, Sight } from './lane-store.ts'

export interface SharedLaneParts extends LaneStoreParts {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'float'>
  readonly telemetry: Telemetry
  readonly nodeId: string
  readonly leaseMs: number
}

/** A permit of this node's own lane. */
interface OwnGrant {
  readonly lane: LocalLane
  readonly permit: Permit
}

/** How long a node that lost the fleet makes no retries. */
const RETRIES_PAUSED_MS = 10_000
/** What Redis is still to be told; beyond it, leases end by themselves. */
const UNTOLD_MAX = 10_000
const OPERATE_TRIES_MAX = 5

export class SharedLane {
  readonly #parts: SharedLaneParts
  readonly #store: LaneStore
  /** Permits of the fleet that this node has and has not ended. */
  readonly #shared = new Map<string, Permit>()
  readonly #grants = new Map<string, OwnGrant>()
  readonly #untold = new Map<string, Outcome>()
  /** Of permits that Redis may have given out although its answer did not come. */
  readonly #doubtful = new Set<string>()
  #last: Sight | undefined
  /** The server's clock less ours. */
  #aheadMs = 0
  #away: { readonly lane: LocalLane; readonly since: number } | undefined

  constructor(parts: SharedLaneParts) {
    this.#parts = parts
    this.#store = new LaneStore(parts)
  }

  async permit(id: string, ask: Ask): Promise<PermitAnswer> {
    const wasAway = this.#away !== undefined
    const shared = wasAway ? undefined : await this.#orLeave(() => this.#askFleet(id, ask))
    if (shared?.kind === 'permit') this.#shared.set(id, shared.permit)
    if (shared !== undefined) return shared
    const permit = this.#shared.get(id)
    if (permit !== undefined) return { kind: 'permit', permit }
    if (!wasAway) this.#doubtful.add(id)
    const answer = this.#askHere(id, ask)
    if (answer.kind === 'refused' && this.#doubtful.delete(id)) this.#tellLater(id, 'neutral')
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
    if (this.#away === undefined) await this.#orLeave(() => this.#store.served(id, leaseMs))
  }

  async report(id: string, outcome: Outcome): Promise<void> {
    this.#shared.delete(id)
    const grant = this.#grants.get(id)
    if (grant !== undefined) {
      this.#grants.delete(id)
      grant.lane.report(id, outcome, this.#now())
      if (this.#doubtful.delete(id)) this.#tellLater(id, outcome)
      return
    }
    const isTold = this.#away === undefined && (await this.#orLeave(() => this.#told(id, outcome)))
    if (isTold !== true) this.#tellLater(id, outcome)
  }

  async shed(): Promise<void> {
    if (this.#away === undefined) await this.#orLeave(() => this.#store.shed())
    else this.#away.lane.shed(this.#now())
  }

  async peek(): Promise<LaneView> {
    return this.#away?.lane.view(this.#now()) ?? this.#viewOf(await this.#store.look(undefined, this.#last?.state))
  }

  seen(): LaneView {
    if (this.#away !== undefined) return this.#away.lane.view(this.#now())
    return this.#last === undefined ? this.#standIn().view(this.#now()) : this.#viewOf(this.#last)
  }

  async operate(mark: Omit<OperatorMark, 'at'>): Promise<LaneView> {
    for (let tries = 0; tries < OPERATE_TRIES_MAX; tries += 1) {
      const sight = await this.#store.look(undefined, this.#last?.state)
      const state = operate(sight.state, { ...mark, at: sight.now })
      const gate = this.#policy.gate(state, sight.counts, sight.now)
      if (await this.#store.publish(sight.version, state, gate)) return this.#viewOf(await this.#store.look())
    }
    throw new RedisUnavailable(`the lane ${this.#parts.lane} changed each time it was to be written`)
  }

  async tick(): Promise<void> {
    const sight = await this.#orLeave(() => this.#lookAndTick())
    if (sight === undefined) this.#away?.lane.tick(this.#now())
    else await this.#see(sight)
  }

  get #policy(): LanePolicy {
    return this.#parts.policy
  }

  async #askFleet(id: string, ask: Ask): Promise<PermitAnswer | undefined> {
    const { leaseMs } = this.#parts
    const answer = await this.#store.permit(id, ask, leaseMs)
    if (answer !== undefined) return answer
    // Begun by looking: from what was last known of it, should Redis have lost it.
    await this.#store.look(undefined, this.#last?.state)
    return this.#store.permit(id, ask, leaseMs)
  }

  #askHere(id: string, ask: Ask): PermitAnswer {
    const now = this.#now()
    const { lane, since } = this.#away ?? this.#leave()
    if (ask.kind === 'retry' && now - since < RETRIES_PAUSED_MS) return { kind: 'refused', why: 'no-retries' }
    const answer = lane.take({ id, ask, leaseMs: this.#parts.leaseMs }, now)
    if (answer.kind === 'permit') this.#grants.set(id, { lane, permit: answer.permit })
    return answer
  }

  async #told(id: string, outcome: Outcome): Promise<true> {
    await this.#store.report(id, outcome)
    return true
  }

  #tellLater(id: string, outcome: Outcome): void {
    if (this.#untold.size < UNTOLD_MAX) this.#untold.set(id, outcome)
  }

  async #lookAndTick(): Promise<Sight> {
    const { nodeId, random } = this.#parts
    const sight = await this.#store.look(nodeId, this.#last?.state)
    if (!sight.isTicker) return sight
    const moment = { now: sight.now, float: random.float() }
    const state = this.#policy.tick(sight.state, sight.counts, moment)
    const gate = this.#policy.gate(state, sight.counts, sight.now)
    // Refused when a person has just acted: what they did is seen at the next tick.
    const isWritten = await this.#store.publish(sight.version, state, gate)
    return isWritten ? { ...sight, state, version: sight.version + 1 } : sight
  }

  async #see(sight: Sight): Promise<void> {
    this.#last = sight
    this.#aheadMs = sight.now - this.#parts.clock.now()
    const hasReturned = this.#away !== undefined
    if (hasReturned) {
      this.#away = undefined
      this.#tellOperators('ended')
    }
    // It may have forgotten what it gave out, or have heard nothing of first words.
    const shared = hasReturned ? underWay([...this.#shared.values()], this.#now()) : []
    if (this.#untold.size > 0 || this.#grants.size > 0 || shared.length > 0)
      await this.#orLeave(() => this.#reconcile(shared))
  }

  /** What ended meanwhile is told, and what is still under way is counted there from now on. */
  async #reconcile(shared: readonly Permit[]): Promise<void> {
    const told = [...this.#untold].map(async ([id, outcome]) => {
      await this.#store.report(id, outcome)
      this.#untold.delete(id)
    })
    const own = this.#stillUnderWay()
    // Until it has answered, Redis may or may not count them: one that ends now is told there too.
    for (const { id } of own) this.#doubtful.add(id)
    const isNone = own.length === 0 && shared.length === 0
    await Promise.all([...told, ...(isNone ? [] : [this.#store.adopt({ own, shared }, this.#now())])])
    // Their report may have gone before them, to find nothing.
    for (const { id } of shared) if (!this.#shared.has(id)) this.#tellLater(id, 'neutral')
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

  /** Undefined when Redis is away; from then on the node goes by its own lane. */
  async #orLeave<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const answer = await orUnavailable(ask)
    if (!(answer instanceof StoreUnavailable)) return answer
    this.#leave()
    return undefined
  }

  #leave(): { readonly lane: LocalLane; readonly since: number } {
    if (this.#away === undefined) {
      this.#away = { lane: this.#standIn(), since: this.#now() }
      this.#tellOperators('began')
    }
    return this.#away
  }

  #standIn(): LocalLane {
    const last = this.#last
    const seen = last && { state: last.state, inFlight: last.counts.inFlight, nodes: last.nodes }
    return standaloneLane(this.#policy, seen, { now: this.#now(), float: () => this.#parts.random.float() })
  }

  #viewOf({ state, counts, now }: Sight): LaneView {
    return laneView(state, { counts, gate: this.#policy.gate(state, counts, now), now })
  }

  #tellOperators(what: 'began' | 'ended'): void {
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
