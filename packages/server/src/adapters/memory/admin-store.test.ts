// Holds the store of overrides in memory to the contract of its port.
import { adminStoreContract } from '#ports/admin-store/contract.ts'
import { memoryAdminStore } from './admin-store.ts'

adminStoreContract('memory admin store', async () => memoryAdminStore({ usersMax: 3 }))
