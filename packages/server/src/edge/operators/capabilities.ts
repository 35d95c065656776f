// Which optional parts this server has, by its configuration: the console leaves out the screens of the others.
import type { Capabilities } from '@mangaassist/protocol/admin'
import { chosenStores, IS_SHARED } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'

export function capabilitiesOf(config: Config): Capabilities {
  return {
    cluster: config.state.redis !== undefined,
    experiments: Object.keys(config.experiments.list).length > 0,
    handover: config.store.handover !== undefined,
    prewarm: config.store.prewarm.enabled,
    routing: config.routing.enabled,
    vendorModels: Object.keys(config.models).length > 0,
    sharedCatalogue: IS_SHARED[chosenStores(config).products],
  }
}
