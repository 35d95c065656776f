// Assembles what is not a turn: sessions, the store's pages, a person's data, and what operators read and do.
import { chosenStores, IS_SHARED } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { Price } from '#domain/budget/money.ts'
import { rejectedIn } from '#domain/model/rejections.ts'
import type { Rejections } from '#domain/model/rejections.ts'
import type { ModelMeter } from '#domain/model-history/model-meter.ts'
import type { ClusterActivity } from '#domain/nodes/cluster-activity.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import { createAdminQueries } from '#services/admin.ts'
import { AUDIT_EVERY_MS, createBudgetAudit } from '#services/budget-audit.ts'
import { createBlockQueries } from '#services/operators/blocks.ts'
import type { Blocks } from '#services/operators/blocks.ts'
import { createCommerce } from '#services/commerce/commerce.ts'
import type { Commerce } from '#services/commerce/commerce.ts'
import { createCatalogueQueries } from '#services/catalogue.ts'
import { createConversationQueries } from '#services/operators/conversations.ts'
import { createDataQueries } from '#services/data.ts'
import { createEditionWatch } from '#services/editions.ts'
import type { EditionWatch } from '#services/editions.ts'
import { createFeedback } from '#services/feedback.ts'
import { createExperimentGuard, GUARD_EVERY_MS } from '#services/experiment-guard.ts'
import { createExperimentQueries } from '#services/experiments.ts'
import { createFeedbackQueries } from '#services/feedback-report.ts'
import { createHandoverQueries } from '#services/operators/handovers.ts'
import { createHandovers } from '#services/handovers.ts'
import { createFaqQuery } from '#services/faq.ts'
import { createLaneQueries } from '#services/lanes.ts'
import type { NodeWatch } from '#services/nodes.ts'
import { createModelHistoryQueries, HISTORY_EVERY_MS } from '#services/operators/model-history.ts'
import { createOperatorSessionQueries } from '#services/operators/operator-sessions.ts'
import { createOverview } from '#services/operators/overview.ts'
import { createRoutingProposal } from '#services/operators/routing-proposal.ts'
import { createPersonQueries } from '#services/person.ts'
import { createPrewarmRequests } from '#services/prewarm-requests.ts'
import { createProductQueries } from '#services/products.ts'
import type { Limits } from '#services/principal-limits.ts'
import { POLL_EVERY_MS } from '#services/operators/run-settings.ts'
import type { WatchedSettings } from '#services/operators/run-settings.ts'
import { createExplainSearch } from '#services/explain-search.ts'
import { createSessionQueries } from '#services/sessions.ts'
import { createSettingQueries } from '#services/operators/setting-queries.ts'
import { createTurnRecordQueries } from '#services/turn-records.ts'
import { createUsageQueries } from '#services/usage.ts'
import { createUserQuota } from '#services/user-quota.ts'
import { createWordSearch } from '#turn/context/word-search.ts'
import { isVendors } from '#turn/invocation/rung-context.ts'
import type { TurnRecorder } from '#turn/records/recorder.ts'
import type { Ports } from './app-ports.ts'
import type { Alarms } from './health/assemble-alarms.ts'
import type { Retrieval } from './assemble-context.ts'
import { followRounds } from './follow-rounds.ts'
import type { Costs } from './assemble-costs.ts'
import type { Ladder } from './ladder.ts'
import type { Round } from './upkeep.ts'

export type Admin = Alarms['queries'] &
  ReturnType<typeof createAdminQueries> &
  ReturnType<typeof createBlockQueries> &
  ReturnType<typeof createCatalogueQueries> &
  ReturnType<typeof createConversationQueries> &
  ReturnType<typeof createDataQueries> &
  ReturnType<typeof createExperimentQueries> &
  ReturnType<typeof createExplainSearch> &
  ReturnType<typeof createFeedbackQueries> &
  ReturnType<typeof createTurnRecordQueries> &
  ReturnType<typeof createUsageQueries> &
  ReturnType<typeof createHandoverQueries> &
  ReturnType<typeof createLaneQueries> &
  Pick<ReturnType<typeof createModelHistoryQueries>, 'modelsReport'> &
  ReturnType<typeof createOperatorSessionQueries> &
  ReturnType<typeof createOverview> &
  ReturnType<typeof createPrewarmRequests> &
  ReturnType<typeof createRoutingProposal> &
  ReturnType<typeof createSettingQueries> & { readonly nodes: NodeWatch['list'] }

export interface Services {
  readonly sessions: ReturnType<typeof createSessionQueries>
  readonly person: ReturnType<typeof createPersonQueries>
  readonly products: ReturnType<typeof createProductQueries>
  readonly faq: ReturnType<typeof createFaqQuery>
  readonly commerce: Commerce
  readonly feedback: ReturnType<typeof createFeedback>
  readonly handovers: ReturnType<typeof createHandovers>
  readonly admin: Admin
  readonly editions: EditionWatch
  readonly rounds: readonly Round[]
  /** Stores what waits. Never rejects. */
  close(): Promise<void>
}

export interface ServicesParts {
  readonly ladder: Ladder
  readonly limits: Limits
  readonly retrieval: Retrieval
  readonly lanes: Lanes
  readonly rejections: Pick<Rejections, 'all'>
  readonly recorder: TurnRecorder
  readonly nodes: NodeWatch
  readonly activity: ClusterActivity
  readonly modelMeter: ModelMeter
  readonly costs: Pick<Costs, 'estimates'>
  readonly settings: WatchedSettings & { readonly blocks: Blocks }
  readonly alarms: Pick<Alarms, 'queries'>
  /** Has this node prewarm the releases of a day. */
  readonly prewarming: { readonly ask: (day: string) => void }
}

const NAMES_EVERY_MS = 6 * 3_600_000
const SAMPLES_EVERY_MS = 3_600_000
const HANDOVERS_SWEPT_MAX = 1000
const EDITIONS_EVERY_MS = 10_000

export function createServices(ports: Ports, config: Config, parts: ServicesParts): Services {
  const { answers, budgets, carts, clock, deferred, ledger, orders, products, random, sessions, telemetry, turnLog } =
    ports
  const isShared = ports.live !== undefined
  const editions = createEditionWatch({ products, clock, telemetry, isShared, nodes: parts.nodes })
  const person = createPersonQueries({
    clock,
    random,
    sessions,
    turnLog,
    budgets,
    deferred,
    answers,
    ledger,
    carts,
    orders,
    handovers: ports.handovers,
    turnRecords: parts.recorder,
    config,
    ...(ports.samples === undefined ? {} : { samples: ports.samples }),
    ...(ports.scrub === undefined ? {} : { scrub: ports.scrub }),
  })
  const { limits, nodes, recorder, retrieval } = parts
  const published = async () => {
    // An import does not wait for the search index: the one before answers until it is built, and a failure is logged there.
    ports.search.refresh().catch(() => {})
    await retrieval.lookUp.warm()
    // Redis may be unavailable: the next round says it.
    await nodes.announce().catch(() => {})
  }
  const sessionQueries = createSessionQueries({ ...ports, config, turnRecords: recorder })
  const lanes = createLaneReports(ports, config, parts)
  return {
    sessions: sessionQueries,
    feedback: createFeedback({ clock, sessions, telemetry, turnLog, turnRecords: recorder }),
    handovers: createHandovers({
      ...ports,
      config,
      check: sessionQueries.check,
      note: (turnId) => void recorder.note(turnId, { handedOver: true }),
    }),
    person,
    products: createShelves(ports, config, retrieval),
    faq: createFaqQuery({ clock, entries: ports.faq.entries, config }),
    commerce: createCommerce({ ...ports, config }),
    admin: createAdmin(ports, config, { ...parts, ...lanes, person, published, transcript: sessionQueries.transcript }),
    close: () => lanes.modelHistory.store().catch(() => {}),
    editions,
    rounds: [
      { name: 'model-history', everyMs: HISTORY_EVERY_MS, work: lanes.modelHistory.store },
      { name: 'settings', everyMs: POLL_EVERY_MS, work: () => parts.settings.poll() },
      { name: 'editions', everyMs: EDITIONS_EVERY_MS, work: editions.check, by: 'leader' },
      ...followRounds(ports, published),
      {
        name: 'experiments',
        everyMs: GUARD_EVERY_MS,
        by: 'leader',
        work: createExperimentGuard({ ...ports, config, limits, turnRecords: recorder }),
      },
      {
        name: 'budget-audit',
        everyMs: AUDIT_EVERY_MS,
        by: 'leader',
        work: createBudgetAudit({ clock, config, ledger, budgets, limits, telemetry }),
      },
      sweepHandovers(ports),
      { name: 'names', everyMs: NAMES_EVERY_MS, work: () => person.forgetNames(), by: 'leader' },
      {
        name: 'samples',
        everyMs: SAMPLES_EVERY_MS,
        work: () => person.forgetSamples(),
        ...(IS_SHARED[chosenStores(config).samples] ? { by: 'leader' as const } : {}),
      },
    ],
  }
}

function sweepHandovers({ handovers }: Ports): Round {
  const work = () => handovers.sweep(HANDOVERS_SWEPT_MAX)
  return { name: 'handovers', everyMs: NAMES_EVERY_MS, by: 'leader', work }
}

/** The lanes for operators, and what the models did. */
function createLaneReports(
  ports: Ports,
  config: Config,
  { costs, ladder, lanes, modelMeter, nodes, rejections, retrieval }: ServicesParts,
) {
  const others = () => nodes.seen()?.nodes.filter(({ id }) => id !== ports.registry.self.id) ?? []
  const laneQueries = createLaneQueries({
    ...ports,
    lanes,
    models: ladder.list,
    nodeLanes: retrieval.nodeLanes,
    rejected: () => rejectedIn([rejections.all(), ...others().map((node) => node.rejected)]),
  })
  const modelHistory = createModelHistoryQueries({
    clock: ports.clock,
    config,
    history: ports.modelHistory,
    meter: modelMeter,
    node: ports.registry.self.id,
    models: ladder.list.map(({ lane, model, name, price }) => ({ name, id: model.id, lane, price })),
    asked: ladder.whole.filter(isVendors).map(({ name }) => name),
    estimatorOf: costs.estimates.statusOf,
    seenLanes: laneQueries.seenLanes,
  })
  return { laneQueries, modelHistory }
}

/** Through the turns' circuit: a search that is down delays no page, and forcing its circuit open applies here too. */
function createShelves({ clock, products, search }: Ports, config: Config, { circuits, lookUp }: Retrieval) {
  const { retrievalMs: ms } = sharesOf(config.answers.firstWordMs)
  return createProductQueries({
    clock,
    timeZone: config.store.timeZone,
    products,
    search: {
      find: (query, signal) => circuits.search.need({ ms, signal }, (own) => search.find(query, own)),
    },
    lookUp: (question, signal) =>
      circuits.search.need({ ms, signal }, (own) => lookUp.find({ ...question, history: [] }, own)),
  })
}

/** As the shelves: through the turns' circuit. */
function createExplained(ports: Ports, config: Config, { circuits, lookUp }: Retrieval) {
  const { embeddings, products, search, understanding } = ports
  const { retrievalMs: ms } = sharesOf(config.answers.firstWordMs)
  const words = createWordSearch({ search, products, lexicon: lookUp.lexicon, understanding })
  return createExplainSearch({
    products,
    embeddings,
    lookUp: ({ text: message, ...asked }, signal) =>
      circuits.search.need({ ms, signal }, (own) => lookUp.find({ ...asked, message, history: [] }, own)),
    words: (asked, signal) => circuits.search.need({ ms, signal }, (own) => words.find(asked, own)),
  })
}

/** Undefined for the built-in responder, and where no price is known. */
function vendorPrice(name: string, { models }: Config, { rungs }: Ladder): Price | undefined {
  return models[name]?.provider === 'embedded' ? undefined : rungs.get(name)?.model.facts?.price
}

function createAdmin(
  ports: Ports,
  config: Config,
  parts: ServicesParts &
    Pick<Services, 'person'> &
    ReturnType<typeof createLaneReports> & {
      readonly published: () => Promise<void>
      readonly transcript: Services['sessions']['transcript']
    },
): Admin {
  const { admin, backUp, budgets, clock, faq, ledger, products, random, sessions, telemetry } = ports
  const { laneQueries, limits, nodes, person, published, recorder } = parts
  const userQuota = createUserQuota({ clock, config, ledger, limits, budgets })
  return {
    ...createAdminQueries({ admin, clock, config, limits, sessions, budgets, telemetry, userQuota }),
    ...createBlockQueries({ admin, blocks: parts.settings.blocks, clock, limits, telemetry }),
    ...createUsageQueries({ clock, config, ledger }),
    ...createTurnRecordQueries({ clock, config, ledger, turnRecords: parts.recorder }),
    ...createHandoverQueries({ admin, clock, handovers: ports.handovers, telemetry }),
    ...createConversationQueries({ clock, config, sessions, transcript: parts.transcript }),
    ...createFeedbackQueries({ admin, clock, config, sessions, turnRecords: parts.recorder }),
    ...createCatalogueQueries({ admin, clock, faq, products, random, telemetry, published }),
    ...createExperimentQueries({ ...ports, config, limits, turnRecords: recorder }),
    ...createExplained(ports, config, parts.retrieval),
    ...createDataQueries({ admin, clock, person, ...(backUp === undefined ? {} : { backUp }) }),
    nodes: () => nodes.list(),
    ...createOperatorSessionQueries({ admin, clock, telemetry }),
    ...laneQueries,
    modelsReport: parts.modelHistory.modelsReport,
    ...createRoutingProposal({
      clock,
      telemetry,
      priced: {
        routing: config.routing,
        ladder: parts.ladder.names,
        priceOf: (name) => vendorPrice(name, config, parts.ladder),
      },
      turnRecords: recorder,
      bundledTurns: ports.bundledTurns ?? (async () => []),
    }),
    ...createOverview({
      ...ports,
      config,
      nodes,
      activity: parts.activity,
      seenLanes: laneQueries.seenLanes,
      mode: parts.settings.mode,
    }),
    ...createSettingQueries({ admin, clock, config, limits, telemetry, apply: () => parts.settings.poll() }),
    ...createPrewarmRequests({ ...ports, config, ask: parts.prewarming.ask }),
    ...parts.alarms.queries,
  }
}
