// The connection of one node to the simulated store, as the production adapters know it: scripts and commands travel over the
// node's link, and so do the messages of channels, which are missed while nothing passes.
import { RedisUnavailable } from '@mangaassist/server/adapters/redis/client/connection'
import type { Redis } from '@mangaassist/server/adapters/redis/client/connection'
import type { Subscriber } from '../redis/memory-redis.ts'
import type { SimulatedStore } from './simulated-store.ts'
import type { StoreLink } from './store-link.ts'

export interface SimulatedRedis extends Redis {
  /** The node is dead: nobody listens any more. */
  hangUp(): void
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
        hear: (message) => link.hear(() => wanted.has(subscriber) && listener(message)),
      }
      wanted.set(subscriber, channel)
      const ready = link.ask('SSUBSCRIBE', () => {
        if (wanted.has(subscriber)) store.subscribe(channel, subscriber)
      })
      // Whoever does not wait for it learns of a failure by the gap check.
      ready.catch(() => {})
      return { ready, [Symbol.dispose]: () => leave(subscriber) }
    },
    troubledAt: () => link.troubledAt,
    onGap: (listener) => link.onGap(listener),
    hangUp() {
      lost[Symbol.dispose]()
      for (const subscriber of wanted.keys()) leave(subscriber)
    },
    async [Symbol.asyncDispose]() {
      this.hangUp()
    },
  }
}
