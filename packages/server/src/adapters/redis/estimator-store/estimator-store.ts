// What the token counters have learned, in Redis: one value for each key, replaced only if it is still the value that was
// read, so that concurrent updates of several nodes all count.
import { merge } from '#domain/estimator/calibration.ts'
import type { Calibration } from '#domain/estimator/calibration.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'

const KEEP_MS = 90 * 24 * 3_600_000
/** Nodes write rarely: more conflicts in a row than this mean another defect. */
const TRIES_MAX = 100

const REPLACE = script(
  'estimator-replace',
  `local known = redis.call('GET', KEYS[1])
if (known or '') ~= ARGV[2] then return known end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return ARGV[3]`,
)

export function redisEstimatorStore({ redis }: { readonly redis: Redis }): EstimatorStore {
  const keyOf = (key: string) => `ma:{estimator:${key}}`

  async function known(key: string): Promise<string> {
    const value = await redis.command(keyOf(key), 'GET', keyOf(key))
    return typeof value === 'string' ? value : ''
  }

  return {
    async load(key) {
      const value = await known(key)
      return value === '' ? undefined : (JSON.parse(value) as Calibration)
    },
    async merge(key, learnt) {
      let before = await known(key)
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const sum = before === '' ? learnt : merge(JSON.parse(before) as Calibration, learnt)
        const value = JSON.stringify(sum)
        const now = await redis.run(REPLACE, [keyOf(key)], [before, value, KEEP_MS])
        if (now === value) return sum
        before = typeof now === 'string' ? now : ''
      }
      throw new Error(`what was learnt under ${key} could not be added`)
    },
  }
}
