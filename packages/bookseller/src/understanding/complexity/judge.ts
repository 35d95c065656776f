// Judges how complex a message is. A trained model judges; rules that are exact set the least. A complex message that is taken
// for less costs a bad answer and a second question, so an unsure judgement goes up.
import { COMPLEXITIES } from '../complexity.ts'
import type { JudgedComplexity } from '../complexity.ts'
import { floorOf } from './floor.ts'
import type { ComplexityModel, WeighedMessage } from './model.ts'

/** High, because a complex message that is taken for less costs most; `training/complexity/README.md` says how it was chosen. */
export const SURE_FROM = 0.975
/** The step from `simple` to `moderate` costs little either way. */
const SIMPLE_FROM = 0.6

/** Where a message is likely simple, the doubt that it is at most moderate may be this many times as large. */
const LIKELY_SIMPLE = 2.4

export interface JudgeOptions {
  readonly sureFrom?: number | undefined
}

/**
 * Below `complex` where a lower level is enough with a probability of at least `sureFrom`. Else up a step: to `complex`, or to
 * `moderate` where `simple` is the likeliest and `complex` hardly possible. Never below the floor.
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
  const isSimple = simple >= Math.min(sureFrom, SIMPLE_FROM)
  const isLikelySimple = simple >= moderate && simple >= complex
  const isEnough = simple + moderate >= 1 - (1 - sureFrom) * (isLikelySimple ? LIKELY_SIMPLE : 1)
  const isSure = simple + moderate >= sureFrom
  const trained = !isEnough ? 'complex' : isSimple && isSure ? 'simple' : 'moderate'
  const level = COMPLEXITIES.indexOf(trained) < COMPLEXITIES.indexOf(floor) ? floor : trained
  const sureness = { simple, moderate: simple + moderate, complex }[level]
  return { level, probabilities, floor, sureness }
}
