// How much a message asks of the model that answers it: the levels, and what is judged. `complexity/judge.ts` judges.

export const COMPLEXITIES = ['simple', 'moderate', 'complex'] as const
export type Complexity = (typeof COMPLEXITIES)[number]

export interface JudgedComplexity {
  readonly level: Complexity
  /** The probability of each level, by the trained model; they sum to 1. */
  readonly probabilities: Readonly<Record<Complexity, number>>
  /** The least that the rules allow, whatever the trained model says. */
  readonly floor: Complexity
  /** From 0 to 1, by the trained model: that this level is enough; for `complex`, that no lower one is. */
  readonly sureness: number
}
