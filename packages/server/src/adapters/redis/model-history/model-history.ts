// The model history that the nodes share: a hash for each step on a slot of its own, with the count of each entry and, under its key with a mark, its
// text. A step expires by itself. The ids of batches are kept for as long as a node may repeat one.
import { HISTORY_STEP_MS } from '#domain/model-history/model-meter.ts'
import { inGroups } from '#lib/collections/in-groups.ts'
import type { Clock } from '#ports/clock/port.ts'
import { entriesOf, FIRST_KEPT, stepOf } from '#ports/model-history/history-entries.ts'
import type { HistoryStep } from '#domain/model-history/model-meter.ts'
import { HISTORY_ENTRIES_MAX, HISTORY_KEEP_MS } from '#ports/model-history/port.ts'
import type { ModelHistory } from '#ports/model-history/port.ts'
import type { Redis } from '../client/connection.ts'
import { hashFields } from '../client/hash-fields.ts'
import { script } from '../client/script.ts'

export interface RedisModelHistoryOptions {
  readonly redis: Redis
  readonly clock: Pick<Clock, 'now'>
}

const BATCH_MS = 3_600_000
const READ_AT_ONCE = 100
/** A text is stored under its key with this before it; no key begins with it. */
const TEXT = 'text '
/** Two fields for each entry. */
const FIELDS_MAX = 2 * HISTORY_ENTRIES_MAX

/** KEYS: the step, the batch. ARGV from 2: key, count and text of each entry. */
const ADD = script(
  'model-history-add',
  `if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ${BATCH_MS}) then return 0 end
local size = redis.call('HLEN', KEYS[1])
for i = 2, #ARGV, 3 do
  local isKnown = redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1
  if isKnown or size < ${FIELDS_MAX} then
    redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
    if not isKnown or string.sub(ARGV[i], 1, ${FIRST_KEPT.length}) ~= '${FIRST_KEPT}' then
      redis.call('HSET', KEYS[1], '${TEXT}' .. ARGV[i], ARGV[i + 2])
    end
    if not isKnown then size = size + 2 end
  end
end
redis.call('PEXPIRE', KEYS[1], ${HISTORY_KEEP_MS + HISTORY_STEP_MS})
return 1`,
)

export function redisModelHistory({ clock, redis }: RedisModelHistoryOptions): ModelHistory {
  async function readStep(at: number): Promise<readonly HistoryStep[]> {
    const key = keyOf(at)
    const fields = hashFields(await redis.command(key, 'HGETALL', key))
    const entries = [...fields].flatMap(([name, count]) =>
      name.startsWith(TEXT) ? [] : [{ key: name, count: Number(count), text: fields.get(TEXT + name) ?? '' }],
    )
    return entries.length === 0 ? [] : [stepOf(at, entries)]
  }

  return {
    async add({ id, ...step }) {
      const args = entriesOf(step).flatMap(({ count, key, text }) => [key, count, text])
      await redis.run(ADD, [keyOf(step.at), `${keyOf(step.at)}:${id}`], args)
    },
    async read(from, to) {
      // Older steps have expired.
      const first = Math.ceil(Math.max(from, clock.now() - HISTORY_KEEP_MS) / HISTORY_STEP_MS)
      const last = Math.ceil(Math.min(to, clock.now() + HISTORY_STEP_MS) / HISTORY_STEP_MS)
      const beginnings = Array.from(
        { length: Math.max(0, last - first) },
        (_, index) => (first + index) * HISTORY_STEP_MS,
      )
      const steps: HistoryStep[] = []
      for await (const group of inGroups(beginnings, READ_AT_ONCE))
        steps.push(...(await Promise.all(group.map(readStep))).flat())
      return steps
    },
  }
}

function keyOf(at: number): string {
  return `ma:{model-history-${at}}`
}
