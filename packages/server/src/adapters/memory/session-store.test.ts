// Runs the contract of the session store on memory.
import { sessionStoreContract } from '#ports/session-store/contract.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { memorySessionStore } from './session-store.ts'

sessionStoreContract('memory session store', async () => {
  const clock = manualClock()
  return { store: memorySessionStore({ clock }), clock }
})
