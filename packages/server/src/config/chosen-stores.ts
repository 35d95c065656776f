// The store of each port, as the configuration chooses it: `state.redis` makes Redis the default of every shared port,
// and `stores` changes single ones.
import type { Config } from './config.ts'

/** The ports that each node opens for itself, in files of its own or in a store that is not Redis. */
export type NodePort = 'products' | 'search' | 'samples'
/** The ports whose data the nodes of a cluster share, or one process stores by itself. */
export type StoredPort = Exclude<keyof Config['stores'], NodePort>
export type ChosenStores = { readonly [Port in StoredPort | NodePort]-?: NonNullable<Config['stores'][Port]> }

/** Whether the nodes of a cluster share the store; the compiler asks for a new one. */
export const IS_SHARED: Readonly<Record<ChosenStores[StoredPort | NodePort], boolean>> = {
  sqlite: false,
  memory: false,
  redis: true,
  dynamodb: true,
  opensearch: true,
  files: false,
  s3: true,
}

const OF_ONE_PROCESS: ChosenStores = {
  sessions: 'sqlite',
  turnLog: 'sqlite',
  budgets: 'sqlite',
  rateChunks: 'memory',
  spendChunks: 'sqlite',
  ledger: 'sqlite',
  turnRecords: 'sqlite',
  admin: 'sqlite',
  estimators: 'sqlite',
  lanes: 'memory',
  answers: 'memory',
  deferred: 'sqlite',
  handovers: 'sqlite',
  tasks: 'memory',
  alarms: 'sqlite',
  carts: 'sqlite',
  orders: 'sqlite',
  modelHistory: 'sqlite',
  products: 'sqlite',
  search: 'sqlite',
  samples: 'files',
}

const OF_A_CLUSTER: ChosenStores = {
  sessions: 'redis',
  turnLog: 'redis',
  budgets: 'redis',
  rateChunks: 'redis',
  spendChunks: 'redis',
  ledger: 'redis',
  turnRecords: 'redis',
  admin: 'redis',
  estimators: 'redis',
  lanes: 'redis',
  answers: 'redis',
  deferred: 'redis',
  handovers: 'redis',
  tasks: 'redis',
  alarms: 'redis',
  carts: 'redis',
  orders: 'redis',
  modelHistory: 'redis',
  products: 'sqlite',
  search: 'sqlite',
  samples: 'files',
}

export function chosenStores({ state, stores }: Pick<Config, 'state' | 'stores'>): ChosenStores {
  return { ...(state.redis === undefined ? OF_ONE_PROCESS : OF_A_CLUSTER), ...stores }
}
