// The parts from which stores are opened, and the type of the tables beside this file: for every store that a port's setting allows,
// how to open it. The adapter of a remote store is loaded only when it is opened, so that a process without that store does not load its client.
import type { OperableRedis } from '#adapters/redis/client/connection.ts'
import type { Database } from '#adapters/sqlite/files/database.ts'
import type { Ports } from '#app/app.ts'
import type { ChosenStores, StoredPort } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { SystemParts } from '../system.ts'
import type { SharedDynamo } from './open-dynamo.ts'

export interface StoreParts extends SystemParts {
  readonly config: Config
  /** Identifies this process; a restarted process has another one. */
  readonly nodeId: string
  /** The database in DATA_DIR. */
  readonly database: Database
  /** Absent when `state.redis` is not set: then no port may use Redis. */
  readonly redis?: OperableRedis
  readonly dynamo: SharedDynamo
  /** The name under which the account of a principal is stored. */
  readonly nameOf: (principalId: string) => string
  /** Stores add to it what must be closed with them. */
  readonly opened: AsyncDisposableStack
}

/** The ports that the nodes of a cluster share. */
export type Stores = Pick<Ports, StoredPort>

export type StoreTable<Port extends StoredPort> = Readonly<
  Record<ChosenStores[Port], (parts: StoreParts) => Promise<Ports[Port]>>
>

export function redisOf({ redis }: StoreParts): OperableRedis {
  if (redis === undefined)
    throw new TypeError('a port is on Redis and state.redis is not set: check-stores.ts refuses it')
  return redis
}
