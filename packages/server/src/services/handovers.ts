// A shopper's way to a person: what the desk is and what it gets, and the request itself. A request is stored before the
// shopper gets a reply; the webhook, where there is one, is called behind it.
import type { HandoverAsk, HandoverPreview, HandoverView, Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { orderNumberIn } from '#domain/desk/order-number.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { HandoverRequest, HandoverRequests } from '#stores/handover-requests.ts'
import type { Session, SessionStore, StoredTurn } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { callerLimit } from './storefront/caller-limit.ts'
import type { CallerLimitParts } from './storefront/caller-limit.ts'
import { deskView } from './storefront/desk-view.ts'

export interface HandoversParts extends CallerLimitParts {
  readonly clock: Pick<Clock, 'now'>
  readonly config: Pick<Config, 'store'>
  readonly handovers: HandoverRequests
  readonly sessions: Pick<SessionStore, 'recentTurns'>
  readonly telemetry: Pick<Telemetry, 'count'>
  /** Throws NOT_FOUND or SESSION_EXPIRED unless the conversation is the principal's. */
  readonly check: (principal: Principal, sessionId: string) => Promise<Session>
  /** Notes on the record of a turn that a person was called. */
  readonly note: (turnId: string) => void
  /** Absent where no person is called. */
  readonly handover?: Handover | undefined
}

const DAY_MS = 86_400_000
/** How often one person may ask for a person within a day, over all conversations. */
const PER_DAY_MAX = 5
/** More than a household or an office needs: people read requests. */
const ASKS = { name: 'handovers', perSecond: 20 / 3600, burst: 20 }
/** An order number that was named before these is not offered. */
const TURNS_READ_MAX = 40
/** The `reason` of the webhook's call. */
const ASKED = 'asked-for-a-person'

export interface HandoverAsked extends HandoverAsk {
  /** The network of the caller. */
  readonly network: string
}

export function createHandovers(parts: HandoversParts) {
  const { clock, config, handovers, sessions, telemetry } = parts
  const takeAsk = callerLimit(parts, ASKS)

  /**
   * Throws RATE_LIMITED. Counts repeats and requests of removed conversations too.
   */
  async function countAsk(principal: Principal, network: string): Promise<void> {
    const retryAfterMs = await takeAsk(principal, network)
    if (retryAfterMs === 0) return
    telemetry.count('handover_requests_total', { outcome: 'rate-limited' })
    throw new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'handovers' } })
  }

  async function aboveLimit(principalId: string): Promise<Refusal> {
    telemetry.count('handover_requests_total', { outcome: 'rate-limited' })
    const lately = await handovers.ofPrincipal(principalId)
    const { at } = lately[PER_DAY_MAX - 1] ?? { at: 0 }
    const retryAfterMs = Math.max(1, at + DAY_MS - clock.now())
    return new Refusal('RATE_LIMITED', { retryAfterMs, details: { scope: 'handovers', max: PER_DAY_MAX } })
  }

  /** Fire and forget: the request is stored, and the webhook counts its own failures. */
  function callDesk(request: HandoverRequest, last: StoredTurn | undefined): void {
    const { id, language, sessionId } = request
    const given = givenIn(request)
    const turnId = last?.turnId ?? id
    const question = last?.question ?? ''
    void parts.handover?.call({ handoverId: id, turnId, sessionId, language, reason: ASKED, question, given })
  }

  /** A conversation has one request at a time: a repeat returns it as it is. */
  async function ask(
    principal: Principal,
    sessionId: string,
    { network, ...asked }: HandoverAsked,
  ): Promise<HandoverView> {
    await countAsk(principal, network)
    await parts.check(principal, sessionId)
    const [known] = await handovers.ofSession(sessionId)
    if (known !== undefined && known.state !== 'closed') return viewOf(known)
    const last = (await sessions.recentTurns(sessionId, 1)).at(-1)
    const { language = last?.language ?? 'ja', ...given } = asked
    const id = parts.random.id('hand')
    const at = clock.now()
    const turn = last === undefined ? {} : { turnId: last.turnId }
    const stored = await handovers.add(
      { ...given, id, sessionId, principalId: principal.id, language, at, ...turn },
      { max: PER_DAY_MAX, since: at - DAY_MS },
    )
    if (stored === undefined) throw await aboveLimit(principal.id)
    const isNew = stored.id === id
    telemetry.count('handover_requests_total', { outcome: isNew ? 'stored' : 'repeated' })
    if (isNew) callDesk(stored, last)
    if (isNew && last !== undefined) parts.note(last.turnId)
    return viewOf(stored)
  }

  return {
    async previewHandover(principal: Principal, sessionId: string, language: Language): Promise<HandoverPreview> {
      const { version } = await parts.check(principal, sessionId)
      const [turns, [request]] = await Promise.all([
        sessions.recentTurns(sessionId, TURNS_READ_MAX),
        handovers.ofSession(sessionId),
      ])
      const orderNumber = orderNumberIn(turns.map(({ question }) => question))
      return {
        desk: deskView(config.store, clock.now(), language),
        passesOn: { turns: version, ...(orderNumber === undefined ? {} : { orderNumber }) },
        ...(request === undefined ? {} : { request: viewOf(request) }),
      }
    },

    askForPerson: ask,
  }
}

/** What the shopper wrote into the request. */
function givenIn({ email, note, orderNumber }: HandoverRequest) {
  return {
    ...(email === undefined ? {} : { email }),
    ...(orderNumber === undefined ? {} : { orderNumber }),
    ...(note === undefined ? {} : { note }),
  }
}

function viewOf(request: HandoverRequest): HandoverView {
  const { at, changed, id, sessionId, state } = request
  return {
    handoverId: id,
    sessionId,
    state,
    at: isoTime(at),
    ...(changed === undefined ? {} : { changedAt: isoTime(changed.at) }),
    ...givenIn(request),
  }
}
