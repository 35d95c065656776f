// Takes a question in or refuses it with a reason. What leaves here is durable: the money is held, the log is
// open, and any node could finish the turn. A refusal costs the shopper nothing.
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
import type { TurnStart } from '#domain/turn/turn-record.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Session, SessionStore } from '#ports/session-store/port.ts'
import type { AdmissionAnswer, AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnLog } from '#ports/turn-log/port.ts'
import { newSession } from '../new-session.ts'
import type { Admitted, Received } from '../turn.ts'
import { askAgain } from './ask-again.ts'
import { claimOf } from './idempotency.ts'
import { createLimits } from './limits.ts'
import type { Taken } from './limits.ts'
import { refusalFor } from './refusal-for.ts'
import { validate } from './validate.ts'

export interface AdmitParts {
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly telemetry: Telemetry
  readonly config: Config
  /** What a message takes of the configured ladder. */
  readonly gauge: () => TokenCounter
  /** What has to be held for so many estimated tokens. */
  readonly guarded: (tokens: number) => number
  /** What a principal may, as it is configured and as operators have changed it. */
  readonly principalLimits: (principal: Principal) => Promise<PrincipalLimits>
  /** What a request of this many tokens costs at most on the configured ladder. */
  readonly ceilingMicroUsd: (inputTokens: number, outputTokens: number) => number
}

export type Admission = { readonly kind: 'admitted'; readonly turn: Admitted } | Joined

type Joined = Extract<AdmissionAnswer, { readonly kind: 'duplicate' }>

const AWAY = Symbol('away')
/** An owner whose store was unavailable may need this long to write its log. After that it counts as dead. */
const OPEN_WITHIN_MS = 8000
const OPEN_LOOK_MS = 50
/** When to ask again for an answer whose log is not there. */
const LOG_RETRY_MS = 2000
/** An owner that opens its log later than this after it asked for the turn checks first that nobody took it for dead. */
const CONFIRM_AFTER_MS = OPEN_WITHIN_MS / 2

export function createAdmit(parts: AdmitParts): (received: Received) => Promise<Admission> {
  const { clock, random, sessions, turnLog, budgets: state, telemetry, config } = parts
  const limitsOf = createLimits(parts)

  /** An answer without the conversation is better than none. */
  async function look(sessionId: string): Promise<Session | undefined | typeof AWAY> {
    try {
      return await sessions.find(sessionId)
    } catch (error) {
      telemetry.count('session.away')
      telemetry.log('warn', 'session.away', {}, error)
      return AWAY
    }
  }

  async function ownSession(sessionId: string, principal: Principal): Promise<{ id: string; isChecked: boolean }> {
    const session = await look(sessionId)
    if (session === AWAY) return { id: sessionId, isChecked: false }
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

  /** Makes the granted turn durable, or gives everything back. */
  async function open(start: TurnStart, isNewSession: boolean, taken: Taken): Promise<TurnStart> {
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
      telemetry.log('warn', 'session.away', { turnId: start.turnId }, error)
      return false
    }
  }

  /** Whether an accepted turn has its log. Between the grant and the log there is a moment, in which a node can die. */
  async function opened(turnId: string): Promise<boolean> {
    const until = clock.now() + OPEN_WITHIN_MS
    for (;;) {
      if ((await turnLog.start(turnId)) !== undefined) return true
      if (clock.now() >= until) return false
      await clock.sleep(OPEN_LOOK_MS)
    }
  }

  async function admitOrJoin(received: Received, arrivedAt: number): Promise<Admission> {
    const first = await admitOnce(received, arrivedAt)
    if (first.kind === 'admitted' || (await opened(first.turnId))) return first
    // Its owner died before the turn was durable: no reader knows of it, so it is undone and the question is admitted again.
    await state.release({ id: first.turnId, principalId: received.principal.id })
    const second = await admitOnce(received, arrivedAt)
    if (second.kind === 'admitted' || (await opened(second.turnId))) return second
    // It was answered and charged, and its log is not there yet or was lost: a second answer would be charged again.
    throw refusalFor({ kind: 'unavailable', retryAfterMs: LOG_RETRY_MS }, clock.now())
  }

  /** Whether a turn is still this node's after a delay in which another node may have undone it; else what its key leads to. */
  async function confirmed(ask: AdmissionAsk, taken: Taken): Promise<Joined | undefined> {
    const answer = await state.admit(ask)
    if (answer.kind === 'granted' || answer.kind === 'unavailable') return undefined
    if (answer.kind === 'duplicate' && answer.turnId === ask.turnId) return undefined
    telemetry.count('turn.undone-before-its-log')
    await limitsOf.giveBack(taken)
    if (answer.kind === 'duplicate') return answer
    throw refusalFor(answer, clock.now())
  }

  return function admit(received) {
    const arrivedAt = clock.now()
    if (received.idempotencyKey === undefined) return admitOrJoin(received, arrivedAt)
    const until = arrivedAt + config.deadlines[received.route].firstWordMs
    // What was a first sending may have been sent again elsewhere by the time it is tried a second time.
    const asTried = (tries: number) => (tries > 1 && received.attempt === 1 ? { ...received, attempt: 2 } : received)
    return askAgain(clock, until, (tries) => admitOrJoin(asTried(tries), arrivedAt))
  }

  async function admitOnce(received: Received, arrivedAt: number): Promise<Admission> {
    const gauge = parts.gauge()
    const { message, language } = validate(received, config.tokens, gauge)
    if (received.idempotencyKey?.isWellFormed() === false) {
      throw new Refusal('INVALID_REQUEST', { details: { field: 'idempotencyKey', reason: 'lone-surrogate' } })
    }
    const session =
      received.sessionId === undefined ? undefined : await ownSession(received.sessionId, received.principal)
    const claim = claimOf(received, message, config)
    const limits = await parts.principalLimits(received.principal)
    const acceptedAt = clock.now()
    // Word that there will be no answer costs nobody anything, and no budget can refuse it.
    const isNotice = received.deferredFrom?.isOver === true
    const turnId = random.id('turn')
    const ask: AdmissionAsk = {
      turnId,
      principalId: received.principal.id,
      sessionId: session?.id ?? random.id('sess'),
      // The question itself must fit, or an answer would be promised that no model can be asked for.
      limits: isNotice
        ? withoutBudget(limits)
        : { ...limits, inputTokensMin: limits.inputTokensMin + gauge.text(message) },
      day: dayOf(acceptedAt, config.store.timeZone),
      idempotency: claim.ask,
      ...(received.idempotencyKey === undefined ? {} : { arrivedAt }),
      ...(claim.repeat === undefined ? {} : { repeat: claim.repeat }),
      ask: isNotice ? NOTHING : askOf(received, gauge.text(message), limits.outputTokensPerRequest),
      leaseMs: config.turns.holdMs,
    }
    const answer = await limitsOf.take(received, ask)
    if (answer.kind === 'duplicate') return answer
    // Only now: a repeat of an accepted request carries the old version, and is no conflict. Read anew, because
    // until the grant another turn of the session may have ended.
    const found = session?.isChecked === true ? await look(session.id) : undefined
    const isUnchecked = session?.isChecked === false || found === AWAY
    const sessionVersion = found === AWAY ? 0 : (found?.version ?? 0)
    if (received.baseVersion !== undefined && !isUnchecked && received.baseVersion !== sessionVersion) {
      await limitsOf.giveBack(answer)
      throw new Refusal('VERSION_CONFLICT', { details: { field: 'baseVersion', version: sessionVersion } })
    }
    const start: TurnStart = {
      turnId,
      requestId: received.requestId,
      principal: received.principal,
      sessionId: answer.hold.sessionId,
      sessionVersion,
      route: received.route,
      message,
      language,
      acceptedAt,
      deadlines: deadlinesFrom(acceptedAt, config.deadlines[received.route]),
      hold: answer.hold,
      ...(answer.networkHold === undefined ? {} : { networkHold: answer.networkHold }),
      ...(answer.wideHold === undefined ? {} : { wideNetwork: answer.wideHold.principalId }),
      ...(isUnchecked ? { unsaved: 'unchecked' as const } : {}),
      ...(received.writer === undefined ? {} : { writer: received.writer }),
      ...(received.deferredFrom === undefined ? {} : { deferredFrom: received.deferredFrom }),
      ...(claim.afterEndMs === undefined ? {} : { claimAfterEndMs: claim.afterEndMs }),
    }
    const isLate = clock.now() - acceptedAt >= CONFIRM_AFTER_MS
    const joined = isLate ? await confirmed(ask, answer) : undefined
    if (joined !== undefined) return joined
    const durable = await open(start, session === undefined, answer)
    const quota = isNotice ? { ...answer.quota, limit: limits.day } : answer.quota
    return { kind: 'admitted', turn: { start: durable, epoch: 1, quota } }
  }

  function askOf(received: Received, messageTokens: number, tierOutputMax: number): Amounts {
    const ceiling = inputCeiling(config.tokens, messageTokens)
    // Beyond the usual ceiling there is nothing to leave out, so that the doubt about the estimate is held as well.
    const inputTokens = ceiling > config.tokens.inputPerRequestMax ? parts.guarded(ceiling) : ceiling
    const outputTokens = Math.min(received.maxTokens ?? tierOutputMax, tierOutputMax)
    return { inputTokens, outputTokens, costMicroUsd: parts.ceilingMicroUsd(inputTokens, outputTokens) }
  }
}

function withoutBudget(limits: PrincipalLimits): PrincipalLimits {
  const day = { ...NO_SESSION_LIMIT, costMicroUsd: Number.MAX_SAFE_INTEGER }
  return { ...limits, day, session: NO_SESSION_LIMIT, inputTokensMin: 1, outputTokensMin: 0 }
}
