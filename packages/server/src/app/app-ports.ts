// Everything that the app is made from, by the name of its port. The wiring fills it in; the `assemble-` files name which
// part gets what.
import type { FaqWeights } from '@mangaassist/bookseller/catalogue/faq-weights'
import type { WordVectors } from '@mangaassist/bookseller/retrieval/word-vectors'
import type { ComplexityModel } from '@mangaassist/bookseller/understanding/complexity/model'
import type { UnderstandingModel } from '@mangaassist/bookseller/understanding/model/model'
import type { FigureSource } from '#domain/alarms/figures.ts'
import type { CurrentFaq } from '#domain/catalogue/current-faq.ts'
import type { SystemPrompts } from '#domain/prompt/system-prompts.ts'
import type { RecordedTurn } from '#domain/routing/replay.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { AdminStore } from '#ports/admin-store/port.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import type { AlarmSender } from '#ports/alarm-sender/port.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Carts } from '#stores/carts.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { HandoverRequests } from '#stores/handover-requests.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { ModelHistory } from '#ports/model-history/port.ts'
import type { NodeRegistry } from '#ports/node-registry/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { LiveProducts } from '#ports/product-store/shared.ts'
import type { RateChunks } from '#ports/rate-chunks/port.ts'
import type { SampleStore } from '#ports/sample-store/port.ts'
import type { EngineSearch } from '#ports/search/engine-search.ts'
import type { Search } from '#ports/search/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { SpendChunks } from '#ports/spend-chunks/port.ts'
import type { Tasks } from '#ports/tasks/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLines } from '#ports/telemetry/turn-lines.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'
import type { BackUp } from '#services/data.ts'

export interface Ports {
  /** Where the nodes agree on alarms. */
  readonly alarms: AlarmBoard
  /** How people are notified of alarms; absent: not at all. */
  readonly alarmSenders?: readonly AlarmSender[]
  /** The figures of this process that alarms are evaluated over; absent: none is evaluated. */
  readonly figures?: FigureSource
  readonly carts: Carts
  readonly orders: OrderBook
  /** What the models did in the last days. */
  readonly modelHistory: ModelHistory
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  /** Without what waits on this node: the app reads and writes them through its recorder. */
  readonly turnRecords: TurnRecords
  readonly budgets: Budgets
  readonly rateChunks: RateChunks
  readonly spendChunks: SpendChunks
  readonly ledger: Ledger
  readonly admin: AdminStore
  readonly products: ProductStore
  /** Keeps the catalogue of this node current; absent where no other node changes it. */
  readonly live?: LiveProducts
  readonly search: Search
  /** The same search, where a search engine is configured. */
  readonly engineSearch?: EngineSearch
  readonly faq: CurrentFaq
  readonly prompts: SystemPrompts
  /** The prompts of experiments' arms, by folder; absent where no arm has its own. */
  readonly armPrompts?: ReadonlyMap<string, SystemPrompts>
  /** The trained model that reads messages. */
  readonly understanding: UnderstandingModel
  /** The trained model that judges how complex a message is. */
  readonly complexity: ComplexityModel
  /** The turns that come with the program, the newest first: what routing would save is seen by them before the shop has its own. */
  readonly bundledTurns?: () => Promise<readonly RecordedTurn[]>
  /** Vectors of words; without them the FAQ is matched by its words alone. */
  readonly vectors?: WordVectors
  /** Meanings by an embedder; absent where none is configured. */
  readonly embeddings?: Embeddings
  /** The trained recognition of the bundled FAQ; another FAQ is learnt when it is read. */
  readonly faqWeights?: FaqWeights
  /** By configured name. */
  readonly models: ReadonlyMap<string, Model>
  /** The built-in responder, for questions that no model answers; absent when there is none. */
  readonly responder?: Model
  readonly telemetry: Telemetry
  /** The log lines of turns, for their records; absent: records have none. */
  readonly turnLines?: TurnLines
  /** Changes the level of the log; absent where nothing is logged. */
  readonly setLogLevel?: (level: 'debug' | 'info' | 'warn' | 'error' | 'silent') => void
  /**
   * The pseudonym of a principal in log lines and traces: the same on every node, and it cannot be reversed. Absent: they name no
   * user.
   */
  readonly pseudonymOf?: (principalId: string) => string
  readonly estimators: EstimatorStore
  readonly lanes: Lanes
  /** The circuits of this node's clients of remote stores. */
  readonly storeLanes?: readonly NodeLane[]
  /**
   * Whether other nodes may still hold writes that they could not make during an outage, so that absent data may appear
   * soon. Undefined where there is one node.
   */
  readonly isCatchingUp?: () => boolean
  readonly answers: AnswerCache
  readonly deferred: DeferredStore
  /** Requests of shoppers for a person. */
  readonly handovers: HandoverRequests
  /** The nodes of the cluster; on one machine this process alone. */
  readonly registry: NodeRegistry
  readonly tasks: Tasks
  /** Absent where no person is called. */
  readonly handover?: Handover
  /** Raw responses on this node; absent where none are stored. */
  readonly samples?: SampleStore
  /** Overwrites deleted rows that files still contain. */
  readonly scrub?: () => Promise<void>
  /** Writes a complete copy of this process's files; absent where the files are not all data. */
  readonly backUp?: BackUp
}
