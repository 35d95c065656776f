// The learnt times of a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypicalTimes } from './typical-times.ts'

test('a model is assumed to need a second before its first call, and then its usual time', () => {
  const times = new TypicalTimes()
  assert.equal(times.of('primary'), 1000)
  for (let call = 0; call < 20; call += 1) times.see('primary', 3000)
  assert.equal(times.of('primary'), 3000)
  times.see('primary', 8000)
  assert.equal(times.of('primary'), 4000)
  assert.equal(times.of('economy'), 1000)
})

test('the slowest of twenty calls is known after enough calls, and old calls are dropped', () => {
  const times = new TypicalTimes()
  for (let ms = 1; ms <= 9; ms += 1) times.see('a', ms * 100)
  assert.equal(times.p95('a'), undefined)
  for (let ms = 10; ms <= 20; ms += 1) times.see('a', ms * 100)
  assert.equal(times.p95('a'), 1900)
  for (let call = 0; call < 60; call += 1) times.see('a', 500)
  assert.equal(times.p95('a'), 500)
})

test('the pace of a model is learnt from answers that are long enough', () => {
  const times = new TypicalTimes()
  times.seePace('a', 19, 10)
  assert.equal(times.msPerToken('a'), undefined)
  times.seePace('a', 100, 2000)
  assert.equal(times.msPerToken('a'), 20)
  times.seePace('a', 100, 7000)
  assert.equal(times.msPerToken('a'), 30)
})
