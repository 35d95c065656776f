// Refuses choices of `stores` that cannot work: a store without an address, and local data that a cluster must share.
import { chosenStores, IS_SHARED } from '../chosen-stores.ts'
import type { NodePort, StoredPort } from '../chosen-stores.ts'
import type { Config } from '../config.ts'
import type { SourceOf } from './check-shape.ts'
import { showGiven } from './problem.ts'
import type { ConfigProblem } from './problem.ts'

/** Why the nodes of a cluster must share the data of a port. A port that is not listed may be local to each node. */
const SHARED_BECAUSE: Readonly<Partial<Record<StoredPort | NodePort, string>>> = {
  sessions: 'any node may serve the next question of a conversation',
  turnLog: 'a reader or a takeover on another node must find the turn',
  budgets:
    'the turn log is shared, and the node that continues a turn must find its hold; a user would also have a budget on every node',
  spendChunks: 'every node would have the whole daily budget of the shop',
  ledger: 'a node that continues a turn must find what was booked, and usage, export and forget must see all of it',
  turnRecords: 'a thumb must find its turn on any node, and reports, export and forget must see all of them',
  admin: 'a changed limit would apply on one node only',
  lanes: 'a lane that an operator closes, and maintenance, would apply on one node only',
  answers: 'forget must also remove the answers that other nodes cached',
  deferred: 'the questions of a node that is lost would never be answered',
  handovers: 'the staff would see only the requests of one node, and a shopper could ask on each of them',
  modelHistory: 'operators would see the calls of one node only',
  alarms: 'every node would send the same messages',
  carts: 'a shopper would find another cart on every node',
  orders: 'an order would be found only on the node that placed it',
  tasks: 'every node would do, and pay for, the same prewarm',
}

/** The ports that DynamoDB can store, too. */
const IN_TABLES: ReadonlySet<StoredPort | NodePort> = new Set(['ledger', 'turnRecords'])

/** Settings whose own value is wrong (`isWrong`) are skipped: one mistake is reported once. */
export function checkStores(config: Config, isWrong: (path: string) => boolean, sourceOf: SourceOf): ConfigProblem[] {
  if (isWrong('stores') || isWrong('opensearch') || isWrong('state') || isWrong('state.redis')) return []
  const isCluster = config.state.redis !== undefined
  return Object.entries(chosenStores(config)).flatMap(([name, store]) => {
    const port = name as StoredPort | NodePort
    const path = `stores.${port}`
    if (isWrong(path)) return []
    const given = showGiven(path, store)
    if (store === 'redis' && !isCluster) {
      const fix = `Set state.redis (MANGA_STATE__REDIS) to the address of Redis, or remove ${sourceOf(path)}.`
      return [{ path, given, allowed: '"redis" only together with state.redis', fix }]
    }
    if (store === 'opensearch' && config.opensearch.node === undefined && !isWrong('opensearch.node')) {
      const fix = `Set opensearch.node (MANGA_OPENSEARCH__NODE) to its address, or remove ${sourceOf(path)}.`
      return [{ path, given, allowed: '"opensearch" only together with opensearch.node', fix }]
    }
    if (store === 's3' && config.s3.bucket === undefined && !isWrong('s3.bucket')) {
      const fix = `Set s3.bucket (MANGA_S3__BUCKET) to the name of a bucket, or remove ${sourceOf(path)}.`
      return [{ path, given, allowed: '"s3" only together with s3.bucket', fix }]
    }
    const why = SHARED_BECAUSE[port]
    if (!isCluster || why === undefined || IS_SHARED[store]) return []
    const fix = `Remove ${sourceOf(path)}: ${why}.`
    const shared = IN_TABLES.has(port) ? '"redis" or "dynamodb"' : '"redis"'
    return [{ path, given, allowed: `a store that all nodes share, because state.redis is set: ${shared}`, fix }]
  })
}
