// Judges how complex a message is. A trained model judges; rules that are exact set the least. A complex message that is taken
// for less costs a bad answer and a second question, so an unsure judgement goes up.
import { COMPLEXITIES } from '../complexity.ts'
import type { JudgedComplexity } from '../complexity.ts'
import { floorOf } from './floor.ts'
import type { ComplexityModel, WeighedMessage } from './model.ts'

/** Chosen by writers that the weights were not trained on, see `training/README.md`. */
export const SURE_FROM = 0.9

export interface JudgeOptions {
  readonly sureFrom?: number | undefined
}

/**
 * The lowest level that is enough with a probability of at least `sureFrom`, and never below the floor: `simple`, if that is
 * unsure `moderate`, if that is unsure `complex`.
 */
export function judgeComplexity(
  weighed: WeighedMessage,
  model: ComplexityModel,
  options: JudgeOptions = {},
): JudgedComplexity {
  return judgeAgain({ floor: floorOf(weighed.message), probabilities: model.judge(weighed) }, options)
}

/** The same for a message that was judged before, perhaps by another `sureFrom`. */
export function judgeAgain(
  { floor, probabilities }: Pick<JudgedComplexity, 'floor' | 'probabilities'>,
  { sureFrom = SURE_FROM }: JudgeOptions = {},
): JudgedComplexity {
  const { simple, moderate, complex } = probabilities
  const trained = simple >= sureFrom ? 'simple' : simple + moderate >= sureFrom ? 'moderate' : 'complex'
  const level = COMPLEXITIES.indexOf(trained) < COMPLEXITIES.indexOf(floor) ? floor : trained
  const sureness = { simple, moderate: simple + moderate, complex }[level]
  return { level, probabilities, floor, sureness }
}
