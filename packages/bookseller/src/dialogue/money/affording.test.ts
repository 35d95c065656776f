// How many volumes an amount of money buys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { affordedOf, affordingIn } from './affording.ts'

test('how many volumes an amount buys is asked by an amount beside a number of volumes', () => {
  assert.deepEqual(affordingIn('How many volumes could I get for 6000 yen?', undefined), { budget: 6000 })
  assert.deepEqual(affordingIn('3000円で何巻買える？', undefined), { budget: 3000 })
  assert.deepEqual(affordingIn('Could I buy just as many as fit in 6000?', undefined), { budget: 6000 })
  assert.deepEqual(affordingIn('予算内で何巻まで買えますか', 5000), { budget: 5000 })
  assert.deepEqual(affordingIn('With my 3000 budget, how many volumes can I get including postage?', undefined), {
    budget: 3000,
    isShipped: true,
  })
  for (const words of ['how many volumes are there?', 'is it under 6000 yen?', '何巻まで出てますか', '全部で何巻？'])
    assert.equal(affordingIn(words, undefined), undefined, words)
})

test('the rest is what the volumes and their shipping leave', () => {
  const product = sampleProduct({ volumes: 12, pricePerVolumeYen: 700 })
  const shipping = { feeYen: 500, freeFromYen: 3000 }
  const { count, yen, left } = affordedOf(product, { budget: 6000 }, shipping)
  assert.deepEqual([count, yen, left], [8, 5600, 400])
  assert.equal(affordedOf(product, { budget: 500 }, shipping).count, 0)
  const shipped = affordedOf(product, { budget: 3000, isShipped: true }, shipping)
  assert.deepEqual([shipped.count, shipped.feeYen, shipped.left], [3, 500, 400])
  const free = affordedOf(product, { budget: 3500, isShipped: true }, shipping)
  assert.deepEqual([free.count, free.feeYen, free.left], [5, 0, 0])
  assert.equal(affordedOf(product, { budget: 99_999 }, shipping).count, 12)
})
