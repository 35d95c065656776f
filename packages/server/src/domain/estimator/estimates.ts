// What a turn asks about tokens before and after a call. `turn/costs/estimates.ts` answers it from what the calls have shown.
import type { Prompt, TokenCounter } from './token-counter.ts'

export interface Estimates {
  /** For these models, by configured name or id: what the dearest of them takes. For none of ours, the generic one. */
  gauge(models: readonly string[]): TokenCounter
  /** What has to be held for so many estimated tokens, whichever of these models is asked. */
  guarded(tokens: number, models: readonly string[]): number
  /** What a model says a prompt took, cache reads and writes included. */
  observe(model: string, prompt: Prompt, inputTokens: number): void
}
