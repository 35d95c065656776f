// What the nodes have learned about the tokenizers of their models. Nodes learn by themselves and store small sums, so that
// sharing is an addition without races; a sum that is added twice does no harm worth a lock.
import type { Calibration } from '#domain/estimator/calibration.ts'

export interface EstimatorStore {
  /** The value under a key (a model's id with the edition of its costs); undefined for none. */
  load(key: string): Promise<Calibration | undefined>
  /** Adds what a node has learned since its last call, atomically, by the domain's `merge`; returns the sum. */
  merge(key: string, learnt: Calibration): Promise<Calibration>
}
