// A sure and an unsure judgement, and the floor beneath both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeComplexity, SURE_FROM } from './judge.ts'
import type { ComplexityModel } from './model.ts'
import { NO_READING } from '../no-reading.ts'

const judging = (simple: number, moderate: number): ComplexityModel => ({
  judge: () => ({ simple, moderate, complex: 1 - simple - moderate }),
})
const judge = (message: string, model: ComplexityModel, sureFrom?: number) =>
  judgeComplexity({ message, reading: NO_READING }, model, { sureFrom })

test('a sure judgement is the level of the trained model', () => {
  assert.equal(judge('Is it in stock?', judging(0.95, 0.04)).level, 'simple')
  assert.equal(judge('Is it in stock?', judging(0.4, 0.55)).level, 'moderate')
  assert.equal(judge('Is it in stock?', judging(0.1, 0.2)).level, 'complex')
})

test('an unsure judgement goes up a step', () => {
  assert.equal(judge('A question', judging(0.55, 0.45), 0.6).level, 'moderate')
  assert.equal(judge('A question', judging(0.1, 0.45), 0.6).level, 'complex')
  assert.equal(judge('A question', judging(0.65, 0.1), 0.6).level, 'simple')
})

test('the level is never below the floor', () => {
  const long = 'word '.repeat(60)
  assert.deepEqual(
    { ...judge(long, judging(0.99, 0.01)), probabilities: undefined },
    { level: 'moderate', floor: 'moderate', sureness: 1, probabilities: undefined },
  )
  assert.equal(judge(long.repeat(2), judging(0.99, 0.01)).level, 'complex')
})

test('sureness is the probability that the level is enough', () => {
  assert.equal(judge('A question', judging(0.95, 0.04)).sureness, 0.95)
  assert.equal(judge('A question', judging(0.5, 0.45)).sureness, 0.95)
  assert.equal(judge('A question', judging(0.25, 0.25)).sureness, 0.5)
  assert.ok(SURE_FROM > 0.5 && SURE_FROM < 1)
})
