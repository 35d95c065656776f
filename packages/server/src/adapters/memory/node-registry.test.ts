// Runs the contract of the node registry in memory.
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { nodeRegistryContract } from '#ports/node-registry/contract.ts'
import { memoryNodeRegistry } from './node-registry.ts'

nodeRegistryContract('memory node registry', async () => {
  const [clock, entries] = [manualClock(), new Map()]
  return { clock, node: (self) => memoryNodeRegistry({ self, clock, entries }) }
})
