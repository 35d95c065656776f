// The connection of one node to the simulated store, with the interface that the production adapters use: scripts,
// commands and channel messages travel over the node's link. Messages are lost while the link is cut.
import { RedisUnavailable } from '@mangaassist/server/adapters/redis/client/connection'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import type { Subscriber } from '../redis/memory-redis.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { StoreLink } from './store-link.ts'

export interface SimulatedRedis extends Redis {
  /** Ends every subscription: the node is dead. */
  disconnect(): void
}

export function simulatedRedis(store: SimulatedStore, link: StoreLink): SimulatedRedis {
  const wanted = new Map<Subscriber, string>()
  const lost = link.onGap(() => {
    for (const [subscriber, channel] of wanted) store.subscribe(channel, subscriber)
  })
  const leave = (subscriber: Subscriber) => {
    const channel = wanted.get(subscriber)
    if (channel === undefined) return
    wanted.delete(subscriber)
    store.unsubscribe(channel, subscriber)
  }
  return {
    run(script, keys, args) {
      const answer = link.call(script.name, () => store.run(script, keys, args))
      answer.catch((error: unknown) => {
        if (error instanceof RedisUnavailable && error.mayHaveHappened) store.unanswered(script, keys)
      })
      return answer
    },
    command: (_, ...args) => link.call(args[0] ?? '', () => store.command(args)),
    subscribe(channel, listener) {
      const subscriber: Subscriber = {
        receive: (message) => link.deliver(() => wanted.has(subscriber) && listener(message)),
      }
      wanted.set(subscriber, channel)
      const ready = link.ask('SSUBSCRIBE', () => {
        if (wanted.has(subscriber)) store.subscribe(channel, subscriber)
      })
      // A caller that does not await `ready` learns of a failure from the gap listener.
      ready.catch(() => {})
      return { ready, [Symbol.dispose]: () => leave(subscriber) }
    },
    troubledAt: () => link.troubledAt,
    onGap: (listener) => link.onGap(listener),
    disconnect() {
      lost[Symbol.dispose]()
      for (const subscriber of wanted.keys()) leave(subscriber)
    },
    async [Symbol.asyncDispose]() {
      this.disconnect()
    },
  }
}
