// What the nodes of a simulated fleet share, in memory and on the world's clock: a store like Redis with the turn log and the
// lanes, and beside it every other shared port. A restart loses what is not written down, and says so here.
import { memoryAdminStore } from '#adapters/memory/admin-store.ts'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryDeferredStore } from '#adapters/memory/deferred-store.ts'
import { memoryEstimatorStore } from '#adapters/memory/estimator-store.ts'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryRateChunks } from '#adapters/memory/rate-chunks.ts'
import { memorySessionStore } from '#adapters/memory/session-store.ts'
import { memorySharedState } from '#adapters/memory/budgets.ts'
import { memorySpendChunks } from '#adapters/memory/spend-chunks.ts'
import type { Config } from '#config/config.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { RateChunks } from '#ports/rate-chunks/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { SharedState } from '#ports/budgets/port.ts'
import type { SpendChunks } from '#ports/spend-chunks/port.ts'
import { SimulatedStore } from './simulated-store.ts'

/** Stores in place of those that are made otherwise, such as ones that are watched. */
export type GivenStores = Partial<Pick<SharedStores, 'turnsAndLanes' | 'sessions' | 'state' | 'ledger'>>

export class SharedStores {
  readonly turnsAndLanes: SimulatedStore
  readonly sessions: SessionStore
  readonly state: SharedState
  readonly ledger: Ledger
  readonly admin: AdminStore
  readonly deferred: DeferredStore
  readonly estimators: EstimatorStore
  readonly #clock: Clock
  readonly #config: Config
  readonly spendChunks: SpendChunks
  #rateChunks: RateChunks
  #answers: AnswerCache

  constructor(clock: Clock, config: Config, given: GivenStores = {}) {
    this.#clock = clock
    this.#config = config
    this.turnsAndLanes = given.turnsAndLanes ?? new SimulatedStore(clock)
    this.sessions = given.sessions ?? memorySessionStore({ clock })
    this.state = given.state ?? memorySharedState({ clock })
    this.ledger = given.ledger ?? memoryLedger()
    this.admin = memoryAdminStore()
    this.deferred = memoryDeferredStore({ clock, limits: config.deferred })
    this.estimators = memoryEstimatorStore()
    this.spendChunks = memorySpendChunks({ clock })
    this.#rateChunks = memoryRateChunks({ clock })
    this.#answers = memoryAnswerCache({ clock, limits: config.answers })
  }

  get rateChunks(): RateChunks {
    return this.#rateChunks
  }

  get answers(): AnswerCache {
    return this.#answers
  }

  /**
   * Gone: lanes with their permits, rates of all nodes, cached answers, who listens to what. Kept: turns with their leases,
   * budgets and holds, conversations, the books, deferred questions, what operators set, what was learnt of tokenizers.
   */
  restart(): void {
    this.turnsAndLanes.restart()
    this.#rateChunks = memoryRateChunks({ clock: this.#clock })
    this.#answers = memoryAnswerCache({ clock: this.#clock, limits: this.#config.answers })
  }
}
