// A tiny set is learnt, and always the same way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complexityFeatures } from '../src/understanding/complexity/features.ts'
import { complexityModel, encodeComplexity } from '../src/understanding/complexity/model.ts'
import { NO_READING } from '../src/understanding/no-reading.ts'
import { measureLeftOut, trainComplexity } from '../training/complexity-regression.ts'

const MESSAGES = [
  ['hello', 'is it in stock', 'how much is it', 'thanks a lot'],
  [
    'something funny under ten volumes',
    'which of the two is shorter',
    'anything like it but newer',
    'how much for both',
  ],
  [
    'for my son, 9, funny, no blood, finished, and under 5000 yen because his aunt pays',
    'compare the two and tell me why one is better for a beginner who hates long books',
    'not the first, not by the same author, but just as sad, and it has to be here by Friday',
    'the first for her, two copies of the last for him, and which of them is cheaper without shipping?',
  ],
]
const examples = [0, 1, 2].flatMap((part) =>
  MESSAGES.flatMap((messages, level) =>
    messages.map((message) => ({
      writer: `w${part}`,
      features: complexityFeatures(`${message}${'!'.repeat(part)}`, NO_READING),
      level,
    })),
  ),
)

test('what was learnt is judged again', () => {
  const model = complexityModel(encodeComplexity(trainComplexity(examples)))
  for (const [level, messages] of MESSAGES.entries())
    for (const message of messages) {
      const { simple, moderate, complex } = model.judge({ message, reading: NO_READING })
      assert.ok(Math.abs(simple + moderate + complex - 1) < 1e-9)
      const probabilities = [simple, moderate, complex]
      assert.equal(probabilities.indexOf(Math.max(...probabilities)), level, message)
    }
})

test('the same examples give the same weights', () => {
  assert.deepEqual(encodeComplexity(trainComplexity(examples)), encodeComplexity(trainComplexity(examples)))
})

test('weights of another version are refused', () => {
  const bytes = encodeComplexity(trainComplexity(examples.slice(0, 12)))
  bytes[4] = 99
  assert.throws(() => complexityModel(bytes), /train:complexity/u)
})

test('writers that are left out are judged by what the others wrote', () => {
  const { accuracy, missed, complexShare } = measureLeftOut(examples)
  assert.equal(missed, 0)
  assert.ok(accuracy > 0.9, `accuracy ${accuracy}`)
  assert.ok(complexShare >= 1 / 3, `judged complex ${complexShare}`)
})
