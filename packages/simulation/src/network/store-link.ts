// A node's link to a shared store: a call travels to the store, is executed there and its answer travels back, or one
// of these fails. As in production each call has a deadline, and a circuit stops calls to a store that does not answer.
// Each direction costs at most one timer event, and none without latency or faults.
import { CallCircuit } from '@mangaassist/server/domain/lane/call-circuit'
import { RedisUnavailable } from '@mangaassist/server/adapters/redis/client/connection'
import type { Random } from '@mangaassist/server/ports/random/port'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Telemetry } from '@mangaassist/server/ports/telemetry/port'
import { Pipe } from './pipe.ts'
import type { Linked, StoreNetwork } from './store-network.ts'

export interface StoreLinkParts {
  readonly network: StoreNetwork
  /** The node's clock: messages for a paused node wait, and a skewed clock measures deadlines wrongly. */
  readonly node: Clock & { whenRunning(action: () => void): void }
  readonly random: Random
  readonly telemetry: Telemetry
  readonly callMs: number
}

/**
 * Longer than a circuit stays open or is probed: after this time without trouble the circuit is surely closed and need
 * not be asked.
 */
const TROUBLED_MS = 60_000

interface Call {
  readonly name: string
  readonly sentAt: number
  readonly work: () => unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  isSettled: boolean
}

export class StoreLink implements Linked {
  readonly #parts: StoreLinkParts
  readonly #network: StoreNetwork
  readonly #up: Pipe
  readonly #down: Pipe
  readonly #circuit: CallCircuit
  readonly #gapListeners = new Set<() => void>()
  #inFlight = 0
  #isSevered = false
  #troubledUntil = 0
  #troubledAt = 0

  constructor(parts: StoreLinkParts) {
    this.#parts = parts
    this.#network = parts.network
    this.#up = new Pipe(parts.network.clock)
    this.#down = new Pipe(parts.network.clock)
    this.#circuit = new CallCircuit({ store: 'redis', clock: parts.node, random: parts.random, callMs: parts.callMs })
    parts.network.join(this)
  }

  /** When the store last failed to answer, by the node's clock; 0 for never. */
  get troubledAt(): number {
    return this.#troubledAt
  }

  /** Throws RedisUnavailable when the call failed or is late, as the production connection does. */
  call<Answer>(name: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    if (this.#isSevered) return new Promise(() => {})
    // Asking the circuit is most of the cost of a call here, and on a link without trouble it is closed.
    if (this.#isClear() && this.#parts.node.now() >= this.#troubledUntil) return promised(work)
    const id = this.#circuit.enter()
    if (id === undefined) {
      this.#troubledAt = this.#parts.node.now()
      this.#parts.telemetry.count('redis_call_refused_total', { command: name })
      const error = new RedisUnavailable(`the store was not asked for ${name}: it keeps not answering`, {
        mayHaveHappened: false,
      })
      return Promise.reject(error)
    }
    return this.ask(name, work).then(
      (answer) => {
        this.#circuit.report(id, 'answered')
        return answer
      },
      (error: unknown) => {
        const isLate = error instanceof RedisUnavailable && error.isLate
        if (isLate) this.#troubledUntil = this.#parts.node.now() + TROUBLED_MS
        this.#circuit.report(id, isLate ? 'late' : 'failed')
        throw error
      },
    )
  }

  /** Like `call`, for calls that are made even while the circuit is open. */
  ask<Answer>(name: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    if (this.#isSevered) return new Promise(() => {})
    if (this.#isClear()) return promised(work)
    const answer = this.#send(name, work)
    answer.catch((error: unknown) => {
      if (error instanceof RedisUnavailable) this.#troubledAt = this.#parts.node.now()
    })
    return answer
  }

  /** Delivers a message that the store pushes; it is lost while the link is cut. */
  deliver(arrive: () => void): void {
    if (this.#isSevered || this.#network.isCut(this)) return
    this.#down.send(this.#network.latencyMs(), () => {
      if (!this.#isSevered && !this.#network.isCut(this)) this.#parts.node.whenRunning(arrive)
    })
  }

  onGap(listener: () => void): Disposable {
    // Wrapped, because the same listener may be added twice.
    const own = () => listener()
    this.#gapListeners.add(own)
    return { [Symbol.dispose]: () => void this.#gapListeners.delete(own) }
  }

  reconnected(): void {
    this.#parts.node.whenRunning(() => {
      this.#troubledAt = this.#parts.node.now()
      for (const listener of this.#gapListeners) listener()
    })
  }

  /** The node is dead: it receives nothing more, and its later calls are not sent. */
  sever(): void {
    this.#isSevered = true
    this.#gapListeners.clear()
    this.#network.leave(this)
  }

  #isClear(): boolean {
    return this.#inFlight === 0 && this.#network.isClear(this)
  }

  #send<Answer>(name: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const sentAt = this.#network.clock.now()
      const call: Call = { name, sentAt, work, resolve: resolve as Call['resolve'], reject, isSettled: false }
      this.#inFlight += 1
      this.#up.send(this.#network.latencyMs(), () => this.#arrive(call))
    })
  }

  #arrive(call: Call): void {
    const network = this.#network
    // Calls in flight when the node died are still executed.
    if (network.isCut(this) || network.random.happens(network.quality.lostBefore)) return this.#failLate(call)
    if (network.isDown) return this.#refuse(call)
    if (!network.isPaused) return this.#execute(call)
    network.wait(() => this.#execute(call))
    this.#failLate(call)
  }

  #execute(call: Call): void {
    let answer: unknown
    try {
      answer = call.work()
    } catch (error) {
      return this.#reply(call, () => call.reject(error))
    }
    if (!(answer instanceof Promise)) return this.#reply(call, () => call.resolve(answer))
    answer.then(
      (value) => this.#reply(call, () => call.resolve(value)),
      (error: unknown) => this.#reply(call, () => call.reject(error)),
    )
  }

  #reply(call: Call, settle: () => void): void {
    const network = this.#network
    if (call.isSettled) return
    if (network.isCut(this) || network.random.happens(network.quality.lostAfter)) return this.#failLate(call)
    const latencyMs = network.latencyMs()
    if (network.clock.now() + latencyMs > call.sentAt + this.#parts.callMs) return this.#failLate(call)
    this.#down.send(latencyMs, () => {
      // An earlier reply may have delayed this one.
      const isLate = network.clock.now() > call.sentAt + this.#parts.callMs
      if (isLate || network.isCut(this)) this.#failLate(call)
      else this.#settle(call, settle)
    })
  }

  #refuse(call: Call): void {
    this.#parts.telemetry.count('redis_call_failed_total', { command: call.name })
    this.#down.send(this.#network.latencyMs(), () =>
      this.#settle(call, () =>
        call.reject(new RedisUnavailable(`the store is down, at ${call.name}`, { mayHaveHappened: false })),
      ),
    )
  }

  #failLate(call: Call): void {
    const { callMs, telemetry } = this.#parts
    const leftMs = call.sentAt + callMs - this.#network.clock.now()
    this.#network.clock.after(Math.max(0, leftMs), () =>
      this.#settle(call, () => {
        telemetry.count('redis_call_timeout_total', { command: call.name })
        call.reject(new RedisUnavailable(`the store took longer than ${callMs} ms for ${call.name}`, { isLate: true }))
      }),
    )
  }

  #settle(call: Call, settle: () => void): void {
    if (call.isSettled) return
    call.isSettled = true
    this.#inFlight -= 1
    if (this.#isSevered) return
    this.#parts.node.whenRunning(() => {
      if (!this.#isSevered) settle()
    })
  }
}

/** Turns a synchronous throw into a rejection. */
function promised<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    const answer = work()
    return answer instanceof Promise ? answer : Promise.resolve(answer)
  } catch (error) {
    return Promise.reject(error)
  }
}
