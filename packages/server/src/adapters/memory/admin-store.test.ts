// Runs the contract of the admin store on memory.
import { adminStoreContract } from '#ports/admin-store/contract.ts'
import { memoryAdminStore } from './admin-store.ts'

adminStoreContract('memory admin store', async () => memoryAdminStore({ usersMax: 3, settingsMax: 3 }))
