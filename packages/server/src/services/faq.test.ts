// The FAQ for a page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FaqItem } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { readFaq } from '#wiring/bundled-data.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleFaq } from '#fixtures/turns/samples.ts'
import { createFaqQuery } from './faq.ts'

const clock = { now: () => 1_800_000_000_000 }

test('every entry is in the requested language, with the label of its topic', () => {
  const read = createFaqQuery({ entries: sampleFaq, config: testConfig, clock })
  assert.deepEqual(read('en').items[0], {
    id: 'shipping',
    topic: 'shipping',
    topicLabel: 'Shipping',
    question: 'How much is shipping?',
    answer: 'Free from 3,000 yen.',
  })
  assert.deepEqual([read('ja').items[1]?.topicLabel, read('ja').items[1]?.question], ['返品・交換', '返品できますか'])
  assert.deepEqual([read('ja').contact, read('en').contact], Object.values(testConfig.store.contact))
})

test('every topic of the bundled FAQ has a label in both languages', async () => {
  const faq = await readFaq()
  const read = createFaqQuery({ entries: () => faq, config: testConfig, clock })
  for (const language of ['ja', 'en'] as const) {
    for (const item of read(language).items) {
      assert.deepEqual([...Value.Errors(FaqItem, item)], [])
      assert.notEqual(item.topicLabel, item.topic, item.id)
    }
  }
})

test('a topic without a label is shown by its own name', () => {
  const faq = sampleFaq().map((entry) => ({ ...entry, topic: 'cafe' }))
  assert.equal(createFaqQuery({ entries: () => faq, config: testConfig, clock })('ja').items[0]?.topicLabel, 'cafe')
})
