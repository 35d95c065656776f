// The Redis that the nodes of a simulated fleet share for the turn log and the lanes: the production scripts on an
// in-memory Redis that uses the world's clock, not a node's.
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import { MemoryRedis } from '../redis/memory-redis.ts'

const LANE = '{lane:'

export class SimulatedStore extends MemoryRedis {
  /** Loses data that is not written to disk: lanes and subscriptions. Turns, their leases and their index survive. */
  restart(): void {
    this.lose((key) => key.startsWith(LANE))
  }

  /**
   * Called when a caller got no answer: the script ran, will run, or never runs. A hook for stores that check
   * invariants.
   */
  unanswered(_script: Script, _keys: readonly string[]): void {}
}
