// What every request passes before admission: whether the service is open, a slot of this node, and the shared rates.
// Whatever refuses, everything taken before is returned.
import type { Config } from '#config/config.ts'
import type { RunSettings } from '#domain/settings/run-settings.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import { refusedWhy } from '#domain/turn-records/refused-by.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { RateChunks } from '#ports/rate-chunks/port.ts'
import type { Scope, Telemetry } from '#ports/telemetry/port.ts'
import { LeasedRates } from '#turn/admission/leased-rates.ts'
import type { RateTaking } from '#turn/admission/leased-rates.ts'
import type { WaitingQueue } from '#turn/invocation/waiting-queue.ts'
import { jittered } from './pressure/pressure.ts'
import type { Pressure } from './pressure/pressure.ts'
import { TurnSlots } from './pressure/turn-slots.ts'

export interface EntryGateParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly rateChunks: RateChunks
  readonly settings: Pick<RunSettings, 'mode'>
  readonly queue: Pick<WaitingQueue, 'size' | 'drainMs'>
  readonly pressure: Pressure
  readonly config: Pick<Config, 'queue' | 'rates' | 'server' | 'turns'>
}

export interface EntryGate {
  readonly slots: TurnSlots
  /** Aborted once the node drains, which begins with its lame duck. */
  readonly draining: AbortSignal
  /**
   * Admits by `admit`, which also starts the turn: the slot is held until it resolves. `admit` gets the refusal of what needs a
   * model, when the queue is full; what it returns has the quota of an admitted turn, for the span. Throws a Refusal.
   */
  enter<Value extends { readonly quota: QuotaState | undefined }>(
    rates: readonly ('global' | 'chat')[],
    asked: { readonly scope: Scope; readonly principal: Pick<Principal, 'tier'> },
    admit: (full: Refusal | undefined) => Promise<Value>,
  ): Promise<Value>
  /** Takes the rate of a connection; the caller returns it if it refuses the connection. Throws a Refusal. */
  connect(): Promise<RateTaking>
  /** The node drains: it still admits requests, until it is closed. */
  drain(): void
  /** Refuses every request from now on; `hasOthers` says whether another node answers. */
  close(hasOthers: boolean): void
  /** What a closed gate refuses with. */
  closed(): Refusal | undefined
}

/** How long clients wait for a node that is closed: another node, or this one after a restart, has room soon. */
const CLOSED_HOLD_MS = 5000
/** The duration of maintenance is unknown; clients retry after about this. */
const MAINTENANCE_RETRY_MS = 30_000

export function createEntryGate(parts: EntryGateParts): EntryGate {
  const { clock, random, telemetry, settings, queue, pressure, config } = parts
  const draining = new AbortController()
  let closed: Refusal | undefined
  const slots = new TurnSlots({ clock, random, pressure, runningMax: config.turns.runningMax })
  const { global, chat, connections } = config.rates
  const buckets = { global, chat, connections }
  const rates = new LeasedRates({ chunks: parts.rateChunks, clock, random, telemetry }, buckets)
  const soon = (ms: number) => jittered(ms, random.float())

  function requireOpen(): void {
    if (closed !== undefined) throw closed
    const mode = settings.mode()
    if (mode === 'maintenance' || mode === 'read-only') {
      const details = mode === 'read-only' ? { details: { reason: mode } } : {}
      throw new Refusal('MAINTENANCE', { retryAfterMs: soon(MAINTENANCE_RETRY_MS), ...details })
    }
  }

  const full = () =>
    queue.size() < config.queue.entriesMax
      ? undefined
      : new Refusal('QUEUE_FULL', { retryAfterMs: soon(queue.drainMs()) })

  return {
    slots,
    draining: draining.signal,
    async enter(names, { principal, scope }, admit) {
      const span = scope.span('admission', { userTier: principal.tier })
      try {
        requireOpen()
        using _slot = slots.reserve()
        const taken = await span.within(() => rates.take(...names))
        try {
          const admitted = await span.within(() => admit(full()))
          span.end('completed', limitFields(admitted.quota))
          return admitted
        } catch (error) {
          // A refusal must not cost the shared rates anything.
          taken.undo()
          throw error
        }
      } catch (error) {
        if (error instanceof Refusal)
          span.end('refused', { code: error.code, limitScope: refusedWhy(error).scope, ...limitFields(error.quota) })
        else span.end('failed')
        throw error
      }
    },
    connect: () => rates.take('connections'),
    closed: () => closed,
    drain: () => draining.abort(),
    close(hasOthers) {
      draining.abort()
      closed = hasOthers
        ? new Refusal('MAINTENANCE', { retryAfterMs: 0, details: { reason: 'draining' } })
        : new Refusal('MAINTENANCE', { retryAfterMs: config.server.drainMs, details: { reason: 'restarting' } })
      pressure.say('draining', 'pause', CLOSED_HOLD_MS)
    },
  }
}

/** The limits that the request was held against, where it came so far. */
function limitFields(quota: QuotaState | undefined): SpanFields {
  if (quota === undefined) return {}
  const { limit, requestsPerMinute } = quota
  return {
    limitInputTokens: limit.inputTokens,
    limitOutputTokens: limit.outputTokens,
    limitCostMicroUsd: limit.costMicroUsd,
    limitRequestsPerMinute: requestsPerMinute.limit,
  }
}
