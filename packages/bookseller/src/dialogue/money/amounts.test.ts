// How much of a series is meant, and what it costs together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../../test/fixtures/dialogue.ts'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { amountsIn, amountsOf } from './amounts.ts'
import { summedOf } from './price-of.ts'
import { changedSum } from './summing.ts'

/** Every capital letter is a title. */
const spansIn = (words: string) =>
  [...words.matchAll(/\b[ABC](?![a-z])/gu)].map(({ 0: text, index }) => ({
    role: 'title' as const,
    text,
    from: index,
    to: index + 1,
  }))

const stated = (text: string) =>
  amountsIn(text).map(({ start: _, end: __, isBefore: ___, isBare: ____, ...amount }) => amount)

test('volumes and copies are read from their numbers', () => {
  assert.deepEqual(stated('just the first three volumes'), [{ from: 1, to: 3 }])
  assert.deepEqual(stated('the first ten'), [{ from: 1, to: 10 }])
  assert.deepEqual(stated('volumes 4 to 6'), [{ from: 4, to: 6 }])
  assert.deepEqual(stated('1巻から5巻まで'), [{ from: 1, to: 5 }])
  assert.deepEqual(stated('1巻だけ'), [{ from: 1, to: 1 }])
  assert.deepEqual(stated('twelve full sets'), [{ copies: 12 }])
  assert.deepEqual(stated('3セット'), [{ copies: 3 }])
  assert.deepEqual(stated('とりあえず6冊'), [{ from: 1, to: 6 }])
  assert.deepEqual(stated('113巻1冊だけ'), [{ from: 113, to: 113 }])
  assert.deepEqual(stated('2冊目'), [{ from: 2, to: 2 }])
  assert.deepEqual(stated('volumes 1 and 2'), [{ from: 1, to: 2 }])
  assert.deepEqual(stated('vols 1, 2 and 3'), [{ from: 1, to: 3 }])
  assert.deepEqual(stated('3巻と7巻だけ'), [{ volumes: [3, 7] }])
  assert.equal(summedOf(sampleProduct({ volumes: 9, pricePerVolumeYen: 500 }), { volumes: [3, 7, 12] }).yen, 1000)
})

test('the first three are volumes of one series, or three series', () => {
  assert.deepEqual(amountsOf('just the first 3', [{ id: 'a' }]), { a: { from: 1, to: 3 } })
  assert.deepEqual(amountsOf('just the first 3', [{ id: 'a' }, { id: 'b' }]), {})
})

test('a number that limits or counts all of a series is no amount', () => {
  for (const text of ['全23巻', '10巻以内', '何巻', 'one set', 'the whole series', 'the two complete sets'])
    assert.deepEqual(stated(text), [], text)
})

test('an amount belongs to the series that it stands with', () => {
  const words = 'Aを全巻と、Bを1巻だけ'
  const series = [
    { id: 'a', span: { from: 0, to: 1 } },
    { id: 'b', span: { from: 6, to: 7 } },
  ]
  assert.deepEqual(amountsOf(words, series), { b: { from: 1, to: 1 } })
  const english = 'two copies of A and B'
  const placed = [
    { id: 'a', span: { from: 14, to: 15 } },
    { id: 'b', span: { from: 20, to: 21 } },
  ]
  assert.deepEqual(amountsOf(english, placed), { a: { copies: 2 } })
})

test('the price of a part, of copies, and of a volume with a price of its own', () => {
  const product = sampleProduct({ volumes: 5, pricePerVolumeYen: 500, volumeOffers: [{ volume: 2, priceYen: 700 }] })
  assert.equal(summedOf(product).yen, 2700)
  assert.equal(summedOf(product, { from: 1, to: 2 }).yen, 1200)
  assert.equal(summedOf(product, { from: 4, to: 9 }).yen, 1000)
  assert.equal(summedOf(product, { copies: 12 }).yen, 32_400)
})

test('a series is added to the last sum, or taken from it', () => {
  const sum = { ids: ['a', 'b'], amounts: { b: { from: 1, to: 1 } } }
  const change = (meant: readonly string[], words: string) =>
    changedSum({ sum }, { meant, words, reading: sampleReading({ spans: spansIn(words) }) })
  assert.deepEqual(change(['c'], 'And if I take C as well?'), { ...sum, ids: ['a', 'b', 'c'] })
  assert.deepEqual(change(['b'], 'Leave B out.'), { ids: ['a'] })
  assert.deepEqual(change(['a'], 'Aは抜いて'), { ids: ['b'], amounts: sum.amounts })
  assert.equal(change(['c'], 'How much is C?'), undefined)
  assert.equal(change([], 'too much'), undefined)
})
