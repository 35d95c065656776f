// What the token counters have learned, in memory: for tests and simulations.
import { merge } from '#domain/estimator/calibration.ts'
import type { Calibration } from '#domain/estimator/calibration.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'

export function memoryEstimatorStore(): EstimatorStore {
  const known = new Map<string, Calibration>()
  return {
    load: async (key) => known.get(key),
    async merge(key, learnt) {
      const before = known.get(key)
      const sum = before === undefined ? learnt : merge(before, learnt)
      known.set(key, sum)
      return sum
    },
  }
}
