// The capacity of a region, from the use of a call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityOf } from './capacity.ts'

const size = { callsPerSecond: 10, firstTokenMs: 500, tokensPerSecond: [50, 50] } as const

test('quota and slots follow from what a call uses, so that longer prompts and answers make a larger region', () => {
  const small = capacityOf(size, { inputTokens: 300, outputTokens: 100 })
  assert.equal(small.tokensPerMinute, 10 * 60 * 400)
  // 2.5 s in a slot: the first token, and a hundred tokens at fifty a second.
  assert.ok(small.slots >= 10 * 2.5 * 1.1 && small.slots <= 10 * 2.7 * 1.1, `${small.slots}`)
  const large = capacityOf(size, { inputTokens: 900, outputTokens: 200 })
  assert.equal(large.tokensPerMinute, 10 * 60 * 1100)
  assert.ok(large.slots > small.slots * 1.6)
})

test('a region that grants by the minute can run what it grants in a quarter of one', () => {
  const usual = { inputTokens: 300, outputTokens: 100 }
  const [steady, byMinute] = [capacityOf(size, usual), capacityOf(size, usual, 'minute')]
  assert.ok(byMinute.slots > steady.slots * 3.5)
  assert.equal(byMinute.tokensPerMinute, steady.tokensPerMinute)
})

test('given slots and quota are taken as they are', () => {
  const given = capacityOf({ ...size, slots: 7, tokensPerMinute: 1000 }, { inputTokens: 300, outputTokens: 100 })
  assert.deepEqual([given.slots, given.tokensPerMinute], [7, 1000])
})
