// Admits a question or refuses it with a reason. An admitted turn is durable: its money is held, its log is open, and any
// node can finish it. A refusal costs the shopper nothing.
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { inputCeiling } from '#domain/budget/input-ceiling.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { NO_SESSION_LIMIT, NOTHING } from '#domain/budget/quota.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { Refusal } from '#domain/refusal.ts'
import type { PrincipalLimits } from '#domain/budget/tier-limits.ts'
import { policyOf } from '#domain/turn/turn-policy.ts'
import type { FreeReason, TurnStart } from '#domain/turn/log-records.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Session, SessionStore } from '#ports/session-store/port.ts'
import type { AdmissionAnswer, AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import { newSession } from '#domain/turn/new-session.ts'
import type { Admitted, FreeQuestion, Received } from '../turn.ts'
import { askAgain } from './ask-again.ts'
import { claimOf } from './idempotency.ts'
import { createLimits } from './limits.ts'
import type { TakenLimits } from './limits.ts'
import { refusalFor } from './refusal-for.ts'
import { checkReplaced, findReplaced } from './replaced-turn.ts'
import type { ReplacedTurn } from './replaced-turn.ts'
import { validate } from './validate.ts'
import type { ValidMessage } from './validate.ts'

export interface AdmitParts {
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly config: Config
  /** Whether a conversation that is absent may still be written by another node. Default: never. */
  readonly isCatchingUp?: (() => boolean) | undefined
  /** Counts a message's tokens for the configured ladder. */
  readonly counter: () => TokenCounter
  /** The tokens to hold for an estimate. */
  readonly guarded: (tokens: number) => number
  /** The limits of a principal, as configured and as operators have changed them. */
  readonly principalLimits: (principal: Principal) => Promise<PrincipalLimits>
  /** The most that a request of this many tokens costs on the configured ladder. */
  readonly ceilingMicroUsd: (inputTokens: number, outputTokens: number) => number
  /** Whether a question is answered without a model, where something is used up. Never rejects. Default: none is. */
  readonly mayAnswerFree?:
    | ((received: Received, question: FreeQuestion, why: FreeReason) => Promise<boolean>)
    | undefined
}

export type Admission = { readonly kind: 'admitted'; readonly turn: Admitted } | Joined

type Joined = Extract<AdmissionAnswer, { readonly kind: 'duplicate' }>

/** A valid question and what it needs of the budgets; nothing is taken yet. */
interface AdmissionRequest extends ValidMessage {
  readonly received: Received
  readonly ask: AdmissionAsk
  /** Undefined: the turn starts a new session. */
  readonly session: { readonly id: string; readonly isChecked: boolean } | undefined
  readonly limits: PrincipalLimits
  readonly acceptedAt: number
  readonly claimAfterEndMs: number | undefined
  /** Set when it is admitted without a budget. */
  readonly free?: FreeReason
}

interface Arrival {
  readonly arrivedAt: number
  /** The refusal of everything that needs a model, when the queue is full. */
  readonly full: Refusal | undefined
}

interface StartFacts {
  /** Version of the session; undefined when it could not be read. */
  readonly version: number | undefined
  readonly deadlines: TurnStart['deadlines']
  readonly replaced: ReplacedTurn
}

const UNAVAILABLE = Symbol('unavailable')
/** An owner whose store was unavailable may need this long to write its log. After that it counts as dead. */
const OPEN_WITHIN_MS = 8000
const OPEN_POLL_MS = 50
/** When to retry a request whose turn has no log yet. */
const LOG_RETRY_MS = 2000
/** An owner that opens its log later than this checks first that no other node considered it dead. */
const CONFIRM_AFTER_MS = OPEN_WITHIN_MS / 2

export function createAdmit(parts: AdmitParts): (received: Received, full?: Refusal) => Promise<Admission> {
  const { clock, random, sessions, turnLog, budgets: state, telemetry, config } = parts
  const limitsOf = createLimits(parts)

  /** Reads the session; an answer without it is better than none. */
  async function readSession(sessionId: string): Promise<Session | undefined | typeof UNAVAILABLE> {
    try {
      return await sessions.find(sessionId)
    } catch (error) {
      telemetry.count('session_unavailable_total')
      telemetry.log('warn', 'session.unavailable', {}, error)
      return UNAVAILABLE
    }
  }

  async function ownSession(sessionId: string, principal: Principal): Promise<{ id: string; isChecked: boolean }> {
    const session = await readSession(sessionId)
    const isUnknown = session === undefined && parts.isCatchingUp?.() === true
    if (session === UNAVAILABLE || isUnknown) return { id: sessionId, isChecked: false }
    if (session === undefined || session.principalId !== principal.id) {
      throw new Refusal('NOT_FOUND', { details: { field: 'sessionId' } })
    }
    if (clock.now() - session.lastActiveAt > config.sessions.idleExpiryMs) throw new Refusal('SESSION_EXPIRED')
    const { inheritedFrom } = session
    const busyWith =
      inheritedFrom && (await state.carryOver({ id: sessionId, principalId: principal.id, inheritedFrom }))
    if (busyWith) throw new Refusal('SESSION_BUSY', { details: { turnId: busyWith } })
    return { id: sessionId, isChecked: true }
  }

  /** Makes the granted turn durable, or releases everything. */
  async function open(built: TurnStart, isNewSession: boolean, taken: TakenLimits): Promise<TurnStart> {
    const start: TurnStart = isNewSession ? { ...built, beginsSession: true } : built
    try {
      const [isSaved] = await Promise.all([
        isNewSession ? begin(start) : true,
        turnLog.open(start, config.turns.leaseMs),
      ])
      return isSaved ? start : { ...start, unsaved: 'new' }
    } catch (error) {
      await limitsOf.giveBack(taken)
      throw error
    }
  }

  async function begin(start: TurnStart): Promise<boolean> {
    try {
      await sessions.create(newSession(start))
      return true
    } catch (error) {
      telemetry.log('warn', 'session.unavailable', { turnId: start.turnId }, error)
      return false
    }
  }

  /** Whether a granted turn has its log. A node can die between the grant and the log. */
  async function opened(turnId: string): Promise<boolean> {
    const until = clock.now() + OPEN_WITHIN_MS
    for (;;) {
      if ((await turnLog.start(turnId)) !== undefined) return true
      if (clock.now() >= until) return false
      await clock.sleep(OPEN_POLL_MS)
    }
  }

  async function admitOrJoin(received: Received, { arrivedAt, full }: Arrival): Promise<Admission> {
    const first = await admitOnce(received, { arrivedAt, full })
    if (first.kind === 'admitted' || (await opened(first.turnId))) return first
    // Its owner died before the turn was durable: no reader knows of it, so it is undone and the question is admitted again.
    await state.release({ id: first.turnId, principalId: received.principal.id })
    const second = await admitOnce(received, { arrivedAt, full })
    if (second.kind === 'admitted' || (await opened(second.turnId))) return second
    // The turn was answered and charged, and its log is missing or lost: a second answer would be charged again.
    throw refusalFor({ kind: 'unavailable', retryAfterMs: LOG_RETRY_MS }, clock.now())
  }

  /**
   * Checks that a turn still belongs to this node, after a delay in which another node may have undone it. Undefined when
   * it does; otherwise the turn that its key leads to.
   */
  async function confirmed(ask: AdmissionAsk, taken: TakenLimits): Promise<Joined | undefined> {
    const answer = await state.admit(ask)
    if (answer.kind === 'granted' || answer.kind === 'unavailable') return undefined
    if (answer.kind === 'duplicate' && answer.turnId === ask.turnId) return undefined
    telemetry.count('turn_admission_undone_total')
    await limitsOf.giveBack(taken)
    if (answer.kind === 'duplicate') return answer
    throw refusalFor(answer, clock.now())
  }

  return function admit(received, full) {
    const arrivedAt = clock.now()
    if (received.idempotencyKey === undefined) return admitOrJoin(received, { arrivedAt, full })
    const until = arrivedAt + config.answers.firstWordMs
    // A first sending may have been sent again to another node before this retry.
    const asTried = (tries: number) => (tries > 1 && received.attempt === 1 ? { ...received, attempt: 2 } : received)
    return askAgain(clock, until, (tries) => admitOrJoin(asTried(tries), { arrivedAt, full }))
  }

  async function admitOnce(received: Received, { arrivedAt, full }: Arrival): Promise<Admission> {
    const request = await requestOf(received, arrivedAt)
    if (full !== undefined) return admitFree(request, 'queue-full', full)
    try {
      return await take(request)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'QUOTA_EXCEEDED') throw error
      return admitFree(request, 'allowance', error)
    }
  }

  async function take(request: AdmissionRequest): Promise<Admission> {
    const answer = await limitsOf.take(request.received, request.ask)
    return answer.kind === 'duplicate' ? answer : afterGrant(request, answer)
  }

  /** Admits a question that the catalogue or the FAQ answers surely, with an empty hold; throws `refusal` for any other. */
  async function admitFree(request: AdmissionRequest, free: FreeReason, refusal: Refusal): Promise<Admission> {
    const { ask, limits, received, session } = request
    const { continues, deferredFrom, interfaceLanguage, page } = received
    if (continues !== undefined || deferredFrom !== undefined || session?.isChecked === false) throw refusal
    const { language, message } = request
    const question = {
      message,
      language,
      ...(session === undefined ? {} : { sessionId: session.id }),
      ...(interfaceLanguage === undefined ? {} : { interfaceLanguage }),
      ...(page === undefined ? {} : { page }),
    }
    if ((await parts.mayAnswerFree?.(received, question, free)) !== true) throw refusal
    return take({ ...request, free, ask: { ...ask, ask: NOTHING, limits: withoutBudget(limits) } })
  }

  /** Everything that can be checked before anything is taken. */
  async function requestOf(received: Received, arrivedAt: number): Promise<AdmissionRequest> {
    const counter = parts.counter()
    const { message, language } = validate(received, config.tokens, counter)
    if (received.idempotencyKey?.isWellFormed() === false) {
      throw new Refusal('INVALID_REQUEST', { details: { field: 'idempotencyKey', reason: 'lone-surrogate' } })
    }
    checkReplaced(received)
    const session =
      received.sessionId === undefined ? undefined : await ownSession(received.sessionId, received.principal)
    const claim = claimOf(received, message, config)
    const limits = await parts.principalLimits(received.principal)
    const acceptedAt = clock.now()
    const messageTokens = counter.text(message)
    const ask: AdmissionAsk = {
      turnId: random.id('turn'),
      principalId: received.principal.id,
      sessionId: session?.id ?? random.id('sess'),
      // The question itself must fit into the budget: without it no model can answer.
      limits: isNotice(received)
        ? withoutBudget(limits)
        : { ...limits, inputTokensMin: limits.inputTokensMin + messageTokens },
      day: dayOf(acceptedAt, config.store.timeZone),
      idempotency: claim.ask,
      ...(received.idempotencyKey === undefined ? {} : { arrivedAt }),
      ...(claim.repeat === undefined ? {} : { repeat: claim.repeat }),
      ask: isNotice(received) ? NOTHING : askOf(received, messageTokens, limits.outputTokensPerRequest),
      leaseMs: config.turns.holdMs,
    }
    return { received, ask, message, language, session, limits, acceptedAt, claimAfterEndMs: claim.afterEndMs }
  }

  /** Releases everything when the turn is not started after all. */
  async function afterGrant(request: AdmissionRequest, taken: TakenLimits): Promise<Admission> {
    const { received, ask, session, limits, acceptedAt } = request
    const version = await currentVersion(request, taken)
    const deadlines = deadlinesFrom(acceptedAt, config.deadlines[received.route])
    const replaced = await replacedBy(request, taken)
    const start = startOf(request, taken, { version, deadlines, replaced })
    const isLate = clock.now() - acceptedAt >= CONFIRM_AFTER_MS
    const joined = isLate ? await confirmed(ask, taken) : undefined
    if (joined !== undefined) return joined
    const durable = await open(start, session === undefined, taken)
    const isUnlimited = isNotice(received) || request.free !== undefined
    const quota = isUnlimited ? { ...taken.quota, limit: limits.day } : taken.quota
    const scope = received.scope.becomeTurn(start.turnId)
    const { begun } = replaced
    const turn = { start: durable, policy: policyOf(durable), epoch: 1, quota, scope }
    return { kind: 'admitted', turn: begun === undefined ? turn : { ...turn, begun } }
  }

  /** Checked only after the grant: a repeat of an accepted request finds its turn replaced, by itself. */
  async function replacedBy({ message, received, ask }: AdmissionRequest, taken: TakenLimits): Promise<ReplacedTurn> {
    try {
      return await findReplaced(parts, { received, message, sessionId: ask.sessionId })
    } catch (error) {
      await limitsOf.giveBack(taken)
      throw error
    }
  }

  /**
   * The version of the session that the turn continues; undefined when the session could not be read. Checked only after
   * the grant, because a repeat of an accepted request carries the old version and is no conflict. Read again, because
   * another turn of the session may have ended before the grant.
   */
  async function currentVersion(
    { received, session }: AdmissionRequest,
    taken: TakenLimits,
  ): Promise<number | undefined> {
    if (session?.isChecked === false) return undefined
    const found = session === undefined ? undefined : await readSession(session.id)
    if (found === UNAVAILABLE) return undefined
    const version = found?.version ?? 0
    if (received.baseVersion === undefined || received.baseVersion === version) return version
    await limitsOf.giveBack(taken)
    throw new Refusal('VERSION_CONFLICT', { details: { field: 'baseVersion', version } })
  }

  function askOf(received: Received, messageTokens: number, tierOutputMax: number): Amounts {
    const ceiling = inputCeiling(config.tokens, messageTokens)
    // Beyond the usual ceiling nothing can be left out of the prompt, so the hold is guarded as well.
    const inputTokens = ceiling > config.tokens.inputPerRequestMax ? parts.guarded(ceiling) : ceiling
    const outputTokens = Math.min(received.maxTokens ?? tierOutputMax, tierOutputMax)
    return { inputTokens, outputTokens, costMicroUsd: parts.ceilingMicroUsd(inputTokens, outputTokens) }
  }
}

/** A notice that there will be no answer costs nothing, and no budget may refuse it. */
function isNotice({ deferredFrom }: Received): boolean {
  return deferredFrom?.isOver === true
}

function startOf(request: AdmissionRequest, taken: TakenLimits, facts: StartFacts): TurnStart {
  const { received, ask, message, language, acceptedAt, claimAfterEndMs } = request
  const { hold, networkHold, wideHold } = taken
  const { version, deadlines, replaced } = facts
  return {
    kind: 'chat',
    turnId: ask.turnId,
    requestId: received.requestId,
    principal: received.principal,
    sessionId: hold.sessionId,
    sessionVersion: version ?? 0,
    route: received.route,
    message,
    language,
    acceptedAt,
    deadlines,
    hold,
    ...(received.language === undefined ? {} : { languageWish: received.language }),
    ...(received.interfaceLanguage === undefined ? {} : { interfaceLanguage: received.interfaceLanguage }),
    ...(received.page === undefined ? {} : { page: received.page }),
    ...(replaced.replaces === undefined ? {} : { replaces: replaced.replaces }),
    ...(replaced.begun === undefined ? {} : { continued: replaced.begun.text }),
    ...(networkHold === undefined ? {} : { networkHold }),
    ...(wideHold === undefined ? {} : { wideNetwork: wideHold.principalId }),
    ...(version === undefined ? { unsaved: 'unchecked' as const } : {}),
    ...(received.writer === undefined ? {} : { writer: received.writer }),
    ...(received.deferredFrom === undefined ? {} : { deferredFrom: received.deferredFrom }),
    ...(request.free === undefined ? {} : { free: request.free }),
    ...(claimAfterEndMs === undefined ? {} : { claimAfterEndMs }),
    ...(received.scope.trace === undefined ? {} : { trace: received.scope.trace }),
  }
}

function withoutBudget(limits: PrincipalLimits): PrincipalLimits {
  const day = { ...NO_SESSION_LIMIT, costMicroUsd: Number.MAX_SAFE_INTEGER }
  return { ...limits, day, session: NO_SESSION_LIMIT, inputTokensMin: 1, outputTokensMin: 0 }
}
