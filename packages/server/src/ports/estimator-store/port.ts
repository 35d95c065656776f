// What the fleet has learnt about the tokenizers of its models. Nodes learn by themselves and tell in small sums, so that
// sharing is an addition and never a race; a sum that is told twice does no harm worth a lock.
import type { Calibration } from '#domain/estimator/calibration.ts'

export interface EstimatorStore {
  /** What is known under a key, a model's id with the edition of the costs it was learnt over; undefined for nothing. */
  load(key: string): Promise<Calibration | undefined>
  /** Adds what a node has learnt since it last told, by the domain's `merge` and atomically; answers with the sum. */
  merge(key: string, learnt: Calibration): Promise<Calibration>
}
