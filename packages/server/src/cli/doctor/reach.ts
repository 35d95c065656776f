// Whether an address can be reached, and what time it is there. Connecting sends nothing: no webhook is called. The time comes from the
// `Date` of a response to a request without credentials.
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { NEVER } from '#lib/async/never.ts'
import { httpDateMs } from '#lib/time/retry-after.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'

const REACH_MS = 5000
const HALF_A_SECOND_MS = 500

/** Undefined when a connection could be opened, for https with a valid certificate; else why not. */
export function whyUnreachable(address: string): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(address)
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const at = { host, port: Number(port) || (isSecure ? 443 : 80) }
  return new Promise((resolve) => {
    const socket = isSecure ? connectTls({ ...at, servername: host }) : connectPlain(at)
    const end = (why?: string) => {
      socket.destroy()
      resolve(why)
    }
    socket.setTimeout(REACH_MS, () => end(`no connection within ${REACH_MS / 1000} s`))
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end())
    // The code alone: the message names the address, which may be a secret.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code ?? 'the connection was refused'))
  })
}

export interface ClockDifference {
  /** How far the other clock is ahead of this machine's; negative when it is behind. */
  readonly aheadMs: number
  /** How far that may be wrong. */
  readonly withinMs: number
}

/** From a time there that was read between two times here. */
export function differenceOf(there: number, before: number, after: number): ClockDifference {
  return { aheadMs: Math.round(there - (before + after) / 2), withinMs: Math.ceil((after - before) / 2) }
}

/** Undefined when no response came, or none with a time. A `Date` has whole seconds. */
export async function httpClock(address: string, clock: Clock): Promise<ClockDifference | undefined> {
  const before = clock.now()
  const request = { method: 'HEAD', redirect: 'manual' } as const
  const date = await withDeadline(clock, { ms: REACH_MS, signal: NEVER }, async (signal) => {
    const response = await fetch(address, { ...request, signal })
    await response.body?.cancel()
    return response.headers.get('date') ?? ''
  }).catch(() => undefined)
  const there = typeof date === 'string' ? httpDateMs(date) : undefined
  if (there === undefined) return undefined
  const { aheadMs, withinMs } = differenceOf(there + HALF_A_SECOND_MS, before, clock.now())
  return { aheadMs, withinMs: withinMs + HALF_A_SECOND_MS }
}
