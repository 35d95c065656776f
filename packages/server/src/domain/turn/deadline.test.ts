// Which calls still fit before a turn's deadlines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callFits, deadlinesFrom, wordsBy } from './deadline.ts'

const figures = { economyUnderMs: 8000, noModelUnderMs: 3000, settleMs: 1000 }
const dear = { isEconomy: false, typicalMs: 1000 }
const cheap = { isEconomy: true, typicalMs: 1000 }
const left = (ms: number, over: { hasShown?: boolean; economyFollows?: boolean } = {}) => ({
  ms,
  hasShown: false,
  economyFollows: true,
  ...over,
})

test('with less than eight seconds an economy model is asked, with less than three none', () => {
  assert.deepEqual([callFits(dear, left(8000), figures), callFits(dear, left(7999), figures)], [true, false])
  assert.deepEqual([callFits(cheap, left(3000), figures), callFits(cheap, left(2999), figures)], [true, false])
  assert.equal(callFits(dear, left(4000, { economyFollows: false }), figures), true)
})

test('a model that usually takes longer than the time left is not asked', () => {
  assert.equal(callFits({ ...cheap, typicalMs: 5000 }, left(4999), figures), false)
})

test('once words are shown the end of the turn counts, and there is no downgrade', () => {
  const deadlines = deadlinesFrom(0, { firstWordMs: 20_000, endMs: 25_000 })
  assert.deepEqual([wordsBy(deadlines, false, figures), wordsBy(deadlines, true, figures)], [20_000, 24_000])
  assert.equal(callFits(dear, left(4000, { hasShown: true }), figures), true)
  assert.equal(callFits(dear, left(2000, { hasShown: true }), figures), false)
})
