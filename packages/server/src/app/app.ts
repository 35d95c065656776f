// The app: what the doors may call. createApp(ports, config) assembles its parts in the order in which they need each
// other. It knows no technology: the wiring passes the adapters.
import type {
  ErrorCode,
  HandoverPreview,
  HandoverView,
  FeedbackRequest,
  FeedbackView,
  Language,
  OpenedRequest,
  ProductDetail,
  QuotaView,
  SessionDetail,
} from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { ActivityMeter } from '#domain/nodes/activity.ts'
import { ModelMeter } from '#domain/model-history/model-meter.ts'
import { quotaView } from '#domain/budget/quota-view.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Commerce } from '#services/commerce/commerce.ts'
import type { Blocks } from '#services/operators/blocks.ts'
import type { EditionReport } from '#services/editions.ts'
import type { FaqView } from '#services/faq.ts'
import type { HandoverAsked } from '#services/handovers.ts'
import type { Erased } from '#services/person.ts'
import type { NodeWatch } from '#services/nodes.ts'
import { createPrincipalLimits } from '#services/principal-limits.ts'
import type { CoverFacts, ProductsPage, ProductsQuery } from '#services/products.ts'
import type { FrontShelves } from '#services/storefront/front.ts'
import type { SessionPage, TurnsAsked } from '#services/sessions.ts'
import { createUserQuota } from '#services/user-quota.ts'
import type { RateTaking } from '#turn/admission/leased-rates.ts'
import { createLexicon } from '#turn/context/lexicon.ts'
import { createLookUp } from '#turn/context/look-up.ts'
import { createWordSearch } from '#turn/context/word-search.ts'
import { createReaderCounts } from '#turn/records/reader-counts.ts'
import type { ReaderCounts } from '#turn/records/reader-counts.ts'
import { createTurnRecorder } from '#turn/records/recorder.ts'
import type { TurnRecorder } from '#turn/records/recorder.ts'
import { createRefusalSums } from '#turn/records/refusal-sums.ts'
import type { RefusalSums } from '#turn/records/refusal-sums.ts'
import { createRoute } from '#turn/routing/route.ts'
import type { Ports } from './app-ports.ts'
import { createAsking } from './asking.ts'
import type { Accepted, Asking } from './asking.ts'
import { createAlarms } from './health/assemble-alarms.ts'
import type { Alarms } from './health/assemble-alarms.ts'
import { createAnswering } from './assemble-answering.ts'
import { createRetrieval } from './assemble-context.ts'
import { createCosts } from './assemble-costs.ts'
import { createDeferredQuestions } from './assemble-deferred.ts'
import type { DeferredQuestions } from './assemble-deferred.ts'
import { createEmbedding } from './assemble-embedding.ts'
import { createExperiments } from './assemble-experiments.ts'
import { createHouseCalls } from './assemble-house-calls.ts'
import { createLaneAccess } from './assemble-lanes.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import { createNodes } from './assemble-nodes.ts'
import { createPrewarming } from './assemble-prewarm.ts'
import { createRouting } from './assemble-routing.ts'
import { createServices } from './assemble-services.ts'
import type { Admin, Services } from './assemble-services.ts'
import { createTurns } from './assemble-turns.ts'
import type { Turns } from './assemble-turns.ts'
import { createSettings } from './assemble-settings.ts'
import { createEntryGate } from './entry-gate.ts'
import type { EntryGate } from './entry-gate.ts'
import { createHealth } from './health/assemble-health.ts'
import type { Health } from './health/assemble-health.ts'
import type { Figures } from './health/gauges.ts'
import { createLeaving } from './leaving.ts'
import type { Leaving } from './leaving.ts'
import { createLadder, hasResponder, modelsAllowed } from './ladder.ts'
import { Pressure } from './pressure/pressure.ts'
import { createTurnAccess } from './turn-access.ts'
import type { HeldText, Opening, TurnAccess, TurnFrame } from './turn-access.ts'
import { createUpkeep } from './upkeep.ts'

export type { Accepted, Admin, HeldText, Opening, Ports, TurnFrame }
/** For commands without a server. */
export { createLexicon, createLookUp, createPrincipalLimits, createUserQuota, createWordSearch }
export type { FindUserQuota, UserQuota } from '#services/user-quota.ts'
export type { LookUp } from '#turn/context/look-up.ts'
export type { WordSearch } from '#turn/context/word-search.ts'

export interface App extends Pick<Asking, 'chat' | 'complete'>, TurnAccess, Pick<Figures, 'running' | 'waiting'> {
  /** The configured models that a principal may use with `complete`. */
  models(principal: Principal): readonly { readonly name: string; readonly id: string; readonly vendor: string }[]
  /** Takes the rate of a connection; the caller returns it if it refuses the connection. Throws a Refusal. */
  connect(): Promise<RateTaking>
  quota(principal: Principal): Promise<QuotaView>
  /** A page of sessions; `after` is the `next` of the previous page. */
  sessions(principal: Principal, after?: string): Promise<SessionPage>
  /** A page of its turns, the newest by default. */
  session(principal: Principal, sessionId: string, asked?: TurnsAsked): Promise<SessionDetail>
  removeSession(principal: Principal, sessionId: string): Promise<void>
  /** Sets the thumb of an ended turn, or takes it back. Throws NOT_FOUND for another principal's, SESSION_BUSY while it runs. */
  setFeedback(principal: Principal, turnId: string, request: FeedbackRequest): Promise<FeedbackView>
  /** Counts a card that was opened. Throws like `setFeedback`. */
  cardOpened(principal: Principal, turnId: string, opened: OpenedRequest): Promise<void>
  /** The desk, when it answers, and what it would get. Throws NOT_FOUND for another principal's conversation. */
  previewHandover(principal: Principal, sessionId: string, language: Language): Promise<HandoverPreview>
  /** Stores a request for a person, or returns the one that is not closed yet. Throws RATE_LIMITED. */
  askForPerson(principal: Principal, sessionId: string, asked: HandoverAsked): Promise<HandoverView>
  /** All stored data of the principal, as JSON. */
  exportMe(principal: Principal): ReturnType<Services['person']['exportPerson']>
  /** Erases the data, and reports what was removed and what stays. */
  eraseMe(principal: Principal): Promise<Erased>
  /** For staff with a signed link; in the audit. Throws NOT_FOUND. */
  transcript(sessionId: string): Promise<SessionDetail>
  /** The user adopts the guest's conversations, including a running answer, the cart and the orders. Idempotent. */
  adopt(guestId: string, user: Principal): Promise<void>
  /** A page of the catalogue, or of search results. */
  products(query: ProductsQuery, signal: AbortSignal): Promise<ProductsPage>
  /** Throws NOT_FOUND. */
  product(id: string, language: Language, signal: AbortSignal): Promise<ProductDetail>
  /** The shelves of the front page, today. */
  front(language: Language): Promise<FrontShelves>
  /** Undefined for a series that is not in the catalogue. */
  coverFacts(id: string): Promise<CoverFacts | undefined>
  /** The ids of all series. */
  seriesIds(): Promise<readonly string[]>
  /** Today in the shop's time zone, `YYYY-MM-DD`. */
  shopDay(): string
  faq(language: Language): FaqView
  /** The cart and the orders of a principal. */
  readonly commerce: Commerce
  /** For operators: the caller has verified that the request comes from one. */
  readonly admin: Admin
  /** The state of each model and lane, for `/readyz`. */
  readonly health: Health['report']
  readonly exportGauges: Health['exportGauges']
  /** The edition of the catalogue, and whether other nodes have another one. */
  readonly editions: () => Promise<EditionReport>
  /** Counts a refusal of the doors, for the overview. */
  noteRefusal(code: ErrorCode): void
  /** Records a refused request, behind it: those of one principal and limit within seconds are summed. */
  readonly recordRefusal: RefusalSums['note']
  /** The pressure on this node, for the doors to report. */
  readonly pressure: Pressure
  /**
   * Starts background work: takeovers, expiry, probes, and the rounds of every part. `connections` says how many clients the doors
   * have, for the registry of nodes.
   */
  start(connections?: () => number): void
  /** Applies what operators had set before: the mode, and lanes that they had forced or disabled. Must precede the first request; never rejects. */
  prepare(): Promise<void>
  /** Reads the names of the catalogue, which the first question would have to wait for. Never rejects. */
  warm(): Promise<void>
  /** The end of this node: a lame duck, then a drain. */
  readonly leaving: Leaving
  /** Only the drain. */
  drain(): Promise<void>
}

export function createApp(ports: Ports, config: Config): App {
  const { budgets, clock, random, rateChunks, telemetry } = ports
  const ladder = createLadder(config, ports.models)
  const pressure = new Pressure()
  const meter = new ActivityMeter(() => clock.now())
  const modelMeter = new ModelMeter()
  const { readers, recorder } = createMeteredRecorder(ports, meter, modelMeter)
  const costs = createCosts(ports, config, meter)
  const { estimates, limits } = costs
  const retrieval = createRetrieval(ports, config)
  const settings = createSettings(ports, config, { limits, ladder })
  const canAnswer = () => hasResponder(ports, ladder) && deferred.hasRoom()
  const nodeCount = () => nodes.watch.seen()?.nodes.length ?? 1
  const laneParts = { ...retrieval, ladder, pressure, settings, modelMeter, canAnswer, nodes: nodeCount }
  const access = createLaneAccess(ports, config, laneParts)
  const { lanes, queue, rejections } = access
  const house = createHouseCalls(ports, config, { ladder, costs, access, settings })
  const { houseCall, modelReturn, summaries } = house
  const gate = createEntryGate({ clock, random, telemetry, rateChunks, settings, queue, pressure, config })
  const experiments = createExperiments(ports, config, { limits, recorder, settings })
  const router = createRouting(ports, config, { ladder, access, experiments })
  const { names, rungs } = ladder
  const { isPressed } = access
  const route = createRoute({ config, prompts: ports.prompts, rungs, ladder: names, estimates, router, isPressed })
  const answering = createAnswering(ports, config, { ladder, costs, access, houseCall, recorder, retrieval, settings })
  const stages = { ladder, access, costs, experiments, retrieval, gate, answering, route, settings }
  const refusals = createRefusalSums({ clock, random: ports.random, recorder, node: ports.registry.self.id })
  const turns = createTurns(ports, config, { ...stages, remember: summaries.remember, recorder, refusals })
  const { expectedMs } = answering
  const { blocks } = settings
  const asking = createAsking({ budgets, clock, config, limits, gate, queue, turns, expectedMs, blocks, meter })
  const deferred = createDeferredQuestions(ports, config, { modelReturn, ask: asking.chat })
  const nodes = createNodes(ports, { ...gate, queue, meter, rejections })
  const { activity, watch } = nodes
  const used = { ladder, access, retrieval, answering, route, draining: gate.draining, nodes: watch, settings }
  const prewarming = createPrewarming(ports, config, used)
  const alarms = createAlarms(ports, config, watch)
  const seen = { ladder, lanes, rejections, recorder, nodes: watch, activity, modelMeter }
  const services = createServices(ports, config, { ...seen, costs, limits, retrieval, alarms, prewarming, settings })
  const turnAccess = createTurnAccess({ ...ports, config, readers, sessions: services.sessions })
  const figures = figuresOf({ alarms, ports, access, deferred, gate, nodes: watch, services, turns, config })
  const health = createHealth({ ...ports, config, houseCall, rungs: ladder.list, figures })
  const share = () => costs.share(gate.draining)
  const embedding = createEmbedding(ports, config, { spending: costs.spending })
  const parts = [nodes, embedding, access, house, answering, deferred, prewarming, retrieval, services, turns, alarms]
  const rounds = parts.flatMap((part) => part.rounds)
  const upkeep = createUpkeep({ ...ports, config, recover: turns.recover, share, rounds, nodes: watch })
  const after = async () => {
    await summaries.stop()
    await turns.close()
    upkeep.stop()
    await services.close()
    await alarms.close()
    await watch.leave()
    queue[Symbol.dispose]()
    await estimates.share()
    await costs.spending.close()
  }
  const leaving = createLeaving({ clock, config, gate, nodes: watch, turns, before: health.stop, after })

  return {
    chat: asking.chat,
    complete: asking.complete,
    ...turnAccess,
    models(principal) {
      const allowed = modelsAllowed(config, principal)
      const vendorOf = (name: string) => config.models[name]?.provider ?? 'embedded'
      const listed = ladder.list.filter(({ name }) => allowed.has(name))
      return listed.map(({ name, model }) => ({ name, id: model.id, vendor: vendorOf(name) }))
    },
    connect: gate.connect,
    quota: async (principal) => quotaView(await asking.quotaOf(principal)),
    ...facadeOf(services, blocks),
    health: health.report,
    exportGauges: health.exportGauges,
    editions: services.editions.report,
    recordRefusal: refusals.note,
    pressure,
    noteRefusal: (code) => meter.refused(code),
    running: figures.running,
    waiting: figures.waiting,
    start(connections) {
      if (connections !== undefined) nodes.setConnections(connections)
      upkeep.start()
      health.start()
    },
    prepare: settings.prepare,
    warm: retrieval.lookUp.warm,
    leaving,
    drain: async () => void (await leaving.drain()),
  }
}

/** Counts the turns that end, by their records, and the readers that these name. */
function createMeteredRecorder(
  ports: Ports,
  meter: ActivityMeter,
  modelMeter: ModelMeter,
): { readonly recorder: TurnRecorder; readonly readers: ReaderCounts } {
  const { clock, telemetry, turnLines: lines, turnRecords: records } = ports
  const readers = createReaderCounts({ note: (...noted) => recorder.note(...noted) })
  const recorder = createTurnRecorder({ records, clock, telemetry, lines, readers })
  const put: TurnRecorder['put'] = (record) => {
    if (record.kind !== 'refusal') {
      meter.turnEnded(record)
      modelMeter.turnEnded(record)
    }
    recorder.put(record)
  }
  return { recorder: { ...recorder, put }, readers }
}

interface FiguresParts {
  readonly alarms: Alarms
  readonly ports: Ports
  readonly access: LaneAccess
  readonly deferred: DeferredQuestions
  readonly gate: EntryGate
  readonly nodes: NodeWatch
  readonly services: Services
  readonly turns: Turns
  readonly config: Config
}

function figuresOf({ alarms, access, deferred, gate, nodes, ports, services, turns, config }: FiguresParts): Figures {
  return {
    admin: services.admin,
    running: () => gate.slots.running,
    waiting: access.queue.sizes,
    oldestMs: access.queue.oldestMs,
    waitingMax: config.queue.entriesMax,
    lanesDownMs: access.downMs,
    lanesPhasesMs: access.phasesMs,
    deferred: deferred.count,
    streams: turns.streams.counts,
    nodes: () => nodes.seen()?.nodes ?? [],
    isLeader: () => nodes.isLeader(),
    firingAlarms: alarms.firing,
    ...(ports.embeddings === undefined ? {} : { embedded: ports.embeddings.status }),
  }
}

function facadeOf(services: Services, { requireUnblocked }: Pick<Blocks, 'requireUnblocked'>) {
  const { admin, commerce, faq, feedback, handovers, person, products, sessions } = services
  /** A blocked caller adds nothing and asks for no person; they still read, stop, export and erase what is theirs. */
  const unlessBlocked =
    <Given extends readonly unknown[], Value>(act: (principal: Principal, ...given: Given) => Promise<Value>) =>
    async (principal: Principal, ...given: Given): Promise<Value> => {
      requireUnblocked(principal)
      return act(principal, ...given)
    }
  const { addToCart, checkout, setCartItem } = commerce
  return {
    admin,
    faq,
    commerce: {
      ...commerce,
      addToCart: unlessBlocked(addToCart),
      setCartItem: unlessBlocked(setCartItem),
      checkout: unlessBlocked(checkout),
    },
    sessions: sessions.list,
    session: sessions.get,
    removeSession: sessions.remove,
    setFeedback: unlessBlocked(feedback.setFeedback),
    cardOpened: unlessBlocked(feedback.cardOpened),
    previewHandover: handovers.previewHandover,
    askForPerson: unlessBlocked(handovers.askForPerson),
    transcript: async (sessionId: string) => (await sessions.transcript(sessionId)).detail,
    async adopt(guestId: string, user: Principal) {
      await sessions.adopt(guestId, user)
      await commerce.adopt(guestId, user.id)
    },
    exportMe: ({ id }: Principal) => person.exportPerson(id),
    eraseMe: ({ id }: Principal) => person.erasePerson(id),
    products: products.page,
    product: products.detail,
    front: products.front,
    coverFacts: products.cover,
    seriesIds: products.ids,
    shopDay: products.today,
  } satisfies Partial<App>
}
