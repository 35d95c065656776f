// Runs the contract of the requests for a person on every store of records.
import { everyRecordStore } from '#fixtures/stores/record-stores.ts'
import { handoverRequestsContract } from './handover-requests.contract.ts'
import { createHandoverRequests } from './handover-requests.ts'

for (const [technology, open] of everyRecordStore())
  handoverRequestsContract(`${technology} handover requests`, async (context, clock) => {
    const { records, reopen } = await open(context, clock)
    const store = createHandoverRequests({ records })
    return { store, reopen: async () => createHandoverRequests({ records: await reopen() }) }
  })
