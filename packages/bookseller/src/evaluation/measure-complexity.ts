// Measures the judgement of complexity on labelled messages: how often the likeliest level is right, and what the judged level,
// which errs upwards on purpose, makes of each label.
import { COMPLEXITIES } from '../understanding/complexity.ts'
import type { Complexity } from '../understanding/complexity.ts'
import { judgeComplexity } from '../understanding/complexity/judge.ts'
import type { ComplexityModel } from '../understanding/complexity/model.ts'
import type { UnderstandingModel } from '../understanding/model/model.ts'
import { read } from '../understanding/read.ts'
import type { Lexicon } from '../understanding/read.ts'
import type { WeighedLine } from './weighed-lines.ts'

export interface MeasuredComplexity {
  readonly messages: number
  /** How often the likeliest level is the labelled one, before an unsure judgement goes up. */
  readonly accuracy: number
  /** Rows are labels, columns judged levels, both in the order of `COMPLEXITIES`. */
  readonly table: readonly (readonly number[])[]
  /** The share of complex messages that are judged to be less. */
  readonly missed: number
  /** The share of all messages that are judged to be complex. */
  readonly complexShare: number
  readonly microsecondsEach: number
}

export interface ComplexityParts {
  readonly model: UnderstandingModel
  readonly complexity: ComplexityModel
  readonly lexicon: Lexicon
  readonly now: () => number
}

export function measureComplexity(lines: readonly WeighedLine[], parts: ComplexityParts): MeasuredComplexity {
  const table = COMPLEXITIES.map(() => COMPLEXITIES.map(() => 0))
  let right = 0
  let ms = 0
  for (const { text: message, level, language, previous } of lines) {
    const reading = read({ message, language, previous }, parts.lexicon, parts.model)
    const from = parts.now()
    const judged = judgeComplexity({ message, reading }, parts.complexity)
    ms += parts.now() - from
    table[COMPLEXITIES.indexOf(level)]![COMPLEXITIES.indexOf(judged.level)]! += 1
    if (likeliest(judged.probabilities) === level) right += 1
  }
  const complex = table[COMPLEXITIES.indexOf('complex')]!
  const judgedComplex = table.reduce((sum, row) => sum + row.at(-1)!, 0)
  return {
    messages: lines.length,
    accuracy: right / (lines.length || 1),
    table,
    missed: 1 - complex.at(-1)! / (complex.reduce((sum, count) => sum + count, 0) || 1),
    complexShare: judgedComplex / (lines.length || 1),
    microsecondsEach: (ms * 1000) / (lines.length || 1),
  }
}

const likeliest = (probabilities: Readonly<Record<Complexity, number>>): Complexity =>
  COMPLEXITIES.reduce((best, level) => (probabilities[level] > probabilities[best] ? level : best))
