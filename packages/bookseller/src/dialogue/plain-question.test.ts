// Which questions need no model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { informing, introducing, sampleAspect, sampleReading, suggesting } from '../../test/fixtures/dialogue.ts'
import { UNGROUNDED } from '../grounding.ts'
import type { Grounding } from '../grounding.ts'
import type { FaqEntry } from '../catalogue/catalogue.ts'
import { plainQuestionsIn } from './plain-question.ts'

const ENTRY = { id: 'returns', topic: 'orders' } as unknown as FaqEntry

function ofShop(over: Partial<Grounding> = {}): Grounding {
  const reading = sampleReading({ act: 'faq', faq: { id: 'returns', isSure: true, isAsked: true } })
  return { ...UNGROUNDED, reading, intent: { kind: 'faq', id: 'returns' }, faq: [ENTRY], ...over }
}

test('price and stock of a named series need no model, together or alone', () => {
  assert.deepEqual(plainQuestionsIn(informing(['price'])), ['price'])
  assert.deepEqual(plainQuestionsIn(informing(['price', 'total'])), ['price'])
  assert.deepEqual(plainQuestionsIn(informing(['stock', 'price'])), ['stock', 'price'])
  const ids = informing([]).products.map(({ id }) => id)
  assert.deepEqual(plainQuestionsIn(informing(['total'], { intent: { kind: 'sum', ids } })), ['price'])
})

test('another fact or wish beside them, an unsure reading, a guessed or a described name needs one', () => {
  const { reading } = informing(['price'])
  const guessed = reading.series.map((named) => ({ ...named, guessed: true as const }))
  const questions = [
    informing(['price', 'ending']),
    informing([]),
    informing(['price'], { reading: { ...reading, sureness: 0.8 } }),
    informing(['price'], { reading: { ...reading, series: guessed } }),
    informing(['price'], { reading: { ...reading, isComplex: true } }),
    informing(['price'], { products: [] }),
    // "Other than X, what costs less than 5,000 yen?"
    informing(['total'], { reading: { ...reading, limits: { totalYenMax: 5000 } } }),
    informing(['price'], { reading: { ...reading, want: [sampleAspect()] } }),
    informing(['price'], {
      reading: { ...reading, series: [...reading.series, { role: 'like', text: 'x', id: 'x' }] },
    }),
    // One of them is only described.
    informing(['price'], { intent: { kind: 'sum', ids: [...reading.series.map(({ id = '' }) => id), 'described'] } }),
    introducing(),
    suggesting(),
  ]
  for (const question of questions) assert.deepEqual(plainQuestionsIn(question), [])
})

test('a sure question to the shop needs no model', () => {
  assert.deepEqual(plainQuestionsIn(ofShop()), ['faq'])
  const { reading } = ofShop()
  const unsure = { ...reading, faq: { id: 'returns', isSure: false, isAsked: true } }
  const others = [
    ofShop({ reading: unsure }),
    ofShop({ reading: { ...reading, sureness: 0.5 } }),
    ofShop({ intent: { kind: 'faq', id: 'returns', isContinued: true } }),
    ofShop({ intent: { kind: 'faq', id: 'returns', also: 'shipping' } }),
    ofShop({ faq: [] }),
  ]
  for (const question of others) assert.deepEqual(plainQuestionsIn(question), [])
})

test('a sure question about an order needs no model, a grievance does', () => {
  const reading = sampleReading({ act: 'order' })
  const intent = { kind: 'order', topic: 'status' } as const
  assert.deepEqual(plainQuestionsIn({ ...UNGROUNDED, reading, intent }), ['order'])
  const late = { ...reading, grievances: ['late' as const] }
  assert.deepEqual(plainQuestionsIn({ ...UNGROUNDED, reading: late, intent }), [])
  assert.deepEqual(plainQuestionsIn({ ...UNGROUNDED, reading: { ...reading, isDistressed: true }, intent }), [])
})
