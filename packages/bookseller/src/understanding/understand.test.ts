// The kind of question that a message is, and its subject.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trickyLexicon } from '../../test/fixtures/tricky-shelves.ts'
import { detectLanguage } from '../text/language.ts'
import type { AskKind } from './ask.ts'
import { understand } from './understand.ts'

const lexicon = trickyLexicon()
const read = (message: string) => understand(message, detectLanguage(message), lexicon)

function assertKind(kind: AskKind, ...messages: readonly string[]): void {
  for (const message of messages) assert.equal(read(message).kind, kind, message)
}

test('greetings and thanks are recognised in both languages, whatever their width, case and punctuation', () => {
  assertKind(
    'greeting',
    'こんにちは',
    'こんばんは！',
    'おはようございます。',
    'Hello',
    'HI!',
    'ｈｅｌｌｏ',
    'good evening',
  )
  assertKind(
    'thanks',
    'ありがとうございます',
    'どうもありがとう',
    '助かりました！',
    'Thanks a lot',
    'thank you very much!',
  )
})

test('a greeting inside another word is not a greeting', () => {
  for (const message of ['something about high school', 'Shiver', 'a thanksgiving manga', 'はいからさんが通る']) {
    assert.ok(!['greeting', 'thanks'].includes(read(message).kind), message)
  }
})

test('a polite beginning with a question after it is a question', () => {
  assertKind('price', 'Hello, do you have Akira?', 'こんにちは、蟲師はありますか？')
  assertKind('recommend', 'hi there I am looking for something sad', 'こんにちは、ホラーを探しています')
  assertKind('price', 'ありがとう。ところで蟲師の在庫は？')
})

test('questions about the assistant are recognised', () => {
  assertKind('identity', 'あなたは誰ですか', 'AIですか？', 'Who are you?', 'are you a bot')
})

test('a question about one series is about its price, its content, or similar series', () => {
  assertKind('price', '蟲師はいくら？', '蟲師の在庫', 'how much is Mushishi', 'Is Mushishi in stock?')
  assertKind('about', '蟲師', '蟲師ってどんな話？', 'Tell me about Mushishi', 'Who wrote Mushishi?')
  assertKind('about', 'Is Mushishi finished?', '蟲師は完結していますか？', 'Is Mushishi scary?')
  assertKind(
    'like',
    '蟲師みたいな漫画',
    '蟲師が好き',
    'something like Mushishi',
    'Mushishi but darker',
    'Is there more like Mushishi?',
  )
})

test('two series are compared, unless similar ones are wanted', () => {
  assertKind('compare', '蟲師と鬼滅の刃、どっちが短い？', 'Akira vs Nana', 'Akira or Nana?')
  assertKind('like', '蟲師と鬼滅の刃が好きです', 'I loved Akira and Nana')
  assert.deepEqual(read('NANAとAKIRA、どっち？').mentioned, ['nana', 'akira'])
})

test('"love" for a series is not a wish for romance', () => {
  const { kind, wish } = read('I love Mushishi')
  assert.deepEqual([kind, wish.genres], ['like', []])
})

test('a series with its own author is one name; another author is a wish', () => {
  assert.deepEqual(read('高橋留美子の犬夜叉みたいな漫画').wish.filters, {})
  assert.deepEqual(read('高橋留美子の漫画').wish.filters, { author: '高橋留美子' })
})

test('questions about the shop go to the FAQ, unless a series is named', () => {
  assert.deepEqual([read('送料はいくらですか').kind, read('送料はいくらですか').faqId], ['faq', 'shipping'])
  assert.deepEqual([read('Can I return a book?').kind, read('Can I return a book?').faqId], ['faq', 'returns'])
  assertKind('price', '蟲師はいくらですか')
})

test('an unknown name is recognised as such, and not mistaken for another series', () => {
  const { kind, mentioned } = read('チェンソーマンありますか？')
  assert.deepEqual([kind, mentioned], ['price', []])
  for (const message of [
    'Do you sell Chainsaw Man? What does it cost?',
    'チェンソーマンは置いていますか？いくらですか？',
    'Do you have Soul Eater in stock?',
  ]) {
    assert.deepEqual([read(message).kind, read(message).reference], ['price', undefined], message)
  }
  assert.equal(read('ちいかわはありますか').reference, undefined)
})

test('other subjects are off topic, and noise is unknown', () => {
  assertKind('off-topic', '今日の天気は？', 'What is the capital of France?', 'write some python code')
  assertKind('unknown', 'あああ', 'asdf', '🤔', '')
})

test('shown series are referred to by position, by a pronoun or as a whole', () => {
  assert.deepEqual(read('2番目のは在庫ある？').reference, { kind: 'ordinal', index: 1 })
  assert.deepEqual(read('is the second one in stock?').reference, { kind: 'ordinal', index: 1 })
  assert.deepEqual(read('最後のはどんな話？').reference, { kind: 'ordinal', index: -1 })
  assert.deepEqual(read('それはいくら？').reference, { kind: 'it' })
  assert.deepEqual(read('全部いくら？').reference, { kind: 'all' })
  assert.equal(read('my last name').reference, undefined)
  assert.equal(read('wait a bit').reference, undefined)
})

test('a question that names nothing is about the series that were shown', () => {
  for (const message of [
    'いくら？',
    '在庫は？',
    '在庫はありますか？',
    'じゃあ、在庫と値段は？',
    'great, in stock?',
    'And how much?',
  ]) {
    assert.deepEqual([read(message).kind, read(message).reference], ['price', { kind: 'all' }], message)
  }
  for (const message of ['似たのある？', 'それに似た作品', 'something similar, but in stock', 'anything similar?']) {
    assert.deepEqual([read(message).kind, read(message).reference], ['like', { kind: 'all' }], message)
  }
  assert.equal(read('チェンソーマンに似た作品').reference, undefined)
  assert.equal(read('anything similar to Chainsaw Man?').reference, undefined)
})

test('"shorter" and "cheaper" refine; "the shortest" and "the cheapest" compare the shown series', () => {
  assert.deepEqual([read('もっと短いのは？').kind, read('もっと短いのは？').than], ['refine', 'shorter'])
  assert.deepEqual([read('cheaper?').kind, read('cheaper?').than], ['refine', 'cheaper'])
  for (const message of ['一番短いのはどれ？', 'その中で一番安いのは？', 'which one is the shortest?']) {
    const { kind, reference, than, wish } = read(message)
    assert.deepEqual([kind, reference, than, wish.filters], ['compare', { kind: 'all' }, undefined, {}], message)
  }
  assert.deepEqual(read('高橋留美子の一番安いのは？').wish.filters, { author: '高橋留美子' })
})

test('a message that says only "in stock" is a wish, not a question for the FAQ', () => {
  assertKind('recommend', '在庫があるのだけ', 'in stock only')
})
