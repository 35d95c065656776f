// The Redis that the nodes of a simulated fleet share for the turn log and the lanes: the production scripts on an in-memory
// Redis, which has the world's clock, not a node's.
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import { MemoryRedis } from '../redis/memory-redis.ts'

const LANE = '{lane:'

export class SimulatedStore extends MemoryRedis {
  /** What is not written to disk is lost: lanes and subscriptions. Turns, their leases and their index stay. */
  restart(): void {
    this.lose((key) => key.startsWith(LANE))
  }

  /** A caller got no answer: the script was carried out, will be, or never is. For those who watch. */
  unanswered(_script: Script, _keys: readonly string[]): void {}
}
