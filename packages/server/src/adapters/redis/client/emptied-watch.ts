// Notices a Redis that has lost what it held: it was flushed, or came back without its file. A mark is put there once and looked for
// again at intervals and after each reconnect. Nothing else would say so: every script begins anew with what it finds.
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { RedisUnavailable } from './connection.ts'
import type { Redis } from './connection.ts'

export interface EmptiedWatchParts {
  readonly redis: Pick<Redis, 'command' | 'onGap'>
  readonly clock: Clock
  readonly random: Pick<Random, 'id'>
  readonly telemetry: Telemetry
  /** Puts back what a node can give again. */
  readonly onEmptied: () => Promise<void>
}

const MARK = 'ma:{fleet}:mark'
const LOOK_EVERY_MS = 5000

/** Resolves once the mark is there. Stops looking when it is disposed of. */
export async function watchForEmptied(parts: EmptiedWatchParts): Promise<Disposable> {
  const { random, clock, onEmptied, redis, telemetry } = parts
  /** Whichever node came first has put it there. */
  const put = async (): Promise<string> => {
    const own = random.id('mark')
    const before = await redis.command(MARK, 'SET', MARK, own, 'NX', 'GET')
    return typeof before === 'string' ? before : own
  }
  let known = await put()
  let looking: Promise<void> | undefined
  let timer: Disposable | undefined
  let isOver = false

  const look = async (): Promise<void> => {
    const mark = await redis.command(MARK, 'GET', MARK)
    if (mark === known) return
    // Another node may have noticed first and put a new one.
    known = await put()
    telemetry.count('alarm_redis_emptied_total')
    telemetry.log('error', 'alarm.redis-emptied', {
      lost: 'budgets, conversations, ledger and running turns of the fleet',
    })
    await onEmptied()
  }
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => {
        // What cannot be reached now is looked at the next time.
        if (!(error instanceof RedisUnavailable)) telemetry.log('error', 'redis.check-failed', {}, error)
      })
      .finally(() => (looking = undefined))
    return looking
  }
  const arm = (): void => {
    timer = clock.after(LOOK_EVERY_MS, () => void lookOnce().then(() => (isOver ? undefined : arm())))
  }
  arm()
  const gap = redis.onGap(() => void lookOnce())
  return {
    [Symbol.dispose]() {
      isOver = true
      timer?.[Symbol.dispose]()
      gap[Symbol.dispose]()
    },
  }
}
