// Puts together what answers a turn, beyond the stages themselves: the lanes and the line before them, the walk over the
// ladder, the cache of answers, questions kept for later, and the rounds that keep all of these going. Used by `app.ts`.
import type { Config } from '#config/config.ts'
import type { FaqEntry } from '@mangaassist/bookseller/catalogue/catalogue'
import type { SimplifiedTry } from '#domain/answers/fallback-plan.ts'
import { faqIndex } from '@mangaassist/bookseller/catalogue/faq-index'
import type { LaneView } from '#domain/lane/lane-view.ts'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import { connectionsOf } from '#domain/lane/lanes-of.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import { textIn } from '#domain/model/probe.ts'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import { lanePressure } from './pressure/lane-pressure.ts'
import { createLaneWatch } from './health/lane-watch.ts'
import type { LaneWatch } from './health/lane-watch.ts'
import type { AnswerCache } from '#ports/answer-cache/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredStore } from '#ports/deferred-store/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Pressure } from './pressure/pressure.ts'
import { createPopular } from '#services/popular.ts'
import { joinFlight } from '#turn/answers/answer-flight.ts'
import { askBriefly } from '#turn/house-calls/ask-briefly.ts'
import { createCachedAnswers } from '#turn/answers/cached-answers.ts'
import { createDeferred } from '#turn/deferred/deferred.ts'
import type { DeferredAsk } from '#turn/deferred/deferred.ts'
import type { Estimates } from '#turn/costs/estimates.ts'
import { createHealLanes } from '#turn/house-calls/heal-lanes.ts'
import { createHouseCall } from '#turn/house-calls/house-call.ts'
import type { MakeHouseCall } from '#turn/house-calls/house-call.ts'
import { createProbeLane } from '#turn/house-calls/probe-lane.ts'
import { createRefreshAnswer } from '#turn/house-calls/refresh-answer.ts'
import { boundedLanes } from '#turn/invocation/bounded-lanes.ts'
import { createCallRung } from '#turn/invocation/call-rung.ts'
import type { CallRungParts } from '#turn/invocation/call-rung.ts'
import { createFallBack } from '#turn/invocation/fallback/run-fallback.ts'
import type { FallBackParts } from '#turn/invocation/fallback/run-fallback.ts'
import { createInvoke } from '#turn/invocation/invoke.ts'
import { pacedLanes } from '#turn/invocation/lane-pace.ts'
import { createWaitingQueue } from '#turn/invocation/waiting-queue.ts'
import type { WaitingQueue } from '#turn/invocation/waiting-queue.ts'
import { createModelReturn } from '#turn/deferred/model-return.ts'
import { createRefreshAnswers } from '#turn/answers/refresh-answers.ts'
import type { RunTurnParts } from '#turn/run-turn.ts'
import type { Spending } from '#turn/costs/spending.ts'
import type { Grounded, Routed, Rung } from '#turn/turn.ts'
import type { Round } from './upkeep.ts'

export interface AnsweringParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly ledger: Ledger
  readonly products: ProductStore
  readonly faq: readonly FaqEntry[]
  readonly lanes: Lanes
  /** Of what is no model, to be ticked and watched. */
  readonly nodeLanes: readonly NodeLane[]
  readonly answers: AnswerCache
  readonly deferred: DeferredStore
  readonly sessions: SessionStore
  readonly handover?: Handover
  /** The built-in responder, for what no model answers; absent: there is none. */
  readonly responder?: Model
  readonly spending: Pick<Spending, 'reserve' | 'settle'>
  readonly config: Config
  readonly estimates: Estimates
  readonly route: (grounded: Grounded) => Routed
  /** The ladder as it is when all of it can be paid for. */
  readonly ladder: readonly Rung[]
  readonly pressure: Pressure
  /** Raises a turn's hold; false where there is no room. */
  readonly extend: CallRungParts['extend']
  /** Opens the turn of a question that was kept. Throws a Refusal. */
  readonly ask: (asked: DeferredAsk) => Promise<unknown>
}

export interface Answering extends Pick<RunTurnParts, 'join' | 'invoke'>, Disposable {
  readonly line: WaitingQueue
  /** As this node may use them; permits from the line are reported here. */
  readonly lanes: Lanes
  readonly houseCall: MakeHouseCall
  /** How long an answer of so many tokens would take that is asked for now, by what is seen of the model that would give it. */
  readonly expectedMs: (outputTokens: number) => number
  /** For how long the circuit of each lane has kept calls out, in milliseconds. */
  readonly lanesDownMs: LaneWatch['downMs']
  /** How many questions are kept for later, as of the last look. */
  readonly deferred: () => number
  readonly rounds: readonly Round[]
}

const TICK_MS = 500
const HEAL_EVERY_MS = 5000
/** The built-in responder needs a moment and says little. */
const RESPONSE_MS = 1000
const RESPONSE_TOKENS_MAX = 1024
const POPULAR_EVERY_MS = 60_000
/** 40 tokens a second, until a model was heard. */
const MS_PER_TOKEN_AT_FIRST = 25

export function createAnswering(parts: AnsweringParts): Answering {
  const { clock, random, telemetry, config, ladder } = parts
  const names = [...new Set(ladder.map(({ lane }) => lane))]
  const watch = createLaneWatch({ clock, telemetry, lanes: parts.lanes, names, nodeLanes: parts.nodeLanes })
  const connections = connectionsOf(config)
  const { lanes, intervalMs } = pacedLanes(watchedLanes(boundedLanes(parts.lanes, connections), watch), clock)
  const settings = { ...queueDefaults, ...config.queue }
  const line = createWaitingQueue({ lanes, clock, random, settings, connections, expectedMs: intervalMs })
  const typical = new TypicalTimes()
  const callRung = createCallRung({ ...parts, lanes, line, typical })
  const takesCalls = (lane: string) => takesCallsNow(lanes.seen(lane))
  const works = (lane: string) => isWorking(lanes.seen(lane))
  const taken = { name: ladder.map(({ name, model }) => `${name}:${model.id}`).join(' '), first: ladder[0] }
  const answers = createCachedAnswers({ ...parts, cache: parts.answers, routeOf: () => taken })
  const popular = createPopular(parts)
  const houseCall = createHouseCall({ ...parts, lanes, queue: line })
  const make = createRefreshAnswer({ ...parts, houseCall, typical, first: ladder[0] })
  const probeLane = createProbeLane({ clock, telemetry, houseCall, config })
  const modelReturn = createModelReturn({ clock, lanes, rungs: ladder, probeLane })
  const deferred = createDeferred({ ...parts, store: parts.deferred, isModelBack: modelReturn.isBack, ask: parts.ask })
  const isFirstBack = () => ladder[0] !== undefined && lanes.maintenance() === null && takesCalls(ladder[0].lane)
  const refresh = createRefreshAnswers({ ...parts, cache: parts.answers, answers, isModelBack: isFirstBack, make })
  const respond = responding(parts)
  const fallBack = createFallBack({
    clock,
    telemetry,
    config,
    faq: faqIndex(parts.faq),
    popular: popular.some,
    defer: deferred.accept,
    ...(parts.handover === undefined ? {} : { handover: parts.handover }),
    due: refresh.due,
    simplify: (routed, plan) => simplified(routed, plan, parts.route),
    callRung,
    takesCalls,
    ...(respond === undefined ? {} : { respond }),
  })

  async function tick(): Promise<void> {
    for (const lane of parts.nodeLanes) lane.tick()
    await parts.lanes.tick()
    watch.check()
    parts.pressure.say('lanes', lanePressure(ladder.map(({ lane }) => lanes.seen(lane))))
  }

  let kept = 0
  async function deferredRound(): Promise<void> {
    kept = await parts.deferred.count()
    if (kept === 0) return
    await modelReturn.look()
    await deferred.round()
  }

  return {
    line,
    lanes,
    houseCall,
    expectedMs(outputTokens) {
      const rung = ladder.find(({ lane }) => takesCalls(lane)) ?? ladder[0]
      if (rung === undefined) return 0
      // Our own responder has no vendor behind it that would take its time.
      const atFirstMs = rung.model.facts === undefined ? 0 : MS_PER_TOKEN_AT_FIRST
      const msPerToken = typical.msPerToken(rung.name) ?? atFirstMs
      return line.etaMs(rung.lane) + typical.of(rung.name) + outputTokens * msPerToken
    },
    lanesDownMs: watch.downMs,
    deferred: () => kept,
    join: (routed, signal) => joinFlight(answers, routed, { ms: followMs(routed, clock.now(), config), signal }),
    invoke: createInvoke({
      clock,
      config,
      typical,
      callRung,
      fallBack,
      takesCalls,
      works,
    }),
    rounds: [
      { name: 'lanes', everyMs: TICK_MS, work: tick },
      { name: 'heal-lanes', everyMs: HEAL_EVERY_MS, work: createHealLanes({ lanes, rungs: ladder, probeLane }) },
      { name: 'refresh-answers', everyMs: config.answers.refreshEveryMs, work: refresh.round },
      { name: 'deferred', everyMs: config.deferred.everyMs, work: deferredRound },
      { name: 'popular', everyMs: POPULAR_EVERY_MS, work: popular.refresh },
    ],
    [Symbol.dispose]: () => line[Symbol.dispose](),
  }
}

/** The built-in responder in one piece; as a rung of the ladder it has had its say. */
function responding({ clock, responder, ladder }: AnsweringParts): FallBackParts['respond'] {
  if (responder === undefined || ladder.some(({ tier }) => tier === 'embedded')) return undefined
  return async ({ system, messages, grounding, start }, signal) => {
    const request = { system, messages, grounding, language: start.language, maxOutputTokens: RESPONSE_TOKENS_MAX }
    const parts = await askBriefly({ clock, model: responder }, request, { ms: RESPONSE_MS, signal })
    return { model: responder.id, text: textIn(parts) }
  }
}

function watchedLanes(lanes: Lanes, watch: LaneWatch): Lanes {
  return {
    ...lanes,
    async permit(lane, ask) {
      const answer = await lanes.permit(lane, ask)
      if (answer.kind === 'refused' && (answer.why === 'open' || answer.why === 'probing')) watch.refused(lane)
      return answer
    },
  }
}

/** As far as can be seen: a permit may be refused all the same. */
function takesCallsNow(view: LaneView): boolean {
  return isWorking(view) && (view.limit === null || view.inFlight < view.limit)
}

function isWorking({ phase }: LaneView): boolean {
  return phase === 'closed' || phase === 'recovering'
}

/** Waiting for another's answer must leave time to ask the first model oneself. */
function followMs({ start }: Routed, now: number, { answers, deadlines }: Config): number {
  return Math.max(0, Math.min(answers.followMs, start.deadlines.firstWordBy - now - deadlines.economyUnderMs))
}

/** The question with nothing around it but the best of what was found. */
function simplified(routed: Routed, plan: SimplifiedTry, route: AnsweringParts['route']): Routed {
  const { grounding, history, ladder } = routed
  const faq = grounding.faq.slice(0, plan.retrievedMax)
  const products = grounding.products.slice(0, plan.retrievedMax - faq.length)
  const kept = plan.historyPairsMax === 0 ? [] : history.slice(-plan.historyPairsMax)
  return { ...route({ ...routed, history: kept, grounding: { ...grounding, faq, products } }), ladder, grounding }
}
