// The learnt times of a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypicalTimes } from './typical-times.ts'

test('a model is assumed to need a second before its first call, and then its usual time', () => {
  const times = new TypicalTimes({ now: () => 0 })
  assert.equal(times.of('primary'), 1000)
  for (let call = 0; call < 20; call += 1) times.see('primary', 3000)
  assert.equal(times.of('primary'), 3000)
  times.see('primary', 8000)
  assert.equal(times.of('primary'), 4000)
  assert.equal(times.of('economy'), 1000)
})

test('the slowest of twenty calls is known after enough calls, and old calls are dropped', () => {
  const times = new TypicalTimes({ now: () => 0 })
  for (let ms = 1; ms <= 9; ms += 1) times.see('a', ms * 100)
  assert.equal(times.p95('a'), undefined)
  for (let ms = 10; ms <= 20; ms += 1) times.see('a', ms * 100)
  assert.equal(times.p95('a'), 1900)
  for (let call = 0; call < 60; call += 1) times.see('a', 500)
  assert.equal(times.p95('a'), 500)
})

test('the pace of a model is learnt from answers that are long enough', () => {
  const times = new TypicalTimes({ now: () => 0 })
  times.seeAnswer('a', 19, 10)
  assert.equal(times.msPerToken('a'), undefined)
  times.seeAnswer('a', 100, 2000)
  assert.equal(times.msPerToken('a'), 20)
  times.seeAnswer('a', 100, 7000)
  assert.equal(times.msPerToken('a'), 30)
})

test('the nature of a model follows it at once when it becomes quicker, and over minutes when it becomes slower', () => {
  let now = 0
  const times = new TypicalTimes({ now: () => now })
  const see = (ms: number, count: number) => {
    for (let call = 0; call < count; call += 1) times.see('a', ms)
  }
  see(1000, 2)
  assert.equal(times.natureMs('a'), undefined)
  see(1000, 58)
  assert.equal(times.natureMs('a'), 1000)
  for (let second = 0; second < 63; second += 1) {
    now += 1000
    see(8000, 1)
  }
  // The first three slow calls of sixty are within the slowest twentieth.
  assert.equal(Math.round(times.natureMs('a') ?? 0), 1300)
  assert.equal(times.p95('a'), 8000)
  see(400, 60)
  assert.equal(times.natureMs('a'), 400)
})

test('a call that was left counts as slower than it was waited for, a short wait says nothing, and neither is its nature', () => {
  const times = new TypicalTimes({ now: () => 0 })
  times.seeLeft('a', 200)
  assert.equal(times.of('a'), 1000)
  for (let call = 0; call < 12; call += 1) times.seeLeft('a', 3000)
  assert.deepEqual([times.of('a'), times.p95('a'), times.natureMs('a')], [4500, 4500, undefined])
  for (let call = 0; call < 3; call += 1) times.see('a', 600)
  for (let call = 0; call < 12; call += 1) times.seeLeft('a', 3000)
  assert.equal(times.natureMs('a'), 600)
})

test('calls in which a model thinks first are learnt apart', () => {
  const times = new TypicalTimes({ now: () => 0 })
  for (let call = 0; call < 3; call += 1) times.see('a', 6000, { thought: true })
  assert.equal(times.thinkingMs('a'), 6000)
  assert.equal(times.natureMs('a'), undefined)
  assert.equal(times.of('a'), 1000)
})

test('the usual length of answers is learnt', () => {
  const times = new TypicalTimes({ now: () => 0 })
  assert.equal(times.answerTokens('a'), undefined)
  times.seeAnswer('a', 100, 2000)
  times.seeAnswer('a', 200, 2000)
  assert.equal(times.answerTokens('a'), 120)
})

test('the nature of a model is whole milliseconds, and still rises within seconds', () => {
  let now = 0
  const typical = new TypicalTimes({ now: () => now })
  for (let calls = 0; calls < 20; calls += 1) typical.see('slow', 300)
  for (let calls = 0; calls < 150; calls += 1) {
    now += 200
    typical.see('slow', 5000)
    assert.ok(Number.isSafeInteger(typical.natureMs('slow')))
  }
  assert.ok((typical.natureMs('slow') ?? 0) > 330, `${typical.natureMs('slow')}`)
})
