// Amounts that a question compares the price of series with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReading } from '../../../test/fixtures/dialogue.ts'
import { sampleProduct } from '../../../test/fixtures/samples.ts'
import { UNGROUNDED } from '../../grounding.ts'
import type { Reading } from '../../understanding/reading.ts'
import { compose } from '../compose.ts'
import { intend } from '../intend.ts'
import { hear } from '../replay.ts'
import { NO_STATE } from '../state.ts'
import { withinIn } from './within.ts'

test('the amount of a question about money is read, and whether more than it is asked for', () => {
  for (const [words, yen] of [
    ['両方全巻揃えたら6000円で足ります?', 6000],
    ['2作品まとめて買って4000円いかないですよね?', 4000],
    ['全部で1万5千円以内に収まりますか', 15_000],
    ['would 5000 cover it?', 5000],
    ['is that under 2,000 yen together?', 2000],
    ['orochi + devilman, is that under 6k together', 6000],
    ['can I get the first ten for under 6,000?', 6000],
  ] as const)
    assert.deepEqual(withinIn(words, undefined), { yen }, words)
  assert.deepEqual(withinIn('全巻買うと2万円超えます?', undefined), { yen: 20_000, isOver: true })
  assert.deepEqual(withinIn('予算内におさまる?', 8000), { yen: 8000 })
})

test('a wish with an amount, and a number that is no money, compare nothing', () => {
  for (const words of [
    '5000円以内のおすすめは?',
    'anything under 2000 yen?',
    'which of them is under 3000?',
    '10巻以内ですか',
    'is it under 10 volumes?',
    '全部で5000円以内のない？',
  ])
    assert.equal(withinIn(words, undefined), undefined, words)
})

const TALKING = { ...NO_STATE, list: ['a', 'b'], seen: ['a', 'b'], focus: ['a'], talked: ['a'], turns: 1 }
const received = (message: string, reading: Partial<Reading>) =>
  hear(TALKING, { message, language: 'en' }, () => sampleReading(reading))

test('the amount is compared with what is talked about, and is no budget', () => {
  const asked = received('would 5000 cover it?', { act: 'tell', limits: { totalYenMax: 5000 }, referents: ['it'] })
  assert.deepEqual(intend(asked), { kind: 'sum', ids: ['a'], within: { yen: 5000 } })
  assert.deepEqual(asked.state.conditions.limits, {})
  const wish = received('I can spend 5000 yen for it, ok?', { act: 'recommend', limits: { totalYenMax: 5000 } })
  assert.deepEqual(wish.state.conditions.limits, { totalYenMax: 5000 })
})

test('the answer is yes or no, the sum, and what is left or missing', () => {
  const products = [sampleProduct({ volumes: 5, pricePerVolumeYen: 500 })]
  const shop = { contact: { ja: '', en: '' }, shipping: { feeYen: 500, freeFromYen: 3000 } }
  const said = (yen: number, isOver?: true) =>
    (['ja', 'en'] as const).map((language) => {
      const within = { yen, ...(isOver && { isOver }) }
      return compose({ ...UNGROUNDED, shop, products, intent: { kind: 'sum', ids: [], within } }, language).text
    })
  const [ja = '', en = ''] = said(4000)
  assert.match(ja, /^はい、.*2,500円.*4,000円以内.*1,500円残/)
  assert.match(en, /^Yes, .*¥2,500, leaving ¥1,500 of your ¥4,000\./)
  const [less = '', fewer = ''] = said(2000)
  assert.match(less, /^いいえ、.*500円足りません/)
  assert.match(fewer, /^No, .*¥500 more than ¥2,000/)
  // The books alone would do.
  assert.match(said(2800)[1] ?? '', /^Yes, .*With ¥500 for shipping, though, it’s ¥3,000, ¥200 over\./)
  assert.match(said(2000, true)[0] ?? '', /^はい、/)
  assert.match(said(4000, true)[1] ?? '', /^No, /)
})
