// The interface by which a turn estimates tokens before a call and reports them after it. `turn/costs/estimates.ts`
// implements it with what it has learned from calls.
import type { EstimateQuality } from './calibration.ts'
import type { Prompt, TokenCounter } from './token-counter.ts'

/** How the tokens of a model are estimated, and how good that was. */
export interface EstimatorStatus extends EstimateQuality {
  /** The costs of its tokenizer's family or, where that is unknown, the generic ones; `calibrated` once its calls have corrected them. */
  readonly method: 'calibrated' | 'family' | 'generic'
  /** A name of `data/tokenizers.json`. */
  readonly family: string
}

export interface Estimates {
  /** Undefined for the built-in model and unknown ones. */
  statusOf(model: string): EstimatorStatus | undefined
  /**
   * A counter for these models, by configured name or id: the highest count of any of them. For unknown models, the generic
   * one.
   */
  counterFor(models: readonly string[]): TokenCounter
  /** The tokens to hold for an estimate, whichever of these models is asked. */
  guarded(tokens: number, models: readonly string[]): number
  /** Takes a model's reported input tokens of a prompt, cache reads and writes included. */
  observe(model: string, prompt: Prompt, inputTokens: number): void
}
