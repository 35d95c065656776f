// createApp(ports, config): assembles the stages and the queries into what the edge may ask for.
// Knows no technology: the wiring hands it the adapters.
import type { Language, ProductDetail, QuotaView, SessionDetail } from '@mangaassist/protocol'
import { createAnswering } from './assemble-answering.ts'
import type { Ports } from './app-ports.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { costMicroUsd, FREE } from '#domain/budget/money.ts'
import type { Price } from '#domain/budget/money.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import type { Amounts, QuotaState } from '#domain/budget/quota.ts'
import { quotaView } from '#domain/budget/quota-view.ts'
import { Refusal } from '#domain/refusal.ts'
import type { TurnStart } from '#domain/turn/turn-record.ts'
import { economyRung, inputTokensMax, ladderNames, modelsAllowed, modelsFor, rungsOf } from './ladder.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import { jittered, Pressure } from './pressure/pressure.ts'
import { createAdminQueries } from '#services/admin.ts'
import { createDataQueries } from '#services/data.ts'
import { createFaqQuery } from '#services/faq.ts'
import type { FaqView } from '#services/faq.ts'
import { createLaneQueries } from '#services/lanes.ts'
import { createPersonQueries } from '#services/person.ts'
import type { Erased } from '#services/person.ts'
import { createPrincipalLimits } from '#services/principal-limits.ts'
import { createProductQueries } from '#services/products.ts'
import type { ProductsPage, ProductsQuery } from '#services/products.ts'
import { createSessionQueries } from '#services/sessions.ts'
import type { SessionPage } from '#services/sessions.ts'
import { createUsageQueries } from '#services/usage.ts'
import { createUserQuota } from '#services/user-quota.ts'
import { TurnSlots } from './turn-slots.ts'
import { createAdmit } from '#turn/admission/admit.ts'
import { createAdmitCompletion } from '#turn/admission/admit-completion.ts'
import { LeasedRates } from '#turn/admission/leased-rates.ts'
import type { Taken } from '#turn/admission/leased-rates.ts'
import { contextCircuits } from '#turn/context/circuits.ts'
import { createGather } from '#turn/context/gather.ts'
import { createHealCircuits } from '#turn/context/heal-circuits.ts'
import { createLookUp } from '#turn/context/look-up.ts'
import { createDeliver } from '#turn/delivery/deliver.ts'
import { readFrames, watchSession } from '#turn/delivery/readers.ts'
import type { HeldText } from '#turn/delivery/shown-text.ts'
import type { Opening, TurnFrame } from '#turn/delivery/readers.ts'
import { createEstimates } from '#turn/costs/estimates.ts'
import { createOwnership } from '#turn/ownership/ownership.ts'
import { createRecover } from '#turn/ownership/recover.ts'
import { createRoute } from '#turn/routing/route.ts'
import { createRunTurn } from '#turn/run-turn.ts'
import { createSettle } from '#turn/settlement/settle.ts'
import { createSpending } from '#turn/costs/spending.ts'
import { createStreams } from '#turn/ownership/stream.ts'
import { createSummaryCap } from '#turn/summaries/summary-cap.ts'
import { createHealth } from './health/assemble-health.ts'
import type { Health } from './health/assemble-health.ts'
import type { Figures } from './health/gauges.ts'
import { createSummaries } from '#turn/summaries/summaries.ts'
import type { CompletionAsked, Received } from '#turn/turn.ts'
import { createUpkeep } from './upkeep.ts'
import { warmPrompts } from '#turn/costs/warm-prompts.ts'

export interface Accepted {
  readonly turnId: string
  readonly sessionId: string
  readonly duplicate: boolean
  readonly quota: QuotaState
  /** How long the answer may take, as seen when it was asked for; absent for a duplicate. */
  readonly expectedMs?: number
}

export type { HeldText, Opening, Ports, TurnFrame }
/** For commands without a server. */
export { createLookUp, createPrincipalLimits, createUserQuota }
export type { FindUserQuota, UserQuota } from '#services/user-quota.ts'
export type { LookUp } from '#turn/context/look-up.ts'

export type Admin = ReturnType<typeof createAdminQueries> &
  ReturnType<typeof createDataQueries> &
  ReturnType<typeof createUsageQueries> &
  ReturnType<typeof createLaneQueries>

export interface App extends Pick<Figures, 'running' | 'waiting'> {
  /** Takes a question. Resolves once it is durable; the answer runs on by itself and is read with `read`. Throws a Refusal. */
  chat(received: Received): Promise<Accepted>
  /** Takes a prompt of the caller's own, for a model and nothing else. Otherwise as `chat`. */
  complete(asked: Omit<CompletionAsked, 'route'> & { readonly route?: CompletionAsked['route'] }): Promise<Accepted>
  /** The configured models that `complete` may be asked for by a principal. */
  models(principal: Principal): readonly { readonly name: string; readonly id: string; readonly vendor: string }[]
  /** The frames of a turn from what the reader has of it on, until its end or the signal. Throws NOT_FOUND for someone else's. */
  read(principal: Principal, turnId: string, held: HeldText, signal: AbortSignal): Promise<AsyncIterable<TurnFrame>>
  /** Ends the turn's model call; the text so far stays. Idempotent. Throws NOT_FOUND for someone else's. */
  stop(principal: Principal, turnId: string): Promise<void>
  /** The running turn of a session, if any, and those that follow, as `accepted` would name them. */
  watch(principal: Principal, sessionId: string, signal: AbortSignal): Promise<AsyncIterable<Opening>>
  /** Takes a new connection in; whoever is refused after all gives it back. Throws a Refusal when there are too many. */
  connect(): Promise<Taken>
  quota(principal: Principal): Promise<QuotaView>
  /** A page of them; `after` is the `next` of the page before. */
  sessions(principal: Principal, after?: string): Promise<SessionPage>
  session(principal: Principal, sessionId: string): Promise<SessionDetail>
  removeSession(principal: Principal, sessionId: string): Promise<void>
  /** All that is stored of the principal, as JSON. */
  exportMe(principal: Principal): ReturnType<ReturnType<typeof createPersonQueries>['exportPerson']>
  /** Erases it, and says what was removed and what stays. */
  eraseMe(principal: Principal): Promise<Erased>
  /** For staff who were called to it by a signed link; in the audit. Throws NOT_FOUND. */
  transcript(sessionId: string): Promise<SessionDetail>
  /** A guest signed in: its conversations are the user's from now on, an answer under way included. Idempotent. */
  adopt(guestId: string, user: Principal): Promise<void>
  /** A page of the shelves, or of what a search finds on them. */
  products(query: ProductsQuery, signal: AbortSignal): Promise<ProductsPage>
  product(id: string, language: Language, signal: AbortSignal): Promise<ProductDetail>
  faq(language: Language): FaqView
  /** For operators: whoever asks has proved to be one. */
  readonly admin: Admin
  /** How each model and each lane stands, for `/readyz`. */
  readonly health: Health['report']
  readonly exportGauges: Health['exportGauges']
  /** How much this node can take, for the doors to tell. */
  readonly pressure: Pressure
  /** Background work: going on with turns whose owner was lost, forgetting what has expired. */
  start(): void
  /** Refuses new turns, waits for running ones at most `drainMs`, stops the rest, and ends background work. */
  drain(): Promise<void>
}

/** Turns that wait for an unavailable session store. */
const APPENDS_WAITING_MAX = 10_000
/** Elsewhere, or here after a restart, there is room again soon: what clients are asked to wait for when we go away. */
const DRAINING_HOLD_MS = 5000
/** Nobody knows how long a person needs; clients look again after about this. */
const MAINTENANCE_RETRY_MS = 30_000
const HEAL_EVERY_MS = 5000
const NAMES_EVERY_MS = 6 * 3_600_000
const SAMPLES_EVERY_MS = 3_600_000

export function createApp(ports: Ports, config: Config): App {
  const { clock, turnLog, budgets: state, telemetry, faq } = ports
  const ladder = ladderNames(config)
  const rungs = rungsOf(config, ports.models, ladder)
  const rungList = [...rungs.values()]
  const ceilingMicroUsd = (inputTokens: number, outputTokens: number): number =>
    Math.max(0, ...rungList.map((rung) => costMicroUsd(rung.price, inputTokens, outputTokens)))

  const draining = new AbortController()
  const estimates = createEstimates(ports)
  const spending = createSpending({ ...ports, chunks: ports.spendChunks, config })
  const lookUp = createLookUp(ports)
  const circuits = contextCircuits({ ...ports, config })
  const nodeLanes = [
    ...Object.values(circuits).map(({ lane }) => lane),
    ...(ports.redisLane === undefined ? [] : [ports.redisLane]),
  ]
  const principalLimits = createPrincipalLimits({ ...ports, config })
  const limitsParts = { config, ceilingMicroUsd, principalLimits: principalLimits.of }
  const admit = createAdmit({
    ...ports,
    ...limitsParts,
    gauge: () => estimates.gauge(ladder),
    guarded: (tokens) => estimates.guarded(tokens, ladder),
  })
  const admitCompletion = createAdmitCompletion({
    ...ports,
    ...limitsParts,
    estimates,
    modelsFor: (model, principal) =>
      modelsFor(model, { rungs, ladder, config, allowed: modelsAllowed(config, principal) }),
    inputTokensMax: (names) => inputTokensMax(names, rungs, config),
  })
  const extend = async ({ completion, hold, principal }: TurnStart, to: Amounts): Promise<boolean> => {
    const limits = await principalLimits.of(principal)
    const own = completion === undefined ? limits : { ...limits, session: NO_SESSION_LIMIT }
    if (!(await state.extend(hold, to, own))) return false
    return spending.raise({ id: hold.id, spender: principal.kind, day: hold.day, microUsd: to.costMicroUsd })
  }
  const later = new RetryLater({
    timers: clock,
    entriesMax: APPENDS_WAITING_MAX,
    onGivenUp: (what) => telemetry.log('error', 'session.append-given-up', { what }),
  })
  const { global, chat: chatRate, connections } = config.rates
  const rates = new LeasedRates({ ...ports, chunks: ports.rateChunks }, { global, chat: chatRate, connections })
  const settle = createSettle({ ...ports, spending, later, alarmMicroUsd: config.alarms.userMicroUsdPerDay })
  const streams = createStreams(telemetry)
  const pressure = new Pressure()
  const route = createRoute({ config, rungs, ladder, estimates })
  const outputMax = Math.max(...Object.values(config.tiers).map((tier) => tier.outputTokensPerRequest))
  const answering = createAnswering({
    ...ports,
    config,
    estimates,
    spending,
    route,
    nodeLanes,
    ladder: ladder.flatMap((name) => rungs.get(name) ?? []).map((rung) => ({ ...rung, maxOutputTokens: outputMax })),
    pressure,
    extend,
    ask: (asked) => chat(asked),
  })
  const { houseCall, line } = answering
  const summaries = createSummaries({
    ...ports,
    config,
    estimates,
    houseCall,
    capFor: createSummaryCap({ budgets: state, config }),
    rung: economyRung(config, ladder, rungs),
  })
  const runTurn = createRunTurn({
    clock,
    gather: createGather({ ...ports, circuits, config, lookUp }),
    route,
    join: answering.join,
    invoke: answering.invoke,
    deliver: createDeliver({ clock, turnLog, telemetry, config }),
    settle,
    streams,
    budgets: state,
    spending,
    telemetry,
    estimates,
    remember: summaries.remember,
  })
  const places = new TurnSlots({ ...ports, pressure, runningMax: config.turns.runningMax })
  const turns = createOwnership({ ...ports, config, runTurn: places.track(runTurn) })
  let isWarm = !config.tokens.warmStart

  async function share(): Promise<void> {
    await estimates.share()
    if (isWarm) return
    isWarm = true
    await estimates.warm(warmPrompts(faq, config), draining.signal)
  }

  const priceOf = (modelId: string): Price => rungList.find((rung) => rung.model.id === modelId)?.price ?? FREE
  const recover = createRecover({
    ...ports,
    ...limitsParts,
    settle,
    priceOf,
    estimates,
    isOurs: turns.owns,
    room: () => places.room,
    run: turns.run,
  })
  const person = createPersonQueries({ ...ports, config })
  // A node that is going away takes on nothing more.
  const upkeep = createUpkeep({
    ...ports,
    config,
    recover: async () => (draining.signal.aborted ? 0 : recover()),
    share,
    rounds: [
      ...answering.rounds,
      { name: 'heal-circuits', everyMs: HEAL_EVERY_MS, work: createHealCircuits({ ...ports, circuits, lookUp }) },
      { name: 'names', everyMs: NAMES_EVERY_MS, work: () => person.forgetNames() },
      { name: 'samples', everyMs: SAMPLES_EVERY_MS, work: () => person.forgetSamples() },
    ],
  })
  const sessionQueries = createSessionQueries({ ...ports, config })
  const { retrievalMs } = config.deadlines
  const productQueries = createProductQueries({
    ...ports,
    // The same circuit as for turns: a search that is down is not waited for by every page, and forcing it open holds here too.
    search: {
      find: (query, signal) =>
        circuits.search.need({ ms: retrievalMs, signal }, (own) => ports.search.find(query, own)),
    },
    lookUp: (question, signal) =>
      circuits.search.need({ ms: retrievalMs, signal }, (own) => lookUp.find({ ...question, history: [] }, own)),
  })
  const userQuota = createUserQuota({ ...ports, config, limits: principalLimits })
  const quotaOf = async (principal: Principal): Promise<QuotaState> =>
    state.quota(principal.id, await principalLimits.of(principal), dayOf(clock.now(), config.store.timeZone))

  /** What all nodes share comes first, and is given back when the asker is refused: that must cost the others nothing. */
  async function within<Value>(names: readonly ('global' | 'chat')[], admitting: () => Promise<Value>): Promise<Value> {
    const taken = await rates.take(...names)
    try {
      return await admitting()
    } catch (error) {
      taken.undo()
      throw error
    }
  }

  async function ownTurn(principal: Principal, turnId: string): Promise<void> {
    const start = await turnLog.start(turnId)
    if (start?.principal.id === principal.id && !(await sessionQueries.isHandedOver(start))) return
    if (start === undefined || !(await sessionQueries.isInherited(principal, start)))
      throw new Refusal('NOT_FOUND', { details: { field: 'turnId' } })
  }

  /** Before anything is spent. */
  function requireOpen(): void {
    if (draining.signal.aborted) throw new Refusal('MAINTENANCE', { retryAfterMs: config.server.drainMs })
    if (ports.lanes.maintenance() !== null)
      throw new Refusal('MAINTENANCE', { retryAfterMs: soon(MAINTENANCE_RETRY_MS) })
    if (line.size() >= config.queue.entriesMax) throw new Refusal('QUEUE_FULL', { retryAfterMs: soon(line.drainMs()) })
  }
  const soon = (ms: number) => jittered(ms, ports.random.float())

  async function chat(received: Received): Promise<Accepted> {
    requireOpen()
    using _place = places.reserve()
    const admission = await within(['global', 'chat'], () => admit(received))
    if (admission.kind === 'duplicate') {
      const { turnId, sessionId } = admission
      return { turnId, sessionId, duplicate: true, quota: await quotaOf(received.principal) }
    }
    const { start, quota } = admission.turn
    const expectedMs = answering.expectedMs(start.hold.granted.outputTokens)
    turns.run(admission.turn)
    return { turnId: start.turnId, sessionId: start.sessionId, duplicate: false, quota, expectedMs }
  }

  const laneQueries = createLaneQueries({ ...ports, models: rungList, nodeLanes })
  const health = createHealth({
    ...ports,
    config,
    houseCall,
    rungs: rungList,
    figures: {
      admin: laneQueries,
      running: () => places.running,
      waiting: line.sizes,
      lanesDownMs: answering.lanesDownMs,
      deferred: answering.deferred,
      streams: streams.counts,
    },
  })

  return {
    chat,
    async complete(asked) {
      requireOpen()
      using _place = places.reserve()
      const turn = await within(['global'], () => admitCompletion({ ...asked, route: asked.route ?? 'v1' }))
      turns.run(turn)
      return { turnId: turn.start.turnId, sessionId: turn.start.sessionId, duplicate: false, quota: turn.quota }
    },
    models(principal) {
      const allowed = modelsAllowed(config, principal)
      const vendorOf = (name: string) => config.models[name]?.provider ?? 'embedded'
      const listed = rungList.filter(({ name }) => allowed.has(name))
      return listed.map(({ name, model }) => ({ name, id: model.id, vendor: vendorOf(name) }))
    },
    async read(principal, turnId, held, signal) {
      await ownTurn(principal, turnId)
      return readFrames({ clock, turnLog, telemetry, streaming: config.streaming }, { turnId, ...held }, signal)
    },
    async stop(principal, turnId) {
      await ownTurn(principal, turnId)
      await turnLog.requestStop(turnId)
    },
    async watch(principal, sessionId, signal) {
      return watchSession({ turnLog, budgets: state }, await sessionQueries.check(principal, sessionId), signal)
    },
    connect: () => rates.take('connections'),
    quota: async (principal) => quotaView(await quotaOf(principal)),
    sessions: sessionQueries.list,
    session: sessionQueries.get,
    removeSession: sessionQueries.remove,
    exportMe: ({ id }) => person.exportPerson(id),
    eraseMe: ({ id }) => person.erasePerson(id),
    transcript: sessionQueries.transcript,
    adopt: sessionQueries.adopt,
    products: productQueries.page,
    product: productQueries.detail,
    faq: createFaqQuery({ faq, config }),
    admin: {
      ...createAdminQueries({ ...ports, config, limits: principalLimits, userQuota }),
      ...createUsageQueries({ ...ports, config }),
      ...createDataQueries({ ...ports, person }),
      ...laneQueries,
    },
    health: health.report,
    exportGauges: health.exportGauges,
    running: () => places.running,
    waiting: line.sizes,
    pressure,
    start() {
      upkeep.start()
      health.start()
    },
    async drain() {
      draining.abort()
      pressure.say('draining', 'pause', DRAINING_HOLD_MS)
      await health.stop()
      await turns.drain()
      await summaries.stop()
      await later.close()
      upkeep.stop()
      answering[Symbol.dispose]()
      await estimates.share()
      await spending.close()
    },
  }
}
