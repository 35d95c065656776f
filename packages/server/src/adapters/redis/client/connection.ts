// The connection to Redis (or Valkey, one server or a cluster). Every call has our own deadline, because the client's does
// not fire once a command is written. Nothing is queued while Redis is unavailable, and a Redis that does not answer gets
// few calls. A call that fails or is late throws RedisUnavailable: the caller decides what that means.
import { ClientOfflineError, createClient, createCluster, ErrorReply } from '@redis/client'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { NEVER } from '#lib/async/never.ts'
import type { StoreUnavailableOptions } from '#domain/store-unavailable.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import type { FairTimers } from '#lib/time/fair-timers.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { LanePolicy } from '#domain/lane/policy.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { CallCircuit } from '#domain/lane/call-circuit.ts'
import { redisAddressFields, addressOf, credentialsIn, tlsIn } from './address.ts'
import { redisCallFields, redisFailureFields, askedName } from './call-span.ts'
import type { Asked } from './call-span.ts'
import type { Script } from './script.ts'

export interface RedisOptions {
  readonly url: string
  readonly clock: Clock
  readonly random: Pick<Random, 'float'>
  readonly telemetry: Telemetry
  /** The longest a call may take. */
  readonly callMs: number
  readonly connectMs: number
  /** Policy of the circuit around every call; default: the default settings of a lane. */
  readonly policy?: LanePolicy
  /** The time that scripts use in place of the server's own: for tests. */
  readonly now?: () => number
}

export class RedisUnavailable extends StoreUnavailable {
  /** True when the reply was late, false when the call failed. */
  readonly isLate: boolean

  constructor(message: string, options: StoreUnavailableOptions & { readonly isLate?: boolean } = {}) {
    super(message, options)
    this.name = 'RedisUnavailable'
    this.isLate = options.isLate ?? false
  }
}

export interface Redis extends AsyncDisposable {
  /** Runs a script; all keys share one hash tag. Adds the time as its first argument. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Sends a command; `key` selects the node of a cluster, undefined any node. */
  command(key: string | undefined, ...args: readonly string[]): Promise<unknown>
  /** Receives the messages of a sharded channel, from when `ready` resolves until it is disposed. Survives reconnects. */
  subscribe(channel: string, listener: (message: string) => void): Subscription
  /** When a call last failed or the connection was lost; 0 for never. */
  troubledAt(): number
  /**
   * Calls `listener` whenever the connection for subscriptions was lost and re-established: messages may have been missed.
   */
  onGap(listener: () => void): Disposable
}

/** The connection and its circuit, for operators. */
export interface OperableRedis extends Redis {
  readonly lane: NodeLane
  /** Calls `listener` whenever the connection for calls was made again, before any call is sent on it. */
  onReconnect(listener: () => void): Disposable
  /** Like `run`, but ignores the circuit: operators' actions must work while they force the circuit open. */
  runAlways: Redis['run']
}

interface Subscription extends Disposable {
  readonly ready: Promise<void>
}

/** The part of the client library that we use, the same for one server and a cluster. */
interface Wire {
  /** Whether replies arrive in the order of the calls. */
  readonly isOrdered: boolean
  send(key: string | undefined, args: readonly string[]): Promise<unknown>
  sSubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  sUnsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  onReady(listener: () => void): void
  destroy(): void
}

const QUEUE_MAX = 10_000
const RECONNECT_FIRST_MS = 50
const RECONNECT_MAX_MS = 1000
const UNKNOWN_SCRIPT = /^NOSCRIPT/
const UNKNOWN = Symbol('unknown script')

export async function openRedis(options: RedisOptions): Promise<OperableRedis> {
  const socket = {
    connectTimeout: options.connectMs,
    reconnectStrategy: (retries: number) => Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** Math.min(retries, 5)),
  }
  // The client's own deadline is off: it costs much CPU in each call and does not fire once a command is written.
  const commandOptions = { timeout: 0 }
  const settings = { socket, disableOfflineQueue: true, commandsQueueMaxLength: QUEUE_MAX, commandOptions }
  const onError = errorLogger(options.telemetry)
  const connected = async <Client extends Connectable>(client: Client): Promise<Client> => {
    let last: unknown = new Error('no answer in time')
    client.on('error', (error) => {
      last = error
      onError(error)
    })
    await orGiveUp(options, client, { call: () => client.connect(), lastError: () => last })
    return client
  }
  const first = await connected(createClient({ url: options.url, ...settings }))
  const about = await orGiveUp(options, first, { call: () => first.sendCommand(['INFO', 'cluster']) })
  if (String(about).includes('cluster_enabled:1')) {
    first.destroy()
    // Discovered nodes get the credentials and TLS of the configured address.
    const defaults = { ...settings, ...credentialsIn(options.url), socket: { ...socket, ...tlsIn(options.url) } }
    const cluster = await connected(createCluster({ rootNodes: [{ url: options.url }], defaults, commandOptions }))
    const wire: Wire = {
      ...wireOf(cluster),
      isOrdered: false,
      // Fires for each node, also when a node is first used: an extra check does no harm.
      onReady: (listener) => void cluster.on('node-ready', listener),
      send: (key, args) => cluster.sendCommand(key, false, [...args]),
    }
    return new RedisConnection(options, wire, wire)
  }
  // Subscriptions have a connection of their own: a burst of messages must not delay a script's reply.
  const second = await connected(createClient({ url: options.url, ...settings })).catch((error: unknown) => {
    first.destroy()
    throw error
  })
  const wires = [first, second].map((client): Wire => ({
    ...wireOf(client),
    isOrdered: true,
    send: (_, args) => client.sendCommand(args),
  }))
  return new RedisConnection(options, wires[0] as Wire, wires[1] as Wire)
}

/** While Redis is unavailable every try fails with the same error: it is logged once. */
function errorLogger(telemetry: Telemetry): (error: unknown) => void {
  let logged = ''
  return (error) => {
    telemetry.count('redis_connection_failed_total')
    const said = String(error)
    if (said !== logged) telemetry.log('warn', 'redis.connection-failed', {}, error)
    logged = said
  }
}

interface Connectable {
  on(event: 'error', listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
  destroy(): void
}

interface Listening {
  sSubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  sUnsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  on(event: 'ready', listener: () => void): unknown
  destroy(): void
}

function wireOf(client: Listening): Omit<Wire, 'send' | 'isOrdered'> {
  return {
    sSubscribe: (channel, listener) => client.sSubscribe(channel, listener),
    sUnsubscribe: (channel, listener) => client.sUnsubscribe(channel, listener),
    onReady: (listener) => void client.on('ready', listener),
    destroy: () => client.destroy(),
  }
}

/** The client retries the connection until the deadline; `lastError` is the reason of the failure. */
async function orGiveUp(
  { clock, connectMs, url }: RedisOptions,
  client: Connectable,
  { call, lastError = () => undefined }: { call: () => Promise<unknown>; lastError?: () => unknown },
): Promise<unknown> {
  const limit = { ms: connectMs, signal: NEVER }
  let cause: unknown
  try {
    const answer = await withDeadline(clock, limit, call)
    if (answer !== LATE) return answer
    cause = lastError()
  } catch (error) {
    cause = error
  }
  client.destroy()
  throw new RedisUnavailable(`Redis at ${addressOf(url)} cannot be reached`, { cause })
}

function onlyUnknownScript(error: unknown): typeof UNKNOWN {
  if (error instanceof Error && UNKNOWN_SCRIPT.test(error.message)) return UNKNOWN
  throw error
}

class RedisConnection implements OperableRedis {
  readonly #options: RedisOptions
  /** In every span of a call. */
  readonly #address: ReturnType<typeof redisAddressFields>
  readonly #client: Wire
  readonly #listener: Wire
  readonly #callTimers: FairTimers
  readonly #subscriptionTimers: FairTimers
  readonly #circuit: CallCircuit
  #troubledAt = 0
  readonly #inFlight = new Set<Promise<unknown>>()
  /** Scripts whose text is being sent to Redis. */
  readonly #sentScripts = new Set<string>()
  readonly #gapListeners = new Set<() => void>()
  readonly #reconnectListeners = new Set<() => void>()
  /** Subscriptions that failed and are still needed. */
  readonly #toSubscribe = new Set<() => Promise<void>>()

  constructor(options: RedisOptions, client: Wire, listener: Wire) {
    this.#options = options
    this.#address = redisAddressFields(options.url)
    const { clock } = options
    this.#callTimers = fairTimers({ clock })
    this.#subscriptionTimers = fairTimers({ clock })
    this.#circuit = new CallCircuit({ ...options, store: 'redis' })
    this.#client = client
    this.#listener = listener
    // 'ready' fires again after each reconnect, when the client has renewed its subscriptions.
    listener.onReady(() => void this.#comeBack())
    client.onReady(() => {
      for (const reconnected of this.#reconnectListeners) reconnected()
    })
  }

  get lane(): NodeLane {
    return this.#circuit.lane
  }

  troubledAt(): number {
    return this.#troubledAt
  }

  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const call = () => this.#evaluate(script, keys, args)
    // An urgent script passes an open circuit, but not an operator who forced it open.
    const isPassed = script.isUrgent === true && !this.lane.isForcedOpen
    return isPassed ? this.#inTime(this.#callTimers, script, call) : this.#within(script, call)
  }

  runAlways(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.#inTime(this.#callTimers, script, () => this.#evaluate(script, keys, args))
  }

  async #evaluate(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const now = this.#options.now
    const rest = [String(keys.length), ...keys, now === undefined ? '' : String(now()), ...args.map(String)]
    const bySha = () => this.#send(keys[0], ['EVALSHA', script.sha1, ...rest]).catch(onlyUnknownScript)
    const answer = await bySha()
    if (answer !== UNKNOWN) return answer
    // The first of several concurrent calls that find the script unknown sends its text; for the others it is known by then.
    const again = this.#sentScripts.has(script.sha1) ? await bySha() : UNKNOWN
    return again === UNKNOWN ? this.#sendText(keys[0], script, rest) : again
  }

  command(key: string | undefined, ...args: readonly string[]): Promise<unknown> {
    return this.#within(args[0] ?? '', () => this.#send(key, args))
  }

  subscribe(channel: string, listener: (message: string) => void): Subscription {
    // A function of its own: the client library counts the same function twice as one.
    const onMessage = (message: string) => {
      this.#subscriptionTimers.answerReceived()
      listener(message)
    }
    let settled: Promise<unknown> = Promise.resolve()
    const begin = (): Promise<void> => {
      const begun = this.#listener.sSubscribe(channel, onMessage).then(() => this.#subscriptionTimers.answerReceived())
      // A failed subscription is made again after a reconnect. A late one is not: it may still succeed.
      settled = begun.then(
        () => this.#toSubscribe.delete(begin),
        () => this.#toSubscribe.add(begin),
      )
      return begun
    }
    // Not subject to the circuit: a subscription that was not sent could not be made again.
    const ready = this.#inTime(this.#subscriptionTimers, 'SSUBSCRIBE', begin)
    // A caller that does not await it learns of a failure by the gap check.
    ready.catch(() => {})
    return {
      ready,
      [Symbol.dispose]: () => {
        const left = settled.then(() => {
          this.#toSubscribe.delete(begin)
          return this.#listener.sUnsubscribe(channel, onMessage)
        })
        left.catch(() => {})
      },
    }
  }

  onGap(listener: () => void): Disposable {
    this.#gapListeners.add(listener)
    return { [Symbol.dispose]: () => void this.#gapListeners.delete(listener) }
  }

  onReconnect(listener: () => void): Disposable {
    this.#reconnectListeners.add(listener)
    return { [Symbol.dispose]: () => void this.#reconnectListeners.delete(listener) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gapListeners.clear()
    this.#reconnectListeners.clear()
    this.#toSubscribe.clear()
    // Calls in flight end by their deadline.
    await Promise.allSettled(this.#inFlight)
    this.#client.destroy()
    if (this.#listener !== this.#client) this.#listener.destroy()
  }

  async #comeBack(): Promise<void> {
    this.#troubledAt = this.#options.clock.now()
    const failed = [...this.#toSubscribe]
    this.#toSubscribe.clear()
    await Promise.allSettled(failed.map((begin) => begin()))
    for (const listener of this.#gapListeners) listener()
  }

  async #send(key: string | undefined, args: readonly string[]): Promise<unknown> {
    try {
      const answer = await this.#client.send(key, args)
      this.#replied()
      return answer
    } catch (error) {
      // An error reply is a reply, too.
      if (error instanceof ErrorReply) this.#replied()
      throw error
    }
  }

  async #sendText(key: string | undefined, script: Script, rest: readonly string[]): Promise<unknown> {
    this.#sentScripts.add(script.sha1)
    try {
      return await this.#send(key, ['EVAL', script.lua, ...rest])
    } finally {
      this.#sentScripts.delete(script.sha1)
    }
  }

  /** Replies arrive in order, so a reply to an earlier call shows that Redis is working on the calls before ours. */
  #replied(): void {
    if (this.#client.isOrdered) this.#callTimers.answerReceived()
  }

  async #within<Answer>(asked: Asked, call: () => Promise<Answer>): Promise<Answer> {
    const { telemetry } = this.#options
    const id = this.#circuit.enter()
    if (id === undefined) {
      const name = askedName(asked)
      this.#troubledAt = this.#options.clock.now()
      telemetry.count('redis_call_refused_total', { command: name })
      throw new RedisUnavailable(`Redis was not asked for ${name}: it keeps not answering`, { mayHaveHappened: false })
    }
    try {
      const answer = await this.#inTime(this.#callTimers, asked, call)
      this.#circuit.report(id, 'answered')
      return answer
    } catch (error) {
      this.#circuit.report(id, error instanceof RedisUnavailable && error.isLate ? 'late' : 'failed')
      throw error
    }
  }

  async #inTime<Answer>(timers: FairTimers, asked: Asked, call: () => Promise<Answer>): Promise<Answer> {
    const { callMs, clock, telemetry } = this.#options
    const name = askedName(asked)
    const span = telemetry.currentSpan()?.storeCall({ ...this.#address, ...redisCallFields(asked) })
    const answering = withDeadline(timers, { ms: callMs, signal: NEVER }, call)
    this.#inFlight.add(answering)
    try {
      const answer = await answering
      if (answer !== LATE) {
        span?.end()
        return answer
      }
    } catch (error) {
      span?.end('failed', redisFailureFields(error))
      this.#troubledAt = clock.now()
      telemetry.count('redis_call_failed_total', { command: name })
      // Without a connection nothing was sent.
      const mayHaveHappened = !(error instanceof ClientOfflineError)
      throw new RedisUnavailable(`Redis failed at ${name}`, { cause: error, mayHaveHappened })
    } finally {
      this.#inFlight.delete(answering)
    }
    span?.end('failed', { errorClass: 'timeout' })
    this.#troubledAt = clock.now()
    telemetry.count('redis_call_timeout_total', { command: name })
    throw new RedisUnavailable(`Redis took longer than ${callMs} ms for ${name}`, { isLate: true })
  }
}
