// Trains the roles of spans: for each kind of span a softmax over its roles, by AdaGrad.
import { ROLES } from '../src/understanding/reading.ts'
import type { Role } from '../src/understanding/reading.ts'
import { rolesOfKind } from '../src/understanding/model/span-roles.ts'
import { numberFeatures, shuffled } from './numbering.ts'
import type { Trained } from './crf.ts'

export interface SpanExample {
  readonly features: Uint32Array
  readonly role: Role
}

const RATE = 0.3
const DECAY = 1e-3
const SIZE = 2
const EPOCHS = 8
const GRADIENT_MIN = 1e-3
const COUNT = ROLES.length

export function trainSpanRoles(examples: readonly SpanExample[]): Trained {
  const known = numberFeatures(examples.map(({ features }) => features))
  const values = new Float32Array(known.size * COUNT)
  const squares = new Float32Array(known.size * COUNT).fill(1e-2)
  const order = examples.map((_, index) => index)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1)
    for (const index of shuffled(order, epoch)) {
      const { features, role } = examples[index]!
      const rows = [...features].flatMap((feature) => known.get(feature) ?? [])
      const size = SIZE / Math.sqrt(features.length || 1)
      for (const [label, error] of errorsOf(role, { rows, values, size })) {
        const gradient = error * size
        if (Math.abs(gradient) < GRADIENT_MIN) continue
        for (const row of rows) {
          const cell = row * COUNT + label
          const step = gradient + DECAY * values[cell]!
          squares[cell]! += step * step
          values[cell]! -= (RATE * step) / Math.sqrt(squares[cell]!)
        }
      }
    }
  const rows = new Map<number, Float32Array>()
  for (const [feature, row] of known) rows.set(feature, values.slice(row * COUNT, (row + 1) * COUNT))
  return { rows }
}

interface Scored {
  readonly rows: readonly number[]
  readonly values: Float32Array
  readonly size: number
}

/** For each role of the kind: probability minus truth. */
function errorsOf(role: Role, { rows, values, size }: Scored): readonly (readonly [label: number, error: number])[] {
  const labels = (rolesOfKind(role) ?? []).map((one) => ROLES.indexOf(one))
  const scores = labels.map((label) => rows.reduce((sum, row) => sum + values[row * COUNT + label]!, 0) * size)
  const most = Math.max(...scores)
  const sum = scores.reduce((total, score) => total + Math.exp(score - most), 0)
  const truth = ROLES.indexOf(role)
  return labels.map((label, at) => [label, Math.exp(scores[at]! - most) / sum - (label === truth ? 1 : 0)])
}
