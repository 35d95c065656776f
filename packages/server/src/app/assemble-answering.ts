// Assembles what answers a turn between routing and delivery: the walk over the ladder, the answer cache, and the fallback.
import type { Config } from '#config/config.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { textIn } from '#domain/model/probe.ts'
import { sharesOf } from '#domain/turn/first-word.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import { createPopular } from '#services/popular.ts'
import { joinFlight } from '#turn/answers/answer-flight.ts'
import { createCheckAnswer } from '#turn/answers/check-answer.ts'
import type { CheckAnswer } from '#turn/answers/check-answer.ts'
import { createCachedAnswers } from '#turn/answers/cached-answers.ts'
import type { CachedAnswers, CachedAnswersParts } from '#turn/answers/cached-answers.ts'
import { createRefreshAnswers } from '#turn/answers/refresh-answers.ts'
import { createDeferQuestion } from '#turn/deferred/defer-question.ts'
import { createAnswerCall } from '#turn/house-calls/answer-call.ts'
import type { MakeAnswerCall } from '#turn/house-calls/answer-call.ts'
import { collectParts } from '#turn/house-calls/collect-parts.ts'
import type { MakeHouseCall } from '#turn/house-calls/house-call.ts'
import { createCallRung } from '#turn/invocation/call-rung.ts'
import { createFallBack } from '#turn/invocation/fallback/run-fallback.ts'
import type { FallBackParts } from '#turn/invocation/fallback/run-fallback.ts'
import { createInvoke } from '#turn/invocation/invoke.ts'
import { notedHandover } from '#turn/records/noted-handover.ts'
import type { TurnRecorder } from '#turn/records/recorder.ts'
import type { RunTurnParts } from '#turn/run-turn.ts'
import type { Routed, Rung } from '#turn/turn.ts'
import type { Ports } from './app-ports.ts'
import type { Retrieval } from './assemble-context.ts'
import type { Costs } from './assemble-costs.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import type { Ladder } from './ladder.ts'
import { createTakenRoutes } from './taken-route.ts'
import type { Round } from './upkeep.ts'

export interface AnsweringParts {
  readonly ladder: Ladder
  readonly costs: Costs
  readonly access: LaneAccess
  readonly houseCall: MakeHouseCall
  readonly retrieval: Pick<Retrieval, 'faqIndex'>
  readonly recorder: Pick<TurnRecorder, 'note'>
  readonly settings: RunSettings
}

export interface Answering extends Pick<RunTurnParts, 'join' | 'invoke'> {
  /** The expected duration of an answer of this many tokens, from what is known of its model. */
  readonly expectedMs: (outputTokens: number) => number
  /** Compares a model's answer with the store. */
  readonly check: CheckAnswer
  /** What fills the cache outside of turns: the cache, and a call of the model whose answers it has for a route. */
  readonly answers: CachedAnswers
  readonly makeAnswer: MakeAnswerCall
  /** Whether a model can be asked for bulk work now: its lane has calls to spare, and the mode is normal. */
  readonly isReady: (rung: Rung) => boolean
  readonly rounds: readonly Round[]
}

/** The built-in responder needs a moment, and its answers are short. */
const RESPONSE_MS = 1000
const RESPONSE_TOKENS_MAX = 1024
const POPULAR_EVERY_MS = 60_000
/** 40 tokens a second, until a model's pace is known. */
const MS_PER_TOKEN_AT_FIRST = 25

export function createAnswering(ports: Ports, config: Config, parts: AnsweringParts): Answering {
  const { clock, random, telemetry, products } = ports
  const { access, costs, houseCall, settings } = parts
  const { lanes, nodes, queue, rejections, spares, takesCalls, typical, works } = access
  const { estimates, extend } = costs
  const calling = { clock, random, telemetry, config, estimates, lanes, rejections, typical, extend, settings, nodes }
  const callRung = createCallRung({ ...calling, line: queue })
  const routeOf = createTakenRoutes(parts.ladder)
  const answers = cachedAnswersOf(ports, config, { routeOf, settings })
  const check = createCheckAnswer({ clock, products })
  const popular = createPopular({ products })
  const makeAnswer = createAnswerCall({
    clock,
    telemetry,
    houseCall,
    estimates,
    typical,
    config,
    check,
    firstOf: (routed) => routeOf(routed).first,
  })
  const isReady = (rung: Rung | undefined) => rung !== undefined && settings.mode() === 'normal' && spares(rung)
  const refresh = createRefreshAnswers({
    answers,
    cache: ports.answers,
    clock,
    telemetry,
    config,
    isReady: (routed) => isReady(routeOf(routed).first),
    async make(routed) {
      const made = await makeAnswer(routed, { purpose: 'refresh' })
      return made.kind === 'answered' ? made : undefined
    },
  })
  const respond = responding(ports, parts.ladder)
  const isOnLadder = parts.ladder.whole.some(({ tier }) => tier === 'embedded')
  const fallBack = createFallBack({
    clock,
    telemetry,
    config,
    faq: parts.retrieval.faqIndex,
    popular: popular.some,
    defer: createDeferQuestion({ store: ports.deferred, clock, telemetry, config, settings }),
    ...(ports.handover === undefined ? {} : { handover: notedHandover(ports.handover, parts.recorder) }),
    due: refresh.due,
    // On the ladder it was asked already.
    ...(respond === undefined || isOnLadder ? {} : { respond }),
  })
  return {
    check,
    expectedMs: expectedMsOf(parts, typical),
    answers,
    makeAnswer,
    isReady,
    join: (routed, signal) => joinFlight(answers, routed, { ms: followMs(routed, clock.now(), config), signal }),
    invoke: createInvoke({ clock, config, typical, callRung, fallBack, takesCalls, works, respond }),
    rounds: [
      { name: 'refresh-answers', everyMs: config.answers.refreshEveryMs, work: refresh.round },
      { name: 'popular', everyMs: POPULAR_EVERY_MS, work: popular.refresh },
    ],
  }
}

function cachedAnswersOf(
  { answers: cache, clock, faq, live, products, telemetry }: Ports,
  config: Config,
  parts: Pick<CachedAnswersParts, 'routeOf' | 'settings'>,
): CachedAnswers {
  return createCachedAnswers({
    cache,
    clock,
    telemetry,
    config,
    products,
    live,
    get faq() {
      return faq.entries()
    },
    ...parts,
  })
}

function expectedMsOf({ access, ladder }: AnsweringParts, typical: TypicalTimes): Answering['expectedMs'] {
  return (outputTokens) => {
    const rung = ladder.whole.find(access.takesCalls) ?? ladder.whole[0]
    if (rung === undefined) return 0
    // The built-in responder has no vendor that could be slow.
    const atFirstMs = rung.model.facts === undefined ? 0 : MS_PER_TOKEN_AT_FIRST
    const msPerToken = typical.msPerToken(rung.name) ?? atFirstMs
    return access.queue.etaMs(rung.lane) + typical.of(rung.name) + outputTokens * msPerToken
  }
}

/** The built-in responder's whole answer; undefined where there is none. */
function responding({ clock, responder: own }: Ports, { whole }: Ladder): FallBackParts['respond'] {
  const responder = own ?? whole.find(({ tier }) => tier === 'embedded')?.model
  if (responder === undefined) return undefined
  return async ({ system, messages, grounding, start }, signal) => {
    const request = { system, messages, grounding, language: start.language, maxOutputTokens: RESPONSE_TOKENS_MAX }
    const answer = await collectParts({ clock, model: responder }, request, { ms: RESPONSE_MS, signal })
    return { model: responder.id, text: textIn(answer) }
  }
}

/** The wait for another turn's answer must leave time to ask the first model. */
function followMs({ start }: Routed, now: number, { answers }: Config): number {
  const { followMs: ms } = sharesOf(answers.firstWordMs)
  return Math.max(0, Math.min(ms, start.acceptedAt + ms - now))
}
