// Assembles the life of a turn: admission, the stages in order, ownership while it runs, and takeover of turns whose owner
// was lost. What happens between routing and delivery is in `assemble-answering.ts`.
import type { Config } from '#config/config.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import { networksIn } from '#domain/identity/networks.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import { callerLimit } from '#services/storefront/caller-limit.ts'
import { createAdmit } from '#turn/admission/admit.ts'
import type { AdmitParts } from '#turn/admission/admit.ts'
import { createAdmitCompletion } from '#turn/admission/admit-completion.ts'
import { createSureAnswer } from '#turn/context/sure-answer.ts'
import { createGather } from '#turn/context/gather.ts'
import { createLastRecord } from '#turn/context/last-record.ts'
import { createDeliver } from '#turn/delivery/deliver.ts'
import { createOwnership } from '#turn/ownership/ownership.ts'
import type { Ownership } from '#turn/ownership/ownership.ts'
import { createRecover } from '#turn/ownership/recover.ts'
import { createStreams } from '#turn/ownership/stream.ts'
import type { Streams } from '#turn/ownership/stream.ts'
import type { TurnRecorder } from '#turn/records/recorder.ts'
import type { RefusalSums } from '#turn/records/refusal-sums.ts'
import { createRunTurn } from '#turn/run-turn.ts'
import { createBookLostCalls } from '#turn/settlement/book-lost-calls.ts'
import type { BookLostCalls } from '#turn/settlement/book-lost-calls.ts'
import { createSettle } from '#turn/settlement/settle.ts'
import type { Settle } from '#turn/settlement/settle.ts'
import { createWriteTurn } from '#turn/settlement/write-turn.ts'
import { createWriteUnwritten } from '#turn/settlement/write-unwritten.ts'
import type { Grounded, Routed } from '#turn/turn.ts'
import type { Ports } from './app-ports.ts'
import type { Answering } from './assemble-answering.ts'
import type { Retrieval } from './assemble-context.ts'
import type { LaneAccess } from './assemble-lanes.ts'
import type { Costs } from './assemble-costs.ts'
import type { Experiments } from './assemble-experiments.ts'
import type { EntryGate } from './entry-gate.ts'
import { inputTokensMax, modelsAllowed, modelsFor } from './ladder.ts'
import type { Ladder } from './ladder.ts'
import type { Round } from './upkeep.ts'

export interface TurnsParts {
  readonly ladder: Ladder
  readonly access: Pick<LaneAccess, 'typical'>
  readonly costs: Costs
  readonly retrieval: Retrieval
  readonly gate: EntryGate
  readonly answering: Answering
  readonly route: (grounded: Grounded) => Routed
  /** Called with every settled turn: what its prompt left out is summarised. */
  readonly remember: (routed: Routed) => void
  readonly recorder: TurnRecorder
  readonly refusals: Pick<RefusalSums, 'flush'>
  readonly experiments: Pick<Experiments, 'findArms' | 'isRouting'>
  readonly settings: Pick<RunSettings, 'mode'>
}

export interface Turns {
  readonly admit: ReturnType<typeof createAdmit>
  readonly admitCompletion: ReturnType<typeof createAdmitCompletion>
  /** Starts an admitted turn, which runs by itself. */
  readonly run: Ownership['run']
  /** Takes over turns whose owner was lost; returns how many. */
  readonly recover: () => Promise<number>
  readonly rounds: readonly Round[]
  readonly streams: Streams
  /** Waits for running turns, and leaves those that take longer. */
  readonly drain: Ownership['drain']
  readonly ended: Ownership['ended']
  /** Waits for pending writes of settled turns. */
  close(): Promise<void>
}

/** Limit of turns that wait for an unavailable session store. */
const APPENDS_WAITING_MAX = 10_000
/** Limit of turns whose calls wait to be booked. */
const UNBOOKED_MAX = 10_000
const WRITE_UNWRITTEN_MS = 15_000

export function createTurns(ports: Ports, config: Config, parts: TurnsParts): Turns {
  const { budgets, clock, ledger, sessions, telemetry, turnLog } = ports
  const { costs, gate, ladder, recorder } = parts
  const { estimates, spending } = costs
  const later = new RetryLater({
    timers: clock,
    entriesMax: APPENDS_WAITING_MAX,
    onGivenUp: (what) => telemetry.log('error', 'session.append-lost', { what }),
  })
  const alarmMicroUsd = config.alarms.userMicroUsdPerDay
  const writes = { clock, sessions, later, budgets, ledger, spending, alarmMicroUsd }
  const named = { pseudonymOf: ports.pseudonymOf, node: ports.registry.self.id }
  const { continuedCharactersMax } = config.tokens
  const settle = createSettle({
    ...writes,
    ...named,
    continuedCharactersMax,
    turnLog,
    recorder,
  })
  const writeUnwritten = createWriteUnwritten({ turnLog, telemetry, writeTurn: createWriteTurn(writes) })
  const unbooked = new RetryLater({
    timers: clock,
    entriesMax: UNBOOKED_MAX,
    onGivenUp: (turnId) => telemetry.log('error', 'ledger.rows-lost', { turnId }),
  })
  const bookLostCalls = createBookLostCalls({ budgets, clock, later: unbooked, ledger, turnLog })
  const streams = createStreams(telemetry)
  const runTurn = createStages(ports, config, { ...parts, bookLostCalls, settle, streams })
  const turns = createOwnership({ clock, turnLog, budgets, telemetry, config, runTurn: gate.slots.track(runTurn) })
  const recover = createRecover({
    clock,
    turnLog,
    budgets,
    telemetry,
    config,
    principalLimits: costs.limits.of,
    settle,
    priceOf: ladder.priceOf,
    estimates,
    typical: parts.access.typical,
    isOurs: turns.owns,
    pseudonymOf: ports.pseudonymOf,
    room: () => gate.slots.room,
    run: turns.run,
  })
  return {
    ...createAdmission(ports, config, { ...parts, mayAnswerFree: freeAnswers(ports, config, parts.retrieval) }),
    run: turns.run,
    // A node that drains takes over nothing.
    recover: async () => (gate.draining.aborted ? 0 : recover()),
    rounds: [{ name: 'write-unwritten', everyMs: WRITE_UNWRITTEN_MS, work: writeUnwritten, by: 'leader' }],
    streams,
    drain: turns.drain,
    ended: turns.ended,
    async close() {
      await Promise.all([later.close(), unbooked.close()])
      parts.refusals.flush()
      await recorder.close()
    },
  }
}

function createAdmission(
  { budgets, clock, isCatchingUp, random, sessions, telemetry, turnLog }: Ports,
  config: Config,
  { costs, ladder, mayAnswerFree }: Pick<TurnsParts, 'costs' | 'ladder'> & Pick<AdmitParts, 'mayAnswerFree'>,
): Pick<Turns, 'admit' | 'admitCompletion'> {
  const { estimates } = costs
  const { ceilingMicroUsd, names, rungs } = ladder
  const principalLimits = costs.limits.of
  return {
    admit: createAdmit({
      clock,
      random,
      sessions,
      turnLog,
      budgets,
      telemetry,
      config,
      isCatchingUp,
      counter: () => estimates.counterFor(names),
      guarded: (tokens) => estimates.guarded(tokens, names),
      principalLimits,
      ceilingMicroUsd,
      mayAnswerFree,
    }),
    admitCompletion: createAdmitCompletion({
      clock,
      random,
      turnLog,
      budgets,
      config,
      modelsFor: (model, principal) =>
        modelsFor(model, { rungs, ladder: names, config, allowed: modelsAllowed(config, principal) }),
      inputTokensMax: (asked) => inputTokensMax(asked, rungs, config),
      principalLimits,
      ceilingMicroUsd,
      estimates,
    }),
  }
}

/**
 * What a caller may ask without a budget, by what the catalogue and the FAQ answer surely: reading a question costs the shop no money, but time,
 * so it has a rate of its own.
 */
const FREE = { name: 'free-answers', perSecond: 10 / 60, burst: 10 }

function freeAnswers(
  { clock, pseudonymOf, random, rateChunks, sessions, telemetry }: Ports,
  config: Config,
  { faqIndex: faq, lookUp }: Retrieval,
): NonNullable<AdmitParts['mayAnswerFree']> {
  const take = callerLimit({ pseudonymOf, random, rateChunks }, FREE)
  const isSure = createSureAnswer({ clock, config, faq, lookUp, sessions })
  return async ({ network, principal }, question, reason) => {
    const counted = (outcome: 'admitted' | 'unsure' | 'rate-limited' | 'failed') => {
      telemetry.count('admission_free_total', { reason, outcome })
      return outcome === 'admitted'
    }
    try {
      const from = network === undefined ? principal.id : networksIn(network).network
      if ((await take(principal, from)) > 0) return counted('rate-limited')
      return counted((await isSure(question)) ? 'admitted' : 'unsure')
    } catch (error) {
      telemetry.log('warn', 'admission.free-failed', { reason }, error)
      return counted('failed')
    }
  }
}

interface StagesParts extends Pick<
  TurnsParts,
  'answering' | 'costs' | 'experiments' | 'recorder' | 'remember' | 'retrieval' | 'route' | 'settings'
> {
  readonly settle: Settle
  readonly bookLostCalls: BookLostCalls
  readonly streams: Streams
}

function createStages({ budgets, clock, pseudonymOf, sessions, turnLog }: Ports, config: Config, parts: StagesParts) {
  const { answering, costs } = parts
  const { circuits, lookUp } = parts.retrieval
  const { findArms, isRouting } = parts.experiments
  const lastRecord = createLastRecord({ clock, records: parts.recorder, isRouting })
  return createRunTurn({
    clock,
    gather: createGather({ clock, circuits, sessions, config, lookUp, lastRecord, findArms }),
    route: parts.route,
    join: answering.join,
    invoke: answering.invoke,
    deliver: createDeliver({ clock, turnLog, config, check: answering.check }),
    settle: parts.settle,
    bookLostCalls: parts.bookLostCalls,
    streams: parts.streams,
    budgets,
    spending: costs.spending,
    estimates: costs.estimates,
    remember: parts.remember,
    settings: parts.settings,
    pseudonymOf,
  })
}
