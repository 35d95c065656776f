// A screen reader announces the start of an answer, sometimes that it continues, and the whole text at the end.
import assert from 'node:assert/strict'
import test from 'node:test'
import { chatWords, speak } from '../i18n.ts'
import { announce, nothingAnnounced } from './announce.ts'
import { ended, newExchange } from './conversation/exchange.ts'
import type { Exchange } from './conversation/exchange.ts'

const say = speak(chatWords, 'en')
const waiting = newExchange(1, 'q')
const streaming: Exchange = { ...waiting, text: 'One **two', phase: { type: 'streaming' } }

test('tokens are not announced one by one', () => {
  let last = announce(nothingAnnounced, waiting, { say, nowMs: 20_000 })
  assert.equal(last.text, 'Thinking…')
  const announced = new Set<string>()
  for (let nowMs = 20_100; nowMs < 28_000; nowMs += 50) {
    last = announce(last, { ...streaming, text: `${streaming.text}${nowMs}` }, { say, nowMs })
    announced.add(last.text)
  }
  assert.deepEqual([...announced], ['Thinking…'])
})

test('a long answer is announced as continuing every ten seconds', () => {
  const first = announce(nothingAnnounced, waiting, { say, nowMs: 20_000 })
  assert.equal(announce(first, streaming, { say, nowMs: 31_000 }).text, 'The answer continues.')
})

test('the end announces the answer without Markdown marks, and how it ended', () => {
  const end = ended({ ...streaming, text: 'One **two**.' }, { word: 'endInterrupted', remedy: 'ask' })
  const said = announce(nothingAnnounced, end, { say, nowMs: 1 })
  assert.equal(said.text, 'Answer: One two. The answer was interrupted.')
  assert.equal(announce(said, end, { say, nowMs: 99_000 }), said)
})

test('a silence is announced once', () => {
  const first = announce(nothingAnnounced, waiting, { say, nowMs: 1 })
  const silent = announce(first, { ...waiting, silent: true }, { say, nowMs: 3001 })
  assert.equal(silent.text, 'Still working on it, one moment…')
  assert.equal(announce(silent, { ...waiting, silent: true }, { say, nowMs: 9000 }), silent)
})
