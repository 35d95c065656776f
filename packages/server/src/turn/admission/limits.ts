// All limits of admission, all or nothing. Guests are limited by network address too: a guest who drops the cookie is a new
// guest, and must not get a new budget; so is a member of the demo whose visitor drops the cookie. The address has an account of its
// own under a pseudonym, with the limits of guests. The principal's part is one atomic step; when either refuses, the other is
// released.
import type { Config } from '#config/config.ts'
import { networksIn } from '#domain/identity/networks.ts'
import { GUEST_TIER, isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { NO_SESSION_LIMIT } from '#domain/budget/quota.ts'
import type { Amounts, Hold, TierLimits } from '#domain/budget/quota.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import type { DoorKind } from '#domain/turn/log-records.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { AdmissionAnswer, AdmissionAsk, Budgets } from '#ports/budgets/port.ts'
import { isOnlyHeld, refusalFor } from './refusal-for.ts'

export interface LimitsParts {
  readonly clock: Clock
  readonly budgets: Budgets
  readonly config: Config
}

interface Asker {
  readonly principal: Principal
  readonly route: DoorKind
  /** Undefined when the address is unknown. */
  readonly network?: string | undefined
}

export type TakenLimits = Extract<AdmissionAnswer, { readonly kind: 'granted' }> & {
  readonly networkHold?: Hold
  /** Hold of the /48's account. It is never settled: it expires, and only its message stays counted. */
  readonly wideHold?: Hold
}
type Joined = Extract<AdmissionAnswer, { readonly kind: 'duplicate' }>

export interface Limits {
  /** Throws the refusal, and then nothing is taken. A duplicate takes nothing. */
  take(asker: Asker, ask: AdmissionAsk): Promise<TakenLimits | Joined>
  /** Releases everything that was taken. */
  giveBack(taken: Pick<TakenLimits, 'hold' | 'networkHold' | 'wideHold'>): Promise<void>
}

/** How many addresses without anything left are remembered. */
const CROWDED_MAX = 10_000
/** A /48 has the short-term rate and the messages of this many networks. */
const WIDE_FACTOR = 4
const WIDE_LEASE_MS = 1000
const UNLIMITED = { ...NO_SESSION_LIMIT, costMicroUsd: Number.MAX_SAFE_INTEGER }
const HELD_WAITS_MS = [50, 100, 200, 400] as const

export function createLimits({ clock, config, budgets: state }: LimitsParts): Limits {
  const crowdedUntil = new BoundedMap<string, number>(CROWDED_MAX)

  function networkAsk(network: string, { route }: Asker, { ask, day, turnId }: AdmissionAsk): AdmissionAsk {
    const own = `${turnId}.net`
    const narrow = networkLimits(tierLimits(config, GUEST_TIER), config.rates.address)
    return {
      turnId: own,
      principalId: network,
      sessionId: own,
      users: config.rates.address.guestsPerDay,
      limits: isFree(ask) ? { ...narrow, day: UNLIMITED, inputTokensMin: 1, outputTokensMin: 0 } : narrow,
      day,
      idempotency: { key: own, fingerprint: own, claimMs: 0 },
      ask,
      // Never renewed, so it lasts as long as any turn.
      leaseMs: config.deadlines[route].endMs + config.turns.holdMs,
    }
  }

  /**
   * The request to the account of a /48, whose owner can use 65,536 networks: a rate and a number of messages, no money, so
   * nothing needs to be settled.
   */
  function wideAsk(wide: string, { day, turnId }: AdmissionAsk): AdmissionAsk {
    const own = `${turnId}.wide`
    const narrow = networkLimits(tierLimits(config, GUEST_TIER), config.rates.address)
    const { perSecond, burst } = narrow.userRate
    return {
      turnId: own,
      principalId: wide,
      sessionId: own,
      users: config.rates.address.guestsPerDay * WIDE_FACTOR,
      limits: {
        ...narrow,
        day: UNLIMITED,
        messagesPerDay: narrow.messagesPerDay * WIDE_FACTOR,
        userRate: { perSecond: perSecond * WIDE_FACTOR, burst: burst * WIDE_FACTOR },
        inputTokensMin: 1,
        outputTokensMin: 1,
      },
      day,
      idempotency: { key: own, fingerprint: own, claimMs: 0 },
      ask: { inputTokens: 1, outputTokens: 1, costMicroUsd: 0 },
      leaseMs: WIDE_LEASE_MS,
    }
  }

  /** Waits a moment for money that running turns hold and will release: no request is refused because of that. */
  async function admitted(ask: AdmissionAsk): Promise<AdmissionAnswer> {
    for (const waitMs of HELD_WAITS_MS) {
      const answer = await state.admit(ask)
      if (answer.kind !== 'quota-exceeded' || !isOnlyHeld(answer)) return answer
      await clock.sleep(waitMs)
    }
    return state.admit(ask)
  }

  async function takeOfNetwork(network: string, ask: AdmissionAsk): Promise<Hold> {
    const answer = await admitted(ask)
    if (answer.kind === 'granted') return answer.hold
    if (answer.kind === 'duplicate') throw new Error('a new turn id was taken for a repeat')
    const refusal = refusalFor(answer, clock.now(), 'address')
    crowdedUntil.set(network, clock.now() + (refusal.retryAfterMs ?? 0))
    throw refusal
  }

  /** Throws when one of the networks refused, and releases the others. */
  async function refusedBy(networks: readonly PromiseSettledResult<Hold | undefined>[]): Promise<void> {
    const failed = networks.find(({ status }) => status === 'rejected')
    if (failed?.status !== 'rejected') return
    const holds = networks.flatMap((one) => (one.status === 'fulfilled' && one.value !== undefined ? [one.value] : []))
    await Promise.all(holds.map((hold) => state.release(hold)))
    throw failed.reason
  }

  async function takeOwn(ask: AdmissionAsk): Promise<TakenLimits | Joined> {
    const answer = await admitted(ask)
    if (answer.kind === 'granted' || answer.kind === 'duplicate') return answer
    throw refusalFor(answer, clock.now())
  }

  return {
    async take(asker, ask) {
      const { principal } = asker
      if (asker.network === undefined || !isUnproven(principal)) return takeOwn(ask)
      const { network, wide } = networksIn(asker.network)
      const first = takeOfNetwork(network, networkAsk(network, asker, ask))
      const around = wide === undefined ? undefined : takeOfNetwork(wide, wideAsk(wide, ask))
      // Asked together, which saves a round trip; but for an address with nothing left, the principal is not asked at all.
      const crowded = [network, wide ?? network].map((name) => crowdedUntil.get(name) ?? 0)
      const networks = Promise.allSettled([first, around])
      if (clock.now() < Math.max(...crowded)) await refusedBy(await networks)
      const [[ofNetwork, ofWide], own] = await Promise.all([networks, settled(takeOwn(ask))])
      const networkHold = ofNetwork.status === 'fulfilled' ? ofNetwork.value : undefined
      const wideHold = ofWide.status === 'fulfilled' ? ofWide.value : undefined
      const taken = own.status === 'fulfilled' ? own.value : undefined
      if (taken?.kind === 'granted' && networkHold !== undefined && ofWide.status === 'fulfilled')
        return { ...taken, networkHold, ...(wideHold === undefined ? {} : { wideHold }) }
      const held = [networkHold, wideHold, taken?.kind === 'granted' ? taken.hold : undefined]
      await Promise.all(held.flatMap((hold) => (hold === undefined ? [] : [state.release(hold)])))
      // A repeat joins its turn, whatever is left.
      if (taken?.kind === 'duplicate') return taken
      const failed = [own, ofNetwork, ofWide].find(({ status }) => status === 'rejected')
      throw failed?.status === 'rejected' ? failed.reason : undefined
    },
    async giveBack({ hold, networkHold, wideHold }) {
      const held = [hold, networkHold, wideHold]
      await Promise.all(held.flatMap((one) => (one === undefined ? [] : [state.release(one)])))
    },
  }
}

/** It needs no budget, only the rates. */
function isFree({ inputTokens, outputTokens }: Amounts): boolean {
  return inputTokens + outputTokens === 0
}

async function settled<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [result] = await Promise.allSettled([work])
  return result
}

function networkLimits(guest: TierLimits, address: Config['rates']['address']): TierLimits {
  const { guestsPerDay, messagesPerDay, perSecond, burst } = address
  const times = (figure: number) => Math.min(figure * guestsPerDay, Number.MAX_SAFE_INTEGER)
  return {
    ...guest,
    tier: 'address',
    day: {
      inputTokens: times(guest.day.inputTokens),
      outputTokens: times(guest.day.outputTokens),
      costMicroUsd: times(guest.day.costMicroUsd),
    },
    session: NO_SESSION_LIMIT,
    // The bucket alone is the short-term rate.
    requestsPerMinute: Number.MAX_SAFE_INTEGER,
    messagesPerDay,
    userRate: { perSecond, burst },
  }
}
