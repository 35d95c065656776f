// What is learnt of a model's first words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypicalTimes } from './typical-times.ts'

test('a model is taken to need a second until it was seen, and then what it usually needs', () => {
  const times = new TypicalTimes()
  assert.equal(times.of('primary'), 1000)
  for (let call = 0; call < 20; call += 1) times.see('primary', 3000)
  assert.equal(times.of('primary'), 3000)
  times.see('primary', 8000)
  assert.equal(times.of('primary'), 4000)
  assert.equal(times.of('economy'), 1000)
})
