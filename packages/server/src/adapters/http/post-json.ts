// Posts JSON to a webhook: tried a few times with growing pauses, each try within a deadline, without following redirects. The address
// may be a secret, so no error's text is passed on: it contains the address.
import { BACKOFFS } from '#domain/retry/backoff.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'

export interface PostOptions {
  readonly url: string
  /** Timeout of one try. */
  readonly deadlineMs: number
  readonly triesMax: number
  readonly clock: Clock
  readonly random: Random
}

/** `delivered`, or why the last try failed: a status, `timeout` or `unreachable`. */
export type Posted = 'delivered' | `status ${number}` | 'timeout' | 'unreachable'

const PAUSES = { baseMs: 500, capMs: 10_000 }

/** A receiver recognises repeats by the `Idempotency-Key`. */
export async function postJson(options: PostOptions, body: unknown, idempotencyKey: string): Promise<Posted> {
  const { clock, random, triesMax } = options
  const text = JSON.stringify(body)
  let backoff = BACKOFFS.equal(PAUSES)
  for (let tries = 1; ; tries += 1) {
    const posted = await tryOnce(options, text, idempotencyKey)
    if (!isTransient(posted) || tries === triesMax) return posted
    const next = backoff.next(random.float())
    backoff = next.backoff
    await clock.sleep(next.delayMs)
  }
}

async function tryOnce({ clock, deadlineMs, url }: PostOptions, body: string, key: string): Promise<Posted> {
  try {
    const limit = { ms: deadlineMs, signal: NEVER }
    const status = await withDeadline(clock, limit, async (signal) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key }
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
      // The body is not needed, but unread it would block the connection.
      await response.body?.cancel()
      return response.ok ? 200 : response.status
    })
    if (status === LATE) return 'timeout'
    return status === 200 ? 'delivered' : `status ${status}`
  } catch {
    return 'unreachable'
  }
}

function isTransient(posted: Posted): boolean {
  if (posted === 'delivered') return false
  if (posted === 'timeout' || posted === 'unreachable') return true
  const status = Number(posted.slice('status '.length))
  return status === 429 || status >= 500
}
