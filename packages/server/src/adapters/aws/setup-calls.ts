// Calls of `setup` and `doctor` to AWS, which no adapter bounds: each has a deadline, so that an endpoint that accepts and does not answer
// ends a command, and a throttled call, which was not executed, is made again.
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'

type Send<Output> = (options: { readonly abortSignal: AbortSignal }) => Promise<Output>

export const SETUP_CALL_MS = 15_000
const TRIES_MAX = 6
const REPEAT_FIRST_MS = 500
const THROTTLES = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'ThrottlingException',
])

export async function setupCall<Output>(clock: Clock, send: Send<Output>): Promise<Output> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await withDeadline(clock, { ms: SETUP_CALL_MS, signal: NEVER }, (abortSignal) =>
        send({ abortSignal }),
      )
      if (answer !== LATE) return answer
    } catch (error) {
      if (!(error instanceof Error && THROTTLES.has(error.name)) || tries === TRIES_MAX) throw error
      await clock.sleep(REPEAT_FIRST_MS * 2 ** (tries - 1))
      continue
    }
    throw new Error(`no answer within ${SETUP_CALL_MS / 1000} seconds: look at the address and the network`)
  }
}
