// Calls a person by a webhook: one POST of JSON, retried a few times within a deadline, without following redirects. The
// address may be a secret, so no log contains it. The receiver recognises repeats by the `Idempotency-Key`.
import { BACKOFFS } from '#domain/retry/backoff.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover, HandoverCall } from '#ports/handover/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface HttpHandoverOptions {
  readonly url: string
  readonly withText: boolean
  /** Timeout of one try. */
  readonly deadlineMs: number
  readonly triesMax: number
  readonly underWayMax: number
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
}

const PAUSES = { baseMs: 500, capMs: 10_000 }

type Try = 'delivered' | 'refused' | 'again'

export function httpHandover(options: HttpHandoverOptions): Handover {
  const { url, clock, telemetry } = options
  let underWay = 0
  const isFree = () => underWay < options.underWayMax

  async function post(call: HandoverCall, signal: AbortSignal): Promise<Try> {
    const { question, ...named } = call
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': call.turnId },
      body: JSON.stringify(options.withText ? { ...named, question } : named),
      redirect: 'error',
      signal,
    })
    // The body is not needed, but unread it would block the connection.
    await response.body?.cancel()
    if (response.ok) return 'delivered'
    return response.status === 429 || response.status >= 500 ? 'again' : 'refused'
  }

  async function tryOnce(call: HandoverCall): Promise<Try> {
    try {
      const limit = { ms: options.deadlineMs, signal: NEVER }
      const result = await withDeadline(clock, limit, (signal) => post(call, signal))
      return result === LATE ? 'again' : result
    } catch {
      // The error's text contains the address.
      return 'again'
    }
  }

  async function deliver(call: HandoverCall): Promise<boolean> {
    let backoff = BACKOFFS.equal(PAUSES)
    for (let tries = 1; ; tries += 1) {
      const result = await tryOnce(call)
      if (result !== 'again' || tries === options.triesMax) return result === 'delivered'
      const next = backoff.next(options.random.float())
      backoff = next.backoff
      await clock.sleep(next.delayMs)
    }
  }

  return {
    isFree,
    async call(call) {
      if (!isFree()) {
        telemetry.count('handover_total', { outcome: 'busy' })
        return 'busy'
      }
      underWay += 1
      try {
        const end = (await deliver(call)) ? 'delivered' : 'gave-up'
        telemetry.count('handover_total', { outcome: end === 'delivered' ? 'delivered' : 'failed' })
        if (end === 'gave-up') telemetry.log('warn', 'handover.failed', { turnId: call.turnId })
        return end
      } finally {
        underWay -= 1
      }
    },
  }
}
