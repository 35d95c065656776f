// The stores that the nodes of a simulated fleet share, in memory and on the world's clock: an in-memory Redis with the
// turn log and the lanes, and every other shared port. `restart()` loses what a real restart would lose.
import { memoryAdminStore } from '@mangaassist/server/adapters/memory/admin-store'
import { memoryAlarmBoard } from '@mangaassist/server/adapters/memory/alarms/board'
import { memoryAnswerCache } from '@mangaassist/server/adapters/memory/answer-cache'
import { memoryDeferredStore } from '@mangaassist/server/adapters/memory/deferred-store'
import { memoryEstimatorStore } from '@mangaassist/server/adapters/memory/estimator-store'
import { memoryLedger } from '@mangaassist/server/adapters/memory/ledger'
import { memoryRecords } from '@mangaassist/server/adapters/memory/records'
import { memoryModelHistory } from '@mangaassist/server/adapters/memory/model-history/model-history'
import { memoryRateChunks } from '@mangaassist/server/adapters/memory/rate-chunks'
import { memorySessionStore } from '@mangaassist/server/adapters/memory/session-store'
import { memoryBudgets } from '@mangaassist/server/adapters/memory/budgets'
import type { NodeEntries } from '@mangaassist/server/adapters/memory/node-registry'
import { memoryTasks } from '@mangaassist/server/adapters/memory/tasks'
import { memorySpendChunks } from '@mangaassist/server/adapters/memory/spend-chunks'
import { memoryTurnRecords } from '@mangaassist/server/adapters/memory/turn-records'
import type { Config } from '@mangaassist/server/config/config'
import type { AdminStore } from '@mangaassist/server/ports/admin-store/port'
import type { AlarmBoard } from '@mangaassist/server/ports/alarm-board/port'
import type { AnswerCache } from '@mangaassist/server/ports/answer-cache/port'
import { createCarts } from '@mangaassist/server/stores/carts'
import type { Carts } from '@mangaassist/server/stores/carts'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { createHandoverRequests } from '@mangaassist/server/stores/handover-requests'
import type { HandoverRequests } from '@mangaassist/server/stores/handover-requests'
import type { DeferredStore } from '@mangaassist/server/ports/deferred-store/port'
import type { EstimatorStore } from '@mangaassist/server/ports/estimator-store/port'
import type { Ledger } from '@mangaassist/server/ports/ledger/port'
import { createOrderBook } from '@mangaassist/server/stores/order-book'
import type { OrderBook } from '@mangaassist/server/stores/order-book'
import type { ModelHistory } from '@mangaassist/server/ports/model-history/port'
import type { RateChunks } from '@mangaassist/server/ports/rate-chunks/port'
import type { SessionStore } from '@mangaassist/server/ports/session-store/port'
import type { Budgets } from '@mangaassist/server/ports/budgets/port'
import type { SpendChunks } from '@mangaassist/server/ports/spend-chunks/port'
import type { Tasks } from '@mangaassist/server/ports/tasks/port'
import type { TurnRecords } from '@mangaassist/server/ports/turn-records/port'
import { SimulatedStore } from './simulated-store.ts'

const DAY_MS = 86_400_000

/** Stores that replace the default ones, for example stores that record every call for a check. */
export type GivenStores = Partial<Pick<SharedStores, 'turnsAndLanes' | 'sessions' | 'budgets' | 'ledger'>>

export class SharedStores {
  readonly turnsAndLanes: SimulatedStore
  readonly sessions: SessionStore
  readonly budgets: Budgets
  readonly ledger: Ledger
  readonly admin: AdminStore
  readonly deferred: DeferredStore
  readonly handovers: HandoverRequests
  readonly turnRecords: TurnRecords
  readonly estimators: EstimatorStore
  readonly alarms: AlarmBoard
  readonly carts: Carts
  readonly orders: OrderBook
  readonly modelHistory: ModelHistory
  readonly #clock: Clock
  readonly #config: Config
  readonly spendChunks: SpendChunks
  #rateChunks: RateChunks
  #answers: AnswerCache
  #tasks: Tasks
  #nodes: NodeEntries = new Map()

  constructor(clock: Clock, config: Config, given: GivenStores = {}) {
    const records = memoryRecords({ clock })
    this.#clock = clock
    this.#config = config
    this.turnsAndLanes = given.turnsAndLanes ?? new SimulatedStore(clock)
    this.sessions = given.sessions ?? memorySessionStore({ clock })
    this.budgets = given.budgets ?? memoryBudgets({ clock })
    this.ledger = given.ledger ?? memoryLedger()
    this.admin = memoryAdminStore()
    this.deferred = memoryDeferredStore({ clock, limits: config.deferred })
    this.handovers = createHandoverRequests({ records })
    this.turnRecords = memoryTurnRecords({ clock })
    this.estimators = memoryEstimatorStore()
    this.alarms = memoryAlarmBoard({ clock })
    this.carts = createCarts({ records, keepMs: config.retention.cartsDays * DAY_MS })
    this.orders = createOrderBook({ records, keepMs: config.retention.ordersDays * DAY_MS })
    this.modelHistory = memoryModelHistory({ clock })
    this.spendChunks = memorySpendChunks({ clock })
    this.#rateChunks = memoryRateChunks({ clock })
    this.#answers = memoryAnswerCache({ clock, limits: config.answers })
    this.#tasks = memoryTasks({ clock })
  }

  get rateChunks(): RateChunks {
    return this.#rateChunks
  }

  get answers(): AnswerCache {
    return this.#answers
  }

  get tasks(): Tasks {
    return this.#tasks
  }

  /** The registered nodes. */
  get nodes(): NodeEntries {
    return this.#nodes
  }

  /** The clock of the store, which leases use. */
  get clock(): Clock {
    return this.#clock
  }

  /**
   * Loses lanes with their permits, shared rates, cached answers, tasks, the registry of nodes and subscriptions. Keeps turns with their leases,
   * budgets and holds, sessions, the ledger, turn records, carts, orders, deferred questions, operators' overrides and the token estimators.
   */
  restart(): void {
    this.turnsAndLanes.restart()
    this.#rateChunks = memoryRateChunks({ clock: this.#clock })
    this.#answers = memoryAnswerCache({ clock: this.#clock, limits: this.#config.answers })
    this.#tasks = memoryTasks({ clock: this.#clock })
    this.#nodes = new Map()
  }
}
