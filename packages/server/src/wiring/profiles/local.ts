// The profile of one machine: persistent data in SQLite under DATA_DIR, the rest in the process, and the configured models.
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { resilientLedger } from '#resilience/ledger.ts'
import { accountNamer } from '../identity/account-names.ts'
import { cookieKeysIn } from '../identity/cookie-keys.ts'
import { nodeFacts } from '../node-facts.ts'
import { sharedDynamo } from '../stores/open-dynamo.ts'
import { openStores } from '../stores/open-stores.ts'
import type { Wiring, WiringParts } from '../wiring.ts'
import { requestedBackUp } from './back-up.ts'
import { openNode } from './node.ts'

export async function wireLocal(config: Config, parts: WiringParts): Promise<Wiring> {
  await using opened = new AsyncDisposableStack()
  const dynamo = sharedDynamo(config, parts, opened)
  const node = opened.use(await openNode(config, parts, dynamo))
  const { database } = node
  const { clock, env, random, telemetry } = parts
  const nodeId = random.id('node')
  const registry = memoryNodeRegistry({ self: nodeFacts(nodeId, clock), clock })
  // The key of the folder, not the cookie key: a new cookie key would give every user a new budget.
  const nameOf = accountNamer(node.cookieKey)
  const stores = await openStores({
    config,
    clock,
    random,
    telemetry,
    nodeId,
    database,
    dynamo,
    nameOf,
    opened,
  })
  // In the data folder it is as available as everything else.
  const isLedgerRemote = chosenStores(config).ledger !== 'sqlite'
  const ledger = isLedgerRemote
    ? opened.use(resilientLedger({ ledger: stores.ledger, clock, telemetry }))
    : stores.ledger
  const scrub = async () => void database.truncateLog()
  const keep = opened.move()
  return {
    ports: {
      ...node.ports,
      ...stores,
      ledger,
      registry,
      pseudonymOf: nameOf,
      storeLanes: dynamo.lanes(),
      backUp: requestedBackUp(config),
      scrub,
    },
    cookieKeys: cookieKeysIn(env) ?? [node.cookieKey],
    probes: node.probes,
    optionalProbes: dynamo.probes(),
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}
