// Samples in memory: for tests and simulations.
import type { Sample, SampleLimits, SampleStore } from '#ports/sample-store/port.ts'

export function memorySampleStore(limits: SampleLimits): SampleStore {
  let kept: { readonly sample: Sample; readonly bytes: number }[] = []
  const bytesKept = () => kept.reduce((sum, { bytes }) => sum + bytes, 0)

  return {
    async keep(sample) {
      const bytes = Buffer.byteLength(JSON.stringify(sample))
      if (bytes > limits.bytesMax) return
      kept.push({ sample, bytes })
      while (kept.length > limits.countMax || bytesKept() > limits.bytesMax) kept.shift()
    },
    async newest(max) {
      return kept
        .map(({ sample }) => sample)
        .toReversed()
        .slice(0, max)
    },
    async turns() {
      return kept.map(({ sample: { turnId, at } }) => ({ turnId, at }))
    },
    async forget(turnIds) {
      const before = kept.length
      kept = kept.filter(({ sample }) => !turnIds.has(sample.turnId))
      return before - kept.length
    },
  }
}
