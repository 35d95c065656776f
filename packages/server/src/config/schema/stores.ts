// Which store holds the data of each port that several nodes would share. A part of `config.ts`.
import Type from 'typebox'
import { section } from './section.ts'

const inFiles = Type.Optional(Type.Enum(['sqlite', 'redis']))
const inMemory = Type.Optional(Type.Enum(['memory', 'redis']))

export const storesShapes = {
  /**
   * Where each kind of data is. Absent: `redis` when `state.redis` is set, else the store of one process: `sqlite` in the data
   * folder, or `memory`. What cannot be right together is refused at the start (`check-stores.ts`).
   */
  stores: section({
    /** Conversations. */
    sessions: inFiles,
    /** Answers in flight, their leases and their text. */
    turnLog: inFiles,
    /** Budgets and rates of users, holds, idempotency keys. */
    budgets: inFiles,
    /** Rates of the whole shop. */
    rateChunks: inMemory,
    /** What the whole shop spends in a day. */
    spendChunks: inFiles,
    ledger: inFiles,
    /** What operators changed, and the audit. */
    admin: inFiles,
    /** What was learnt of each model's tokens. */
    estimators: inFiles,
    /** Permits to call a model, circuits, maintenance. */
    lanes: inMemory,
    /** Answers that may be given again. */
    answers: inMemory,
    /** Questions that wait for a model to return. */
    deferred: inFiles,
  }),
}

export const storesDefaults = { stores: {} }
