// The fact that was asked comes first, and every number in it is the store's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { describeFact, describeExtreme } from './describe-fact.ts'

const demon = sampleProduct({ volumes: 23, status: 'completed', pricePerVolumeYen: 484, stock: 12 })
const piece = sampleProduct({
  id: 'one-piece',
  title: { ja: 'ONE PIECE', en: 'One Piece', romaji: 'One Piece' },
  volumes: 114,
  status: 'running',
  pricePerVolumeYen: 572,
})

test('author, start, status and length', () => {
  assert.match(describeFact([demon], 'author', 'en'), /^\*\*Demon Slayer\*\* is by Koyoharu Gotouge\./)
  assert.match(describeFact([demon], 'start', 'ja'), /^『鬼滅の刃』は2016年に始まりました。/)
  assert.match(describeFact([demon], 'status', 'en'), /^\*\*Demon Slayer\*\* is complete in 23 volumes\./)
  assert.match(describeFact([piece], 'status', 'ja'), /^『ONE PIECE』はまだ完結しておらず、連載中です（既刊114巻）。/)
  assert.match(describeFact([piece], 'length', 'en'), /^\*\*One Piece\*\* has 114 volumes so far\./)
})

test('a total is volumes times price, for each of several series', () => {
  assert.match(describeFact([demon], 'total', 'ja'), /^『鬼滅の刃』は全23巻で約11,132円です。/)
  assert.match(
    describeFact([demon, piece], 'total', 'en'),
    /about ¥11,132\.\n- All 114 volumes so far.* about ¥65,208\./,
  )
})

test('the longest or cheapest series is named, and when all are equal the answer says so', () => {
  assert.equal(describeExtreme([demon, piece], 'longer', 'ja'), '長いのは『ONE PIECE』（114巻）です。')
  assert.equal(describeExtreme([demon, piece], 'cheaper', 'en'), '**Demon Slayer** is the cheaper (¥484 a volume).')
  const twin = { ...piece, pricePerVolumeYen: 484 }
  assert.match(describeExtreme([demon, twin], 'dearer', 'ja'), /1巻の価格が同じです（484円）/)
  assert.match(describeExtreme([demon, twin], 'cheaper', 'en'), /are level: ¥484 a volume\.$/)
})
