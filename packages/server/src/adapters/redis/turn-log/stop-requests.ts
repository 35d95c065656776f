// The listeners on this node for stop requests. A request arrives as a message, is found when this node reads the turn, or
// comes with the owner's renewal: a lost message only delays it. Each listener is called once.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Redis } from '../client/connection.ts'
import { stopChannel } from './turn-store.ts'
import type { TurnStore } from './turn-store.ts'

interface Watch {
  readonly listeners: Set<() => void>
  readonly held: DisposableStack
}

interface StopRequestsOptions {
  readonly redis: Redis
  readonly store: TurnStore
  /** Whether the turn runs on this node; then it exists even when the shared log does not know it. */
  readonly runsHere: (turnId: string) => boolean
}

export class StopRequests {
  readonly #redis: Redis
  readonly #store: TurnStore
  readonly #runsHere: (turnId: string) => boolean
  readonly #watches = new Map<string, Watch>()

  constructor(options: StopRequestsOptions) {
    this.#redis = options.redis
    this.#store = options.store
    this.#runsHere = options.runsHere
  }

  /** `known`: whether a stop was requested, as far as this node knows; undefined when Redis must be asked. */
  listen(turnId: string, listener: () => void, known: boolean | undefined): Disposable {
    const listeners = known === true ? new Set<() => void>() : this.#watchOf(turnId, known).listeners
    // A function of its own, so that a listener registered twice counts as two registrations.
    const once = () => {
      if (listeners.delete(once)) listener()
    }
    listeners.add(once)
    // After this call returns, because the listener may use the value it is assigned to.
    if (known === true) queueMicrotask(once)
    return {
      [Symbol.dispose]: () => {
        listeners.delete(once)
        const watch = this.#watches.get(turnId)
        if (watch?.listeners === listeners && listeners.size === 0) this.#end(turnId, watch)
      },
    }
  }

  notify(turnId: string): void {
    const watch = this.#watches.get(turnId)
    if (watch === undefined) return
    for (const listener of watch.listeners) listener()
    this.#end(turnId, watch)
  }

  /** The turn has ended: its listeners will not be called. */
  drop(turnId: string): void {
    const watch = this.#watches.get(turnId)
    if (watch !== undefined) this.#end(turnId, watch)
  }

  #watchOf(turnId: string, known: false | undefined): Watch {
    const present = this.#watches.get(turnId)
    if (present !== undefined) return present
    const watch: Watch = { listeners: new Set(), held: new DisposableStack() }
    this.#watches.set(turnId, watch)
    const ask = () => void this.#ask(turnId, watch)
    const hear = (message: string) => {
      if (message === 'stop') this.notify(turnId)
      else this.drop(turnId)
    }
    const subscription = watch.held.use(this.#redis.subscribe(stopChannel(turnId), hear))
    watch.held.use(this.#redis.onGap(ask))
    // Also asked at once, because the turn may not exist.
    if (known === undefined) ask()
    subscription.ready.then(ask, () => {})
    return watch
  }

  async #ask(turnId: string, watch: Watch): Promise<void> {
    if (watch.held.disposed) return
    const isRequested = await orUnavailable(() => this.#store.isStopRequested(turnId))
    // After a failure the next message, reconnect or renewal brings the request.
    if (isRequested instanceof StoreUnavailable || this.#watches.get(turnId) !== watch) return
    if (isRequested === true) this.notify(turnId)
    if (isRequested === undefined && !this.#runsHere(turnId)) this.drop(turnId)
  }

  #end(turnId: string, watch: Watch): void {
    watch.listeners.clear()
    watch.held.dispose()
    if (this.#watches.get(turnId) === watch) this.#watches.delete(turnId)
  }
}
