// A sure and an unsure judgement, and the floor beneath both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeAgain, judgeComplexity } from './judge.ts'
import type { ComplexityModel } from './model.ts'
import { NO_READING } from '../no-reading.ts'

const judging = (simple: number, moderate: number): ComplexityModel => ({
  judge: () => ({ simple, moderate, complex: 1 - simple - moderate }),
})
const judge = (message: string, model: ComplexityModel, sureFrom?: number) =>
  judgeComplexity({ message, reading: NO_READING }, model, { sureFrom })

test('a sure judgement is the level of the trained model', () => {
  assert.equal(judge('A question', judging(0.9, 0.09)).level, 'simple')
  assert.equal(judge('A question', judging(0.4, 0.59)).level, 'moderate')
  assert.equal(judge('A question', judging(0.1, 0.2)).level, 'complex')
})

test('an unsure judgement goes up a step', () => {
  assert.equal(judge('A question', judging(0.55, 0.44)).level, 'moderate')
  assert.equal(judge('A question', judging(0.1, 0.86)).level, 'complex')
  assert.equal(judge('A question', judging(0.1, 0.86), 0.95).level, 'moderate')
  assert.equal(judge('A question', judging(0.1, 0.45), 0.6).level, 'complex')
  assert.equal(judge('A question', judging(0.55, 0.1), 0.5).level, 'simple')
  assert.equal(judge('A question', judging(0.7, 0.25)).level, 'moderate')
  assert.equal(judge('A question', judging(0.7, 0.2)).level, 'complex')
})

test('the level is never below the floor', () => {
  const long = 'word '.repeat(60)
  const judged = judge(long, judging(0.95, 0.04))
  assert.deepEqual([judged.level, judged.floor], ['moderate', 'moderate'])
  assert.equal(judge(long.repeat(2), judging(0.95, 0.04)).level, 'complex')
})

test('sureness is the probability that the level is enough', () => {
  assert.equal(judge('A question', judging(0.75, 0.25)).sureness, 0.75)
  assert.equal(judge('A question', judging(0.25, 0.75)).sureness, 1)
  assert.equal(judge('A question', judging(0.25, 0.25)).sureness, 0.5)
})

test('a message that was judged before is judged by another sureness', () => {
  const before = judge('A question', judging(0.1, 0.86))
  assert.equal(judgeAgain(before, { sureFrom: 0.9 }).level, 'moderate')
  assert.deepEqual(judgeAgain(before), before)
})
