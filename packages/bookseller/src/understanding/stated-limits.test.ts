// Limits that a number states by its own words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsOf } from './limits.ts'
import { statedLimits } from './stated-limits.ts'

const limits = (text: string) => limitsOf(statedLimits(text, []))

test('volumes are limited by a word of comparison before or after the number', () => {
  assert.deepEqual(limits('今出てるのが20巻までのをいくつか'), { volumesMax: 20 })
  assert.deepEqual(limits('10かんまでのはありますか'), { volumesMax: 10 })
  assert.deepEqual(limits('三十巻以内だとどれ'), { volumesMax: 30 })
  assert.deepEqual(limits('Three volumes at the very most.'), { volumesMax: 3 })
  assert.deepEqual(limits('max 15 vols please'), { volumesMax: 15 })
  assert.deepEqual(limits('fewer than 12 books'), { volumesMax: 11 })
  assert.deepEqual(limits('at least twenty volumes'), { volumesMin: 20 })
})

test('money is limited in all, or for a volume where it says so', () => {
  assert.deepEqual(limits('1万5千円以内で'), { totalYenMax: 15_000 })
  assert.deepEqual(limits('予算は5000円です'), { totalYenMax: 5000 })
  assert.deepEqual(limits('Twenty thousand yen at the very most.'), { totalYenMax: 20_000 })
  assert.deepEqual(limits('Anything under ¥8,000 for the whole set?'), { totalYenMax: 8000 })
  assert.deepEqual(limits('1冊600円以内'), { volumeYenMax: 600 })
})

test('a number without a comparison, or that has a role already, is no limit', () => {
  assert.deepEqual(limits('3巻を持っています'), {})
  assert.deepEqual(limits('It cost 600 yen.'), {})
  assert.deepEqual(limits('14歳に戻っちゃう話'), {})
  assert.deepEqual(statedLimits('10巻まで', [{ from: 0, to: 3 }]), [])
})
