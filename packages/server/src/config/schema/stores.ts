// The store of each port whose data several nodes can share. A part of `config.ts`.
import Type from 'typebox'
import { section } from './section.ts'

const inFiles = Type.Optional(Type.Enum(['sqlite', 'redis']))
const inFilesOrTables = Type.Optional(Type.Enum(['sqlite', 'redis', 'dynamodb']))
const ofNodes = Type.Optional(Type.Enum(['sqlite', 'dynamodb']))
const inMemory = Type.Optional(Type.Enum(['memory', 'redis']))

export const storesShapes = {
  /**
   * The store of each kind of data. Default: `redis` when `state.redis` is set, else the store of one process: `sqlite`
   * in the data folder, or `memory`. Combinations that cannot work are refused at the start (`check-stores.ts`).
   */
  stores: section({
    /** Conversations. */
    sessions: inFilesOrTables,
    /** Answers in flight, their leases and their text. */
    turnLog: inFiles,
    /** Budgets and rates of users, holds, idempotency keys. */
    budgets: inFiles,
    /** Rates of the whole shop. */
    rateChunks: inMemory,
    /** The daily ceilings of the whole shop. */
    spendChunks: inFiles,
    /** Usage and cost. */
    ledger: inFilesOrTables,
    /** What is kept of each ended turn, for operators and experiments. */
    turnRecords: inFilesOrTables,
    /** Overrides of operators, and the audit. */
    admin: inFiles,
    /** What the token counters have learnt about each model. */
    estimators: inFiles,
    /** Permits, circuits, maintenance. */
    lanes: inMemory,
    /** Cached answers. */
    answers: inMemory,
    /** Deferred questions. */
    deferred: inFiles,
    /** Requests of shoppers for a person. */
    handovers: inFiles,
    /** Work that one node does at a time, such as the prewarm: leases and progress. */
    tasks: inMemory,
    /** Which alarms fire, which of them people were notified of, and silences. */
    alarms: inFiles,
    /** The carts of shoppers. */
    carts: inFiles,
    /** The orders of the demo order book. */
    orders: inFiles,
    /** What the models did in the last days: calls, faults, changes of lanes. */
    modelHistory: inFiles,
    /** The catalogue and the FAQ. With `dynamodb` all nodes share one, and each follows it with a copy of its own. */
    products: ofNodes,
    /** What chooses the products that are ranked. With `opensearch` each node has an index of its own too, as a fallback. */
    search: Type.Optional(Type.Enum(['sqlite', 'opensearch'])),
    /** Samples of vendors' raw responses. With `s3` all nodes share a bucket. */
    samples: Type.Optional(Type.Enum(['files', 's3'])),
  }),
}

export const storesDefaults = { stores: {} }
