// Runs the contract of lanes on one process.
import { lanesContract } from '#ports/lanes/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { random, LANES_LEASE_MS, testPolicies } from '#fixtures/lanes/shared-lanes.ts'
import { memoryLanes } from './lanes.ts'

lanesContract('memory lanes', async () => {
  const clock = manualClock()
  return { lanes: memoryLanes({ clock, random, policies: testPolicies, leaseMs: LANES_LEASE_MS }), clock }
})
