// What a turn asks about tokens before and after a call. `turn/costs/estimates.ts` answers it from what the calls have shown.
import type { Prompt, TokenCounter } from './token-counter.ts'

export interface Estimates {
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
