// Rates, budgets, holds and idempotency on Redis, for a cluster of nodes. All keys of a principal are on one slot, so every
// verb is one atomic script, and it answers exactly as the memory adapter does. A call that fails or is late throws
// RedisUnavailable; it may have been executed, and can be repeated.
import type { Day } from '#domain/budget/day.ts'
import type { Amounts, Hold, QuotaScope, QuotaState, RateScope, TierLimits } from '#domain/budget/quota.ts'
import type { AdmissionAnswer, AdmissionAsk, Claimed, OwnedId, SettleResult, Budgets } from '#ports/budgets/port.ts'
import type { Redis } from '../client/connection.ts'
import { carryOver } from './carry-over.ts'
import { SHARED_STATE_SCRIPTS as scripts } from './scripts.ts'

export function redisBudgets({ redis }: { readonly redis: Pick<Redis, 'run'> }): Budgets {
  const admit = (ask: AdmissionAsk, epoch: string) =>
    redis.run(scripts.admit, accountKeysOf(ask.principalId, ask.turnId, ask.sessionId), [...admitArgs(ask), epoch])
  return {
    async admit(ask) {
      return toAnswer(ask, (await admit(ask, '')) as Reply)
    },
    async admitCompared(ask, epoch) {
      const reply = (await admit(ask, epoch)) as Reply | readonly ['not-compared']
      return reply[0] === 'not-compared' ? undefined : toAnswer(ask, reply)
    },
    async markCompared({ day, epoch, messages, principalId }) {
      await redis.run(scripts.markCompared, accountKeysOf(principalId), [day.key, day.endsAt, messages, epoch])
    },
    async claimed({ idempotency, principalId }) {
      const args = [idempotency.key, idempotency.fingerprint]
      const reply = (await redis.run(scripts.claimed, accountKeysOf(principalId), args)) as ClaimedReply | null
      return reply === null ? undefined : toClaimed(reply)
    },
    async claim(hold, { claimMs, fingerprint, key }) {
      const { day, granted, id, principalId, sessionId } = hold
      const args = [id, sessionId, day.key, day.endsAt, key, fingerprint, claimMs, ...listed(granted)]
      await redis.run(scripts.claim, keysOfHold({ id, principalId }), args)
    },
    async narrow(hold, to) {
      return (await redis.run(scripts.narrow, keysOfHold(hold), [hold.id, ...listed(to)])) === 1
    },
    async extend(hold, to, limits) {
      const session = [limits.session.inputTokens, limits.session.outputTokens]
      const args = [hold.id, hold.sessionId, ...listed(to), ...listed(limits.day), ...session]
      return (await redis.run(scripts.extend, accountKeysOf(hold.principalId, hold.id, hold.sessionId), args)) === 1
    },
    async renew(hold, leaseMs) {
      return (await redis.run(scripts.renew, keysOfHold(hold), [hold.id, leaseMs])) === 1
    },
    async settle(hold, used, { claimMs, alarmMicroUsd, unlessHeld } = {}) {
      const keys = accountKeysOf(hold.principalId, hold.id, hold.sessionId)
      const day = [hold.day.key, hold.day.endsAt]
      const ends = [claimMs ?? '', alarmMicroUsd ?? '', unlessHeld === true ? 1 : 0]
      const args = [hold.id, hold.sessionId, ...day, ...listed(hold.granted), ...listed(used), ...ends]
      const [charged, overage, alarm] = (await redis.run(scripts.settle, keys, args)) as readonly number[]
      const settled: SettleResult = { charged: charged === 1, overage: overage === 1 }
      return alarm === 1 ? { ...settled, alarm: true } : settled
    },
    async reset(use) {
      const keys = accountKeysOf(use.principalId)
      const used =
        'sessionId' in use
          ? await redis.run(scripts.resetSession, [...keys, sessionKeyOf(use.principalId, use.sessionId)], [])
          : await redis.run(scripts.resetDay, keys, [use.day.key])
      return toAmounts(used as Triple)
    },
    async release(hold) {
      await redis.run(scripts.release, keysOfHold(hold), [hold.id])
    },
    async forgetClaim(hold) {
      await redis.run(scripts.forgetClaim, keysOfHold(hold), [hold.id])
    },
    async quota(principalId, limits, day) {
      return toQuota(limits, day, await redis.run(scripts.quota, accountKeysOf(principalId), [day.key]))
    },
    async runningTurn({ id, inheritedFrom, principalId }) {
      const owners = [principalId, ...(inheritedFrom === undefined ? [] : [inheritedFrom])]
      const found = await Promise.all(owners.map((owner) => redis.run(scripts.runningTurn, accountKeysOf(owner), [id])))
      return found.find((turnId) => typeof turnId === 'string')
    },
    carryOver(session) {
      const { id, inheritedFrom, principalId } = session
      // There is no turn here: the empty id fills the position before the session's key.
      const keys = { ofFormer: accountKeysOf(inheritedFrom, '', id), own: sessionKeyOf(principalId, id) }
      return carryOver(redis, session, keys)
    },
  }
}

/** In the order of the scripts' preamble. */
const SHARED_KEYS = ['account', 'minute', 'holds', 'claims:even', 'claims:odd'] as const

export function accountKeysOf(principalId: string, turnId?: string, sessionId?: string): readonly string[] {
  const slot = `{user:${principalId}}`
  const shared = SHARED_KEYS.map((name) => `${slot}:${name}`)
  const ofTurn = turnId === undefined ? [] : [`${slot}:turn:${turnId}`]
  const ofSession = sessionId === undefined ? [] : [sessionKeyOf(principalId, sessionId)]
  return [...shared, ...ofTurn, ...ofSession]
}

const sessionKeyOf = (principalId: string, sessionId: string) => `{user:${principalId}}:session:${sessionId}`
const keysOfHold = ({ id, principalId }: OwnedId) => accountKeysOf(principalId, id)

/** A fraction would fail a script halfway, after its first writes. */
function listed(amounts: Amounts): readonly number[] {
  const list = [amounts.inputTokens, amounts.outputTokens, amounts.costMicroUsd]
  if (!list.every(Number.isSafeInteger)) throw new RangeError('amounts are whole numbers')
  return list
}

/** In the order in which the script `admit` reads them. */
function admitArgs({ turnId, sessionId, limits, day, idempotency, ask, leaseMs }: AdmissionAsk) {
  const claim = [idempotency.key, idempotency.fingerprint, idempotency.claimMs]
  const session = [limits.session.inputTokens, limits.session.outputTokens]
  const { requestsPerMinute, messagesPerDay, userRate, inputTokensMin, outputTokensMin } = limits
  const rates = [requestsPerMinute, messagesPerDay, userRate.perSecond, userRate.burst]
  const budgets = [...listed(ask), ...listed(limits.day), ...session]
  return [
    turnId,
    sessionId,
    day.key,
    day.endsAt,
    ...claim,
    leaseMs,
    ...budgets,
    ...rates,
    inputTokensMin,
    outputTokensMin,
  ]
}

type Reply =
  | readonly ['granted', string, string, number, Triple, QuotaReply, readonly [number, number]]
  | ClaimedReply
  | readonly ['session-busy', string]
  | readonly ['rate-limited', RateScope, number, QuotaReply]
  | readonly ['quota-exceeded', QuotaScope, QuotaReply]

type ClaimedReply = readonly ['duplicate', string, string] | readonly ['key-reused']

type Triple = readonly [number, number, number]
/** Used, reserved, then the count in the sliding minute and when the oldest leaves it. */
type QuotaReply = readonly [...Triple, ...Triple, number, number]

function toAnswer(ask: AdmissionAsk, reply: Reply): AdmissionAnswer {
  const quota = (values: QuotaReply) => toQuota(ask.limits, ask.day, values)
  switch (reply[0]) {
    case 'granted': {
      const [kind, sessionId, key, endsAt, granted, values, [inputTokens, outputTokens]] = reply
      const { turnId: id, principalId } = ask
      const hold: Hold = { id, principalId, sessionId, day: { key, endsAt }, granted: toAmounts(granted) }
      const conversation = { used: { inputTokens, outputTokens }, limit: ask.limits.session }
      return { kind, hold, quota: { ...quota(values), conversation } }
    }
    case 'duplicate':
    case 'key-reused':
      return toClaimed(reply)
    case 'session-busy':
      return { kind: reply[0], turnId: reply[1] }
    case 'rate-limited':
      return { kind: reply[0], scope: reply[1], retryAfterMs: reply[2], quota: quota(reply[3]) }
    case 'quota-exceeded':
      return { kind: reply[0], scope: reply[1], quota: quota(reply[2]) }
  }
}

function toClaimed(reply: ClaimedReply): Claimed {
  if (reply[0] === 'key-reused') return { kind: reply[0] }
  const [kind, turnId, sessionId] = reply
  return { kind, turnId, sessionId }
}

function toQuota(limits: TierLimits, day: Day, reply: unknown): QuotaState {
  const [usedInput, usedOutput, usedCost, input, output, cost, inMinute, resetMs] = reply as QuotaReply
  return {
    tier: limits.tier,
    resetsAt: day.endsAt,
    used: toAmounts([usedInput, usedOutput, usedCost]),
    reserved: toAmounts([input, output, cost]),
    limit: limits.day,
    requestsPerMinute: { used: inMinute, limit: limits.requestsPerMinute, resetMs },
  }
}

function toAmounts([inputTokens, outputTokens, costMicroUsd]: Triple): Amounts {
  return { inputTokens, outputTokens, costMicroUsd }
}
