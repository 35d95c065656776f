// The facts of a series as they are said: the store's own numbers, in both languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { factsOf, lengthOf, priceOf, stockOf, titleOf } from './facts.ts'

const product = sampleProduct({ volumes: 23, status: 'completed', pricePerVolumeYen: 1100, stock: 12 })

test('a finished series has all its volumes, a running one those so far, a paused one says that it pauses', () => {
  assert.deepEqual([lengthOf(product, 'ja'), lengthOf(product, 'en')], ['全23巻（完結）', '23 volumes, complete'])
  const running = { ...product, status: 'running' } as const
  assert.deepEqual([lengthOf(running, 'ja'), lengthOf(running, 'en')], ['既刊23巻', '23 volumes so far'])
  const paused = { ...product, status: 'hiatus' } as const
  assert.deepEqual(
    [lengthOf(paused, 'ja'), lengthOf(paused, 'en')],
    ['既刊23巻（休載中）', '23 volumes so far, on hiatus'],
  )
})

test('one volume is one', () => {
  assert.equal(lengthOf({ ...product, volumes: 1 }, 'en'), '1 volume, complete')
})

test('the price is per volume, with its thousands parted', () => {
  assert.deepEqual([priceOf(product, 'ja'), priceOf(product, 'en')], ['1巻1,100円', '¥1,100 a volume'])
})

test('stock is exact: none, few and many are each said as they are', () => {
  const said = (stock: number) => [stockOf({ ...product, stock }, 'ja'), stockOf({ ...product, stock }, 'en')]
  assert.deepEqual(said(0), ['現在品切れ', 'out of stock just now'])
  assert.deepEqual(said(1), ['残り1点', 'only 1 left'])
  assert.deepEqual(said(5), ['残り5点', 'only 5 left'])
  assert.deepEqual(said(6), ['在庫6点', '6 in stock'])
})

test('a title is set off in the way of its language', () => {
  assert.deepEqual([titleOf(product, 'ja'), titleOf(product, 'en')], ['『鬼滅の刃』', '**Demon Slayer**'])
})

test('all facts in one breath', () => {
  assert.equal(factsOf(product, 'ja'), '全23巻（完結）、1巻1,100円、在庫12点')
})
