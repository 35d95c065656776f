// What the FAQ says of money, and what it means for the last sum.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleProduct } from '../../test/fixtures/samples.ts'
import type { FaqEntry } from '../catalogue/catalogue.ts'
import { UNGROUNDED } from '../grounding.ts'
import { compose } from './compose.ts'
import { shopOf } from './shop.ts'
import { NO_STATE } from './state.ts'

const entry = (id: string, en: string): FaqEntry => ({
  id,
  topic: id,
  questions: { ja: [id], en: [id] },
  keywords: { ja: [], en: [] },
  answer: { ja: en, en },
})
const CONTACT = { ja: 'x', en: 'x' }

test('fee, limit and percentage are read from the FAQ, unless it states several', () => {
  const shop = shopOf(CONTACT, [
    entry('shipping-fee', '500 yen, free from 3,000 yen'),
    entry('points', 'You earn 2 %.'),
  ])
  assert.deepEqual(shop, { contact: CONTACT, shipping: { feeYen: 500, freeFromYen: 3000 }, pointsPercent: 2 })
  assert.deepEqual(shopOf(CONTACT, [entry('points', '1 %, on Sundays 3 %')]), { contact: CONTACT })
})

test('points and shipping are stated for the last sum, and the policy only where it adds something', () => {
  const faq = {
    fee: entry('shipping-fee', '500 yen, free from 3,000 yen.'),
    points: entry('points', 'Members earn 1 %.'),
  }
  const shop = shopOf(CONTACT, Object.values(faq))
  const product = sampleProduct({ id: 'a', pricePerVolumeYen: 500, volumes: 10 })
  const answer = (asked: FaqEntry, to: number) => {
    const sum = { ids: ['a'], amounts: { a: { from: 1, to } } }
    const intent = { kind: 'faq', id: asked.id } as const
    const state = { ...NO_STATE, sum }
    return compose({ ...UNGROUNDED, shop, intent, state, products: [product], faq: [asked] }, 'en').text
  }
  assert.equal(answer(faq.points, 5), 'On ¥2,500 a member gets 25 points back, worth ¥25 on a later order.')
  assert.match(answer(faq.fee, 5), /¥500.*free from 3,000 yen/)
  assert.match(answer(faq.fee, 8), /free/)
  assert.doesNotMatch(answer(faq.fee, 8), /3,000/)
})
