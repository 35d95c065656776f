// The facts of a series in words: the store's numbers, in both languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { factsOf, lengthOf, priceOf, stockOf, titleOf } from './facts.ts'

const product = sampleProduct({ volumes: 23, status: 'completed', pricePerVolumeYen: 1100, stock: 12 })

test('length: all volumes of a finished series, those so far of a running one, and a note for a hiatus', () => {
  assert.deepEqual([lengthOf(product, 'ja'), lengthOf(product, 'en')], ['全23巻（完結）', '23 volumes, complete'])
  const running = { ...product, status: 'running' } as const
  assert.deepEqual([lengthOf(running, 'ja'), lengthOf(running, 'en')], ['既刊23巻', '23 volumes so far'])
  const paused = { ...product, status: 'hiatus' } as const
  assert.deepEqual(
    [lengthOf(paused, 'ja'), lengthOf(paused, 'en')],
    ['既刊23巻（休載中）', '23 volumes so far, on hiatus'],
  )
})

test('one volume is in the singular', () => {
  assert.equal(lengthOf({ ...product, volumes: 1 }, 'en'), '1 volume, complete')
})

test('the price is per volume, with a thousands separator', () => {
  assert.deepEqual([priceOf(product, 'ja'), priceOf(product, 'en')], ['1巻1,100円', '¥1,100 a volume'])
})

test('the exact stock is stated, with different words for none, few and many', () => {
  const said = (stock: number) => [stockOf({ ...product, stock }, 'ja'), stockOf({ ...product, stock }, 'en')]
  assert.deepEqual(said(0), ['現在品切れ', 'out of stock just now'])
  assert.deepEqual(said(1), ['残り1点', 'only 1 left'])
  assert.deepEqual(said(5), ['残り5点', 'only 5 left'])
  assert.deepEqual(said(6), ['在庫6点', '6 in stock'])
})

test('a title is quoted in the style of its language', () => {
  assert.deepEqual([titleOf(product, 'ja'), titleOf(product, 'en')], ['『鬼滅の刃』', '**Demon Slayer**'])
})

test('length, price and stock in one phrase', () => {
  assert.equal(factsOf(product, 'ja'), '全23巻（完結）、1巻1,100円、在庫12点')
})
