// Finding the FAQ entry that answers a message, by distinctive words in the language of the message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFaq } from '../../test/fixtures/samples.ts'
import type { FaqEntry } from './catalogue.ts'
import { faqIndex } from './faq-index.ts'

const find = (message: string, language: 'ja' | 'en', entries = sampleFaq()) =>
  faqIndex(entries).match(message, language)?.entry.id

const entry = (id: string, questions: FaqEntry['questions'], keywords: FaqEntry['keywords']): FaqEntry => ({
  id,
  topic: id,
  questions,
  keywords,
  answer: { ja: id, en: id },
})

test('a keyword as a whole word finds its entry, in either language, whatever its width and case', () => {
  assert.equal(find('送料を教えて', 'ja'), 'shipping')
  assert.equal(find('What about ＳＨＩＰＰＩＮＧ costs?', 'en'), 'shipping')
  assert.equal(find('I want to return this', 'en'), 'returns')
})

test('a keyword inside another word is no match', () => {
  assert.equal(find('When does Tankoubon Monthly returneth?', 'en'), undefined)
  assert.equal(find('Are you midshipping it', 'en'), undefined)
  const [wrapped] = [entry('opened', { ja: ['開けた本'], en: ['opened'] }, { ja: ['シュリンク'], en: ['opened'] })]
  assert.equal(find('シュリンクを外した', 'ja', [wrapped, ...sampleFaq()]), 'opened')
  assert.equal(find('オリンピックの国', 'ja', [wrapped, ...sampleFaq()]), undefined)
})

test('a keyword of several words matches as a whole', () => {
  const ebooks = entry('ebooks', { ja: ['電子書籍'], en: ['digital?'] }, { ja: ['電子書籍'], en: ['e-books'] })
  assert.equal(find('any E-Books here', 'en', [ebooks, ...sampleFaq()]), 'ebooks')
  assert.equal(find('any books here', 'en', [ebooks, ...sampleFaq()]), undefined)
})

test('a message about another subject matches no entry', () => {
  assert.equal(find('進撃の巨人が好きです', 'ja'), undefined)
  assert.equal(find('教えてください', 'ja'), undefined)
  assert.equal(find('', 'en'), undefined)
})

test('an entry’s own question is a sure match, whatever keywords another entry has', () => {
  const [shipping, returns] = sampleFaq()
  assert.ok(shipping !== undefined && returns !== undefined)
  const greedy = {
    ...shipping,
    keywords: { ja: ['返品', 'でき', '返品できますか'], en: ['can', 'return', 'a', 'book'] },
  }
  const index = faqIndex([greedy, returns])
  assert.deepEqual(index.match('Hello! Can I return a book?', 'en'), { entry: returns, sure: true, probability: 1 })
  assert.deepEqual(index.match('返品できますか', 'ja'), { entry: returns, sure: true, probability: 1 })
})

test('when the questions of two entries match, the longer one decides', () => {
  const pay = entry('pay', { ja: ['支払い'], en: ['Can I pay?'] }, { ja: [], en: [] })
  const cash = entry('cash', { ja: ['現金'], en: ['How can I pay in cash'] }, { ja: [], en: [] })
  const both = entry('both', { ja: ['現金払い'], en: ['can I pay in cash'] }, { ja: [], en: [] })
  assert.equal(find('Tell me, how can I pay in cash?', 'en', [pay, both, cash]), 'cash')
})

test('general words do not match, and of a keyword phrase only the whole counts as a keyword', () => {
  const contact = entry(
    'contact',
    { ja: ['質問はどこに送れますか'], en: ['Where can I send a question?', 'Can I talk to a person?'] },
    { ja: ['問い合わせ', '質問'], en: ['contact', 'question', 'talk to a person'] },
  )
  const among = [contact, ...sampleFaq()]
  for (const about of ['a question about robots', 'I have a question about robots', 'a person who fights robots'])
    assert.equal(find(about, 'en', among), undefined, about)
  assert.equal(find('ロボットの質問です', 'ja', among), undefined)
  for (const asked of ['how do I contact you?', 'please let me talk to a person', 'Where can I send a question?'])
    assert.equal(find(asked, 'en', among), 'contact', asked)
  assert.equal(find('問い合わせたいです', 'ja', among), 'contact')
})
