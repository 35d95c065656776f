// One region of a simulated provider, shared by all simulated nodes; each node has a `Model` over it. It has a token
// quota, slots and a queue, and keeps working for callers who have left. The same seed, health and calls give the same
// parts. Used by the worlds of the fleet simulator.
import type { SeededRandom } from '../virtual/random.ts'
import type { ModelFacts } from '@mangaassist/server/domain/model/model-facts'
import { messageText } from '@mangaassist/server/domain/model/model-message'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Model, ModelErrorClass, ModelPart } from '@mangaassist/server/ports/model/port'
import { answerAfter, answerTo, within } from './answer-text.ts'
import type { AnswerText, Manner } from './answer-text.ts'
import { ProviderCall } from './call.ts'
import type { CallFacts, CallOutcome, CallContext, CallRequest, Work } from './call.ts'
import { USUAL_HABITS } from './habits.ts'
import type { Capacity, Habits } from './habits.ts'
import type { Health } from './health.ts'
import { TokenQuota } from './token-quota.ts'

export interface RegionParts {
  readonly lane: string
  readonly modelId: string
  readonly facts?: ModelFacts
  /** The world's clock, not a node's: a provider outlives its callers. */
  readonly clock: Clock
  readonly random: SeededRandom
  readonly capacity: Capacity
  /** The current health. */
  readonly health: () => Health
  readonly habits?: Partial<Habits>
  /** Input tokens of a prompt, for quota and bill. Default: estimated from its length and language. */
  readonly inputTokens?: (request: CallRequest) => number
  readonly onCall?: (call: CallFacts) => void
  /** Called once for each call, when its caller has its end or has left; the work may continue. */
  readonly onEnd?: (call: CallFacts, outcome: CallOutcome, at: number) => void
}

interface RegionCounts {
  readonly attempts: number
  readonly ended: number
  readonly cancelled: number
  readonly died: number
  /** 429, 5xx, timeouts and broken streams. */
  readonly failed: number
  readonly failures: ReadonlyMap<ModelErrorClass, number>
  /** Answers produced, wholly or in part, for callers who had left. */
  readonly abandoned: number
  /** Tokens of all work, read by a caller or not: all of it is billed. */
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface RegionModel extends Model {
  stream(request: CallRequest): AsyncIterable<ModelPart>
}

export interface Region {
  readonly lane: string
  modelFor(node: string): RegionModel
  /** Closes the node's connections: the node receives nothing more, but the provider still works on its calls. */
  nodeDied(node: string): void
  counts(): RegionCounts
  /** `alive`: calls with a caller, of one node or of all. `busy`: slots in use. `waiting`: queued calls. */
  alive(node?: string): number
  busy(): number
  waiting(): number
  /** Tokens that the quota could grant now. */
  quotaLeft(): number
}

export function isFailed(outcome: CallOutcome): boolean {
  return outcome !== 'ended' && outcome !== 'cancelled' && outcome !== 'node-died'
}

const REFUSAL_MS = [20, 150] as const
const INTERNAL_SHARE = 0.3
const SECOND_MS = 1000
/** Roughly the estimator's result for the prompts of the store; exact counting at every call would be too slow. */
const TOKENS_PER_UNIT = { ja: 0.6, en: 0.29 }

export function regionOf(parts: RegionParts): Region {
  return new SimulatedRegion(parts)
}

/** The models of a node over the regions of all, by their names in the ladder. */
export function providersOf(regions: ReadonlyMap<string, Region>) {
  return {
    modelsFor: (node: string) => new Map([...regions].map(([name, region]) => [name, region.modelFor(node)])),
    nodeDied(node: string) {
      for (const region of regions.values()) region.nodeDied(node)
    },
  }
}

class SimulatedRegion implements Region {
  readonly lane: string
  readonly #parts: RegionParts
  readonly #habits: Habits
  readonly #quota: TokenQuota
  readonly #alive = new Map<string, Set<ProviderCall>>()
  /** Calls in order of arrival; those before `#queueHead` have left the queue. */
  #queue: ProviderCall[] = []
  #queueHead = 0
  #busy = 0
  #attempts = 0
  #ended = 0
  #died = 0
  #abandoned = 0
  #inputTokens = 0
  #outputTokens = 0
  readonly #failures = new Map<ModelErrorClass, number>()

  constructor(parts: RegionParts) {
    this.lane = parts.lane
    this.#parts = parts
    this.#habits = { ...USUAL_HABITS, ...parts.habits }
    const { tokensPerMinute } = parts.capacity
    const { quotaBurstMs: burstMs, quotaGrant: grant, quotaRefusedShare: refusedShare } = this.#habits
    this.#quota = new TokenQuota({ tokensPerMinute, grant, burstMs, refusedShare }, parts.clock.now())
  }

  modelFor(node: string): RegionModel {
    const { modelId, facts, clock } = this.#parts
    const calls = this.#alive.get(node) ?? new Set()
    this.#alive.set(node, calls)
    const context: CallContext = {
      clock,
      modelId,
      abandonedWork: this.#habits.abandonedWork,
      began: (call) => {
        calls.add(call)
        this.#began(call, node)
      },
      ended: (call, outcome) => {
        calls.delete(call)
        this.#hasEnded(call, outcome)
      },
      released: (call, share) => this.#released(call, share),
    }
    return {
      id: modelId,
      ...(facts === undefined ? {} : { facts }),
      stream: (request) => new ProviderCall(request, context),
    }
  }

  nodeDied(node: string): void {
    for (const call of this.#alive.get(node) ?? []) call.nodeDied()
  }

  counts(): RegionCounts {
    const failures = new Map(this.#failures)
    const cancelled = failures.get('cancelled') ?? 0
    failures.delete('cancelled')
    return {
      attempts: this.#attempts,
      ended: this.#ended,
      cancelled,
      died: this.#died,
      failed: failures.values().reduce((sum, count) => sum + count, 0),
      failures,
      abandoned: this.#abandoned,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    }
  }

  alive(node?: string): number {
    if (node !== undefined) return this.#alive.get(node)?.size ?? 0
    return this.#alive.values().reduce((sum, calls) => sum + calls.size, 0)
  }

  busy(): number {
    return this.#busy
  }

  waiting(): number {
    return this.#queue.length - this.#queueHead
  }

  quotaLeft(): number {
    return this.#quota.left(this.#parts.clock.now(), this.#parts.health().quotaShare)
  }

  #began(call: ProviderCall, node: string): void {
    const { lane, clock, random, health, onCall } = this.#parts
    const { request } = call
    const { deadlineAt, maxOutputTokens, turnId } = request
    const at = clock.now()
    this.#attempts += 1
    const isContinuation = request.shown !== undefined && request.shown !== ''
    const asked = { at, deadlineAt, maxOutputTokens, isContinuation, ...(turnId === undefined ? {} : { turnId }) }
    call.facts = { lane, node, number: this.#attempts, ...asked }
    onCall?.(call.facts)
    const { errorShare, silenceShare, quotaShare } = health()
    if (random.happens(errorShare)) {
      return this.#refuse(call, random.happens(INTERNAL_SHARE) ? 'internal' : 'unavailable')
    }
    if (random.happens(silenceShare)) return call.hold()
    call.inputTokens = this.#parts.inputTokens?.(request) ?? inputTokensOf(request)
    const tokens = call.inputTokens + maxOutputTokens
    const waitMs = this.#quota.take(tokens, at, quotaShare)
    if (waitMs > 0) return this.#refuse(call, 'throttled', waitMs)
    if (this.waiting() >= this.#slots() * this.#habits.queueMax) {
      this.#quota.settle(tokens, at, quotaShare)
      return this.#refuse(call, 'unavailable')
    }
    call.takenTokens = tokens
    this.#queue.push(call)
    this.#startQueued()
  }

  #refuse(call: ProviderCall, errorClass: ModelErrorClass, waitMs = 0): void {
    const { random } = this.#parts
    const hasRetryAfter = waitMs > 0 && random.happens(this.#habits.retryAfterShare)
    // Providers send whole seconds.
    const retryAfterMs = Math.ceil(waitMs / SECOND_MS) * SECOND_MS
    const failure = { class: errorClass, message: errorClass, ...(hasRetryAfter ? { retryAfterMs } : {}) }
    call.refuse(failure, random.between(...REFUSAL_MS))
  }

  #startQueued(): void {
    while (this.#busy < this.#slots() && this.#queueHead < this.#queue.length) {
      const call = this.#queue[this.#queueHead]!
      this.#queueHead += 1
      if (call.isOver && !this.#habits.abandonedWork) this.#settle(call, 0)
      else {
        this.#busy += 1
        call.begin(this.#plan(call))
      }
    }
    if (this.#queueHead * 2 < this.#queue.length) return
    this.#queue = this.#queue.slice(this.#queueHead)
    this.#queueHead = 0
  }

  #slots(): number {
    // At least one slot, so that queued calls finish eventually. An outage is modelled by a zero quota and 5xx instead.
    return Math.max(1, Math.round(this.#parts.capacity.slots * this.#parts.health().slotShare))
  }

  #plan({ request }: ProviderCall): Work {
    const { clock, random, capacity, health } = this.#parts
    const { firstTokenSigma, usageShare } = this.#habits
    const { cutShare, slowMs, slowShare, stallShare } = health()
    const whole = this.#answerTo(request)
    const answer = within(whole, request.maxOutputTokens)
    const deltas = Math.min(answer.text.length, this.#habits.deltas)
    const stretch = this.#stretch()
    const [slowest, fastest] = capacity.tokensPerSecond
    const firstMs = capacity.firstTokenMs * Math.exp(firstTokenSigma * normal(random)) * stretch
    const tokensPerSecond = slowest + (fastest - slowest) * random.float()
    const isSlow = slowShare > 0 && random.happens(slowShare)
    const firstAt = clock.now() + firstMs + (isSlow ? slowMs : 0)
    return {
      answer,
      stopReason: answer === whole ? 'end' : 'length',
      deltas,
      phase: random.float(),
      firstAt,
      endAt: firstAt + (answer.tokens / tokensPerSecond) * SECOND_MS * stretch,
      breaksAt: random.happens(cutShare) ? random.between(0, deltas - 1) : undefined,
      stallsAt: random.happens(stallShare) ? random.between(0, deltas - 1) : undefined,
      reportsUsage: random.happens(usageShare),
    }
  }

  #answerTo({ messages, shown = '' }: CallRequest): AnswerText {
    const { modelId, random } = this.#parts
    if (shown !== '') return answerAfter(shown, modelId, this.#manner(random.float()))
    return answerTo(messageText(messages.findLast(({ role }) => role === 'user')), modelId)
  }

  #manner(float: number): Manner {
    const { restartShare, overlapShare, mismatchShare } = this.#habits
    if (float < restartShare) return 'restart'
    if (float < restartShare + overlapShare) return 'overlap'
    return float < restartShare + overlapShare + mismatchShare ? 'mismatch' : 'continue'
  }

  /** A long queue slows down the work itself. */
  #stretch(): number {
    const { stretchPerQueue, stretchMax } = this.#habits
    return Math.min(stretchMax, 1 + (stretchPerQueue * this.waiting()) / this.#slots())
  }

  #released(call: ProviderCall, share: number): void {
    const outputTokens = Math.ceil((call.work?.answer.tokens ?? 0) * share)
    this.#busy -= 1
    this.#outputTokens += outputTokens
    this.#inputTokens += call.inputTokens
    this.#settle(call, call.inputTokens + outputTokens)
    this.#startQueued()
  }

  #settle(call: ProviderCall, usedTokens: number): void {
    const { clock, health } = this.#parts
    this.#quota.settle(call.takenTokens - usedTokens, clock.now(), health().quotaShare)
  }

  #hasEnded(call: ProviderCall, outcome: CallOutcome): void {
    if (outcome === 'ended') this.#ended += 1
    else if (outcome === 'node-died') this.#died += 1
    else this.#failures.set(outcome, (this.#failures.get(outcome) ?? 0) + 1)
    const { onEnd, clock } = this.#parts
    // The call had quota tokens and ended without its caller: its slot works for no one.
    if (call.takenTokens > 0 && this.#habits.abandonedWork && hasNoCaller(outcome)) this.#abandoned += 1
    if (call.facts !== undefined) onEnd?.(call.facts, outcome, clock.now())
  }
}

function hasNoCaller(outcome: CallOutcome): boolean {
  return outcome === 'cancelled' || outcome === 'timeout' || outcome === 'node-died'
}

function inputTokensOf({ system, messages, language }: CallRequest): number {
  let units = system.length
  for (const message of messages) units += messageText(message).length
  return Math.ceil(units * TOKENS_PER_UNIT[language])
}

/** Standard normal distribution. */
function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
}
