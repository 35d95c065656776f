// Notices a Redis that has lost data: it was flushed, restarted without its file or with an old one, or a replica that was behind took
// over. A marker key names the epoch. At intervals and after each reconnect, every node writes a higher number to a key of
// its own: when it finds a lower one than it wrote, or no marker, it begins another epoch. What a Redis keeps is a prefix of what was
// written to it, so everything before the number is there. Nothing else would show the loss, because every script starts from what it finds.
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { RedisUnavailable } from './connection.ts'
import type { OperableRedis } from './connection.ts'
import { script } from './script.ts'

export interface EmptiedWatchParts {
  readonly redis: Pick<OperableRedis, 'run' | 'onGap' | 'onReconnect'>
  readonly clock: Clock
  readonly random: Pick<Random, 'id'>
  readonly telemetry: Telemetry
  /** Restores the data that this node still has. */
  readonly onEmptied: (epoch: string) => Promise<void>
}

export interface EmptiedWatch extends Disposable {
  /** The epoch of the data in Redis: the same on all nodes. Rejects with RedisUnavailable when it is not certain. */
  epoch(): Promise<string>
}

const MARK = 'ma:{fleet}:mark'
const CHECK_EVERY_MS = 5000
/** A number that has expired counts as lost: the days are compared once more, which does no harm. */
const STAMP_MS = 86_400_000

/** KEYS: the marker, the node's number. ARGV: a marker for a new epoch, the number that was written last, the next, how long it is stored. */
const CHECK = script(
  'check-epoch',
  `local mark, found = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
local isEmptied = not mark or (ARGV[3] ~= '0' and not found)
local isBack = tonumber(found or '0') < tonumber(ARGV[3])
-- When another node has noticed first, the marker is a new one already.
if not mark or (isBack and mark == ARGV[6]) then
  mark = ARGV[2]
  redis.call('SET', KEYS[1], mark)
end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
return { mark, isEmptied and 1 or 0 }`,
)

/** Resolves when the marker is written. Disposing stops the checks. */
export async function watchForEmptied(parts: EmptiedWatchParts): Promise<EmptiedWatch> {
  const { random, clock, onEmptied, redis, telemetry } = parts
  const keys = [MARK, `ma:{fleet}:stamp:${random.id('stamp')}`]
  let [known, written, sent] = ['', 0, 0]

  const read = async () => {
    sent += 1
    const number = sent
    const answer = await redis.run(CHECK, keys, [random.id('mark'), written, number, STAMP_MS, known])
    written = number
    const [mark, isEmptied] = answer as readonly [string, number]
    return { mark, isEmptied: isEmptied === 1 }
  }
  known = (await read()).mark

  let checking: Promise<void> | undefined
  let isCertain = true
  let timer: Disposable | undefined
  let isOver = false

  const check = async (): Promise<void> => {
    const { isEmptied, mark } = await read()
    isCertain = true
    if (mark === known) return
    known = mark
    const lost = isEmptied ? 'everything that the cluster has in Redis' : 'what was written last: it is in an old state'
    telemetry.count('alarm_redis_emptied_total')
    telemetry.log('error', 'alarm.redis-emptied', { lost })
    await onEmptied(mark)
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
  const doubt = (): void => {
    isCertain = false
    void checkOnce()
  }
  const arm = (): void => {
    timer = clock.after(CHECK_EVERY_MS, () => void checkOnce().then(() => (isOver ? undefined : arm())))
  }
  arm()
  const [gap, reconnect] = [redis.onGap(() => void checkOnce()), redis.onReconnect(doubt)]
  return {
    async epoch() {
      if (!isCertain) await checkOnce()
      // The check in flight may have been sent before the connection was lost.
      if (!isCertain) await checkOnce()
      if (!isCertain) throw new RedisUnavailable('Redis could not be asked whether it has lost data')
      return known
    },
    [Symbol.dispose]() {
      isOver = true
      timer?.[Symbol.dispose]()
      gap[Symbol.dispose]()
      reconnect[Symbol.dispose]()
    },
  }
}
