// Opens the store of budgets. It never contains the id of a user: accounts are stored under names (`account-names.ts`).
import { pseudonymousBudgets } from '#adapters/pseudonymous/budgets.ts'
import { sqliteBudgets } from '#adapters/sqlite/budgets/budgets.ts'
import { renameAccounts } from '#adapters/sqlite/budgets/rename-accounts.ts'
import { ACCOUNT_PREFIX } from '../identity/account-names.ts'
import { redisOf } from './store-parts.ts'
import type { StoreTable } from './store-parts.ts'

export const budgetStores: StoreTable<'budgets'> = {
  async sqlite({ clock, database, nameOf }) {
    await renameAccounts(database, { nameOf, prefix: ACCOUNT_PREFIX })
    return pseudonymousBudgets({ budgets: sqliteBudgets({ database, clock }), nameOf })
  },
  async redis(parts) {
    const { redisBudgets } = await import('#adapters/redis/budgets/budgets.ts')
    return pseudonymousBudgets({ budgets: redisBudgets({ redis: redisOf(parts) }), nameOf: parts.nameOf })
  },
}
