// The store of each kind of shared data, for `doctor`.
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { Finding } from './checks.ts'

export function describeStores(config: Config): Finding {
  const byStore = Map.groupBy(Object.entries(chosenStores(config)), ([, store]) => store)
  const detail = [...byStore].map(([store, of]) => `${of.map(([port]) => port).join(', ')} in ${store}`).join('; ')
  return { check: 'stores', ok: true, detail }
}
