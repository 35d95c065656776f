// Notices a Redis that has lost its data: it was flushed, or restarted without its file. A marker key is written once and
// checked at intervals and after each reconnect. Nothing else would show the loss, because every script starts from what it
// finds.
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
  /** Restores the data that this node still has. */
  readonly onEmptied: () => Promise<void>
}

const MARK = 'ma:{fleet}:mark'
const CHECK_EVERY_MS = 5000

/** Resolves when the marker is written. Disposing stops the checks. */
export async function watchForEmptied(parts: EmptiedWatchParts): Promise<Disposable> {
  const { random, clock, onEmptied, redis, telemetry } = parts
  /** Writes the marker unless another node has, and returns its value. */
  const put = async (): Promise<string> => {
    const own = random.id('mark')
    const before = await redis.command(MARK, 'SET', MARK, own, 'NX', 'GET')
    return typeof before === 'string' ? before : own
  }
  let known = await put()
  let checking: Promise<void> | undefined
  let timer: Disposable | undefined
  let isOver = false

  const check = async (): Promise<void> => {
    const mark = await redis.command(MARK, 'GET', MARK)
    if (mark === known) return
    // Another node may have noticed first and written a new marker.
    known = await put()
    telemetry.count('alarm_redis_emptied_total')
    telemetry.log('error', 'alarm.redis-emptied', {
      lost: 'budgets, conversations, ledger and running turns of the cluster',
    })
    await onEmptied()
  }
  const checkOnce = (): Promise<void> => {
    checking ??= check()
      .catch((error: unknown) => {
        // An unavailable Redis is checked again next time.
        if (!(error instanceof RedisUnavailable)) telemetry.log('error', 'redis.check-failed', {}, error)
      })
      .finally(() => (checking = undefined))
    return checking
  }
  const arm = (): void => {
    timer = clock.after(CHECK_EVERY_MS, () => void checkOnce().then(() => (isOver ? undefined : arm())))
  }
  arm()
  const gap = redis.onGap(() => void checkOnce())
  return {
    [Symbol.dispose]() {
      isOver = true
      timer?.[Symbol.dispose]()
      gap[Symbol.dispose]()
    },
  }
}
