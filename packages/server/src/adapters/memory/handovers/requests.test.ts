// Runs the contract of the requests for a person in memory.
import { handoverRequestsContract } from '#ports/handover-requests/contract.ts'
import type { HandoverRequest } from '#ports/handover-requests/port.ts'
import { memoryHandoverRequests } from './requests.ts'

handoverRequestsContract('memory handover requests', async () => {
  const kept = new Map<string, HandoverRequest>()
  return { store: memoryHandoverRequests(kept), reopen: async () => memoryHandoverRequests(kept) }
})
