// The meaning of a question by the vectors of an embedder: its scale, its passages and its first choice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calibrationOf,
  coarseOf,
  CoarseShelf,
  fieldByte,
  matchPassages,
  scoreOfCosine,
  wholeNumbers,
} from './embedded-meaning.ts'
import { quantised } from './shelf-entry.ts'

const DIMENSIONS = 64
const HOOK = fieldByte({ field: 'hook', language: 'ja' })
const CALIBRATION = { chance: 0.2, same: 1 }

/** A unit vector that turns from one axis towards another. */
function turned(from: number, to: number, share: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  vector[from]! += 1 - share
  vector[to]! += share
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const passages = (...vectors: readonly Float32Array[]) => ({
  fields: new Uint8Array(vectors.length).fill(HOOK),
  vectors: Int8Array.from(vectors.flatMap((vector) => [...quantised(vector)])),
})

test('chance scores 0.3 and the same text 1, whatever the embedder’s cosines are', () => {
  for (const [chance, same] of [
    [0.1, 1],
    [0.6, 0.9],
  ] as const) {
    const samples = [{ own: same, others: Array.from({ length: 2000 }, (_, at) => (chance * at) / 2000) }]
    const calibration = calibrationOf(samples)
    assert.ok(Math.abs(scoreOfCosine(chance, calibration) - 0.3) < 0.01)
    assert.equal(scoreOfCosine(same, calibration), 1)
    assert.equal(scoreOfCosine(-1, calibration), 0)
    const middle = scoreOfCosine((chance + same) / 2, calibration)
    assert.ok(Math.abs(middle - 0.65) < 0.01, String(middle))
  }
})

test('an embedder whose cosines are all alike has a scale nevertheless', () => {
  const calibration = calibrationOf([{ own: 0.9, others: [0.9, 0.9] }])
  assert.ok(scoreOfCosine(0.9, calibration) < 0.31)
  assert.deepEqual(calibrationOf([]), { chance: 0, same: 0.05 })
})

test('the best passage is named and decides; a long question looks for one passage, a short one for many', () => {
  const same = turned(0, 1, 0)
  const question = wholeNumbers(same)
  const plot = { calibration: CALIBRATION, words: 8 }
  const one = passages(turned(5, 6, 0), same, turned(7, 8, 0), turned(9, 1, 0), turned(10, 1, 0))
  const many = passages(...Array.from({ length: 5 }, () => turned(0, 2, 0.35)))
  assert.equal(matchPassages(one, question, plot).passage, 1)
  assert.ok(matchPassages(one, question, plot).score > 0.6)
  assert.ok(
    matchPassages(many, question, { ...plot, words: 1 }).score >
      matchPassages(one, question, { ...plot, words: 1 }).score,
  )
  assert.deepEqual(matchPassages(passages(), question, plot), { score: 0, passage: -1, reasons: { ja: -1, en: -1 } })
  const alone = matchPassages(passages(same), question, plot)
  assert.ok(alone.score > 0.98, 'a product of one passage is scored by it alone')
})

test('the first choice finds the nearest products, though all texts of the shop have much in common', () => {
  const common = (axis: number) => turned(0, axis, 0.4)
  const shelf = new CoarseShelf(
    Array.from({ length: 40 }, (_, product) =>
      coarseOf(passages(common(product + 2), common(product + 2)).vectors, DIMENSIONS),
    ),
  )
  const near = shelf.near(common(9))
  const order = Array.from({ length: 40 }, (_, product) => product).sort((a, b) => near(b) - near(a))
  assert.equal(order[0], 7)
})

test('in each language the passage that says best why it matches is named, but never a remembered scene', () => {
  const asked = turned(0, 1, 0)
  const theme = (language: 'ja' | 'en') => fieldByte({ field: 'theme', language })
  const { vectors } = passages(asked, turned(0, 2, 0.3), turned(0, 3, 0.1), turned(5, 6, 0))
  const fields = Uint8Array.of(HOOK, theme('ja'), theme('ja'), theme('en'))
  const matched = matchPassages({ fields, vectors }, wholeNumbers(asked), { calibration: CALIBRATION, words: 5 })
  assert.deepEqual([matched.passage, matched.reasons], [0, { ja: 2, en: -1 }])
})
