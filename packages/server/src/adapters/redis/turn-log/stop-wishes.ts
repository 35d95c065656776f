// Who on this node waits for a stop of which turn. A wish comes as a message, is found in the turn when this node asks,
// or is told by the owner's renewal: a lost message delays it, no more. Each listener is told once.
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Redis } from '../client/connection.ts'
import { stopChannel } from './turn-store.ts'
import type { TurnStore } from './turn-store.ts'

interface Watch {
  readonly listeners: Set<() => void>
  readonly held: DisposableStack
}

interface StopWishesOptions {
  readonly redis: Redis
  readonly store: TurnStore
  /** Then it is there, even when the shared log does not know of it. */
  readonly runsHere: (turnId: string) => boolean
}

export class StopWishes {
  readonly #redis: Redis
  readonly #store: TurnStore
  readonly #runsHere: (turnId: string) => boolean
  readonly #watches = new Map<string, Watch>()

  constructor(options: StopWishesOptions) {
    this.#redis = options.redis
    this.#store = options.store
    this.#runsHere = options.runsHere
  }

  /** `known`: what is known here of the wish; undefined when it has to be asked for. */
  listen(turnId: string, listener: () => void, known: boolean | undefined): Disposable {
    const listeners = known === true ? new Set<() => void>() : this.#watchOf(turnId, known).listeners
    // Its own function, so that one listener registered twice is two registrations.
    const once = () => {
      if (listeners.delete(once)) listener()
    }
    listeners.add(once)
    // Not before this call returned: the listener may use what it is assigned to.
    if (known === true) queueMicrotask(once)
    return {
      [Symbol.dispose]: () => {
        listeners.delete(once)
        const watch = this.#watches.get(turnId)
        if (watch?.listeners === listeners && listeners.size === 0) this.#end(turnId, watch)
      },
    }
  }

  tell(turnId: string): void {
    const watch = this.#watches.get(turnId)
    if (watch === undefined) return
    for (const tell of watch.listeners) tell()
    this.#end(turnId, watch)
  }

  /** The turn has ended: nobody will be told. */
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
      if (message === 'stop') this.tell(turnId)
      else this.drop(turnId)
    }
    const subscription = watch.held.use(this.#redis.subscribe(stopChannel(turnId), hear))
    watch.held.use(this.#redis.onGap(ask))
    // At once as well: whether there is such a turn is a question of now.
    if (known === undefined) ask()
    subscription.ready.then(ask, () => {})
    return watch
  }

  async #ask(turnId: string, watch: Watch): Promise<void> {
    if (watch.held.disposed) return
    const isWished = await orUnavailable(() => this.#store.isStopWished(turnId))
    // After a failure the next message, reconnection or renewal tells.
    if (isWished instanceof StoreUnavailable || this.#watches.get(turnId) !== watch) return
    if (isWished === true) this.tell(turnId)
    if (isWished === undefined && !this.#runsHere(turnId)) this.drop(turnId)
  }

  #end(turnId: string, watch: Watch): void {
    watch.listeners.clear()
    watch.held.dispose()
    if (this.#watches.get(turnId) === watch) this.#watches.delete(turnId)
  }
}
