// What kind of thing the shopper said.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from './classify.ts'

test('greetings and thanks are known in both languages, whatever their width, case and signs', () => {
  for (const message of ['こんにちは', 'こんばんは！', 'おはようございます。', 'はじめまして'])
    assert.equal(classify(message, 'ja'), 'greeting')
  for (const message of ['Hello', 'HI!', 'ｈｅｌｌｏ', 'good evening'])
    assert.equal(classify(message, 'en'), 'greeting')
  for (const message of ['ありがとうございました', 'どうもありがとう', '助かりました！'])
    assert.equal(classify(message, 'ja'), 'thanks')
  for (const message of ['Thanks a lot', 'thank you very much!']) assert.equal(classify(message, 'en'), 'thanks')
})

test('a greeting inside another word is none', () => {
  for (const message of ['something about high school', 'Shiver', 'they thanksgiving manga']) {
    assert.equal(classify(message, 'en'), 'question')
  }
})

test('what asks or goes on is a question, however politely it begins', () => {
  assert.equal(classify('Hello, do you have Berserk?', 'en'), 'question')
  assert.equal(classify('こんにちは、進撃の巨人はありますか？', 'ja'), 'question')
  assert.equal(classify('hi there I am looking for something sad and slow', 'en'), 'question')
})
