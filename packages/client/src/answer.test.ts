// The offset rule, by example and as a property: whatever is lost or repeated, resuming at each gap gives the exact
// text.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { ChunkFrame } from '@mangaassist/protocol'
import { noAnswer, receive } from './answer.ts'
import { doneFrame } from './testing/fake-server.ts'

const chunk = (offset: number, text: string): ChunkFrame => ({
  type: 'chunk',
  turnId: 't1',
  epoch: 0,
  seq: 0,
  offset,
  text,
})

test('a chunk that continues the text is appended', () => {
  const { answer, added } = receive({ text: 'こん', asks: 0 }, chunk(2, 'にちは'))
  assert.deepEqual({ text: answer.text, added }, { text: 'こんにちは', added: 'にちは' })
})

test('only the new end of an overlapping chunk is appended', () => {
  assert.equal(receive({ text: 'こんに', asks: 0 }, chunk(1, 'んにちは')).added, 'ちは')
})

test('a repeated chunk changes nothing', () => {
  const before = { text: 'こんにちは', asks: 0 }
  assert.deepEqual(receive(before, chunk(1, 'んに')), { answer: before, added: '', ask: false, ended: false })
})

test('a gap causes one request, however many chunks follow it', () => {
  const first = receive({ text: 'ab', asks: 0 }, chunk(4, 'ef'))
  const second = receive(first.answer, chunk(6, 'gh'))
  assert.deepEqual([first.ask, second.ask, second.answer.text], [true, false, 'ab'])
})

test('a `done` before the text is complete requests the rest, a bounded number of times', () => {
  let step = receive({ text: 'ab', asks: 0 }, doneFrame('abcd'))
  let asks = 0
  while (step.ask) {
    asks += 1
    step = receive(step.answer, doneFrame('abcd'))
  }
  assert.equal(step.ended, true)
  assert.equal(asks, 5)
})

test('with lost, repeated and reordered chunks, resuming at each gap gives the whole text', () => {
  const deliveries = fc.array(fc.record({ from: fc.nat(60), length: fc.nat(20) }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), deliveries, (text, chunks) => {
      let answer = noAnswer
      const take = (from: number, to?: number): void => {
        const step = receive(answer, chunk(from, text.slice(from, to)))
        answer = step.answer
        if (step.ask) take(answer.text.length)
      }
      for (const { from, length } of chunks) take(Math.min(from, text.length), from + length)
      const end = receive(answer, doneFrame(text))
      if (end.ask) take(answer.text.length)
      assert.equal(answer.text, text)
    }),
  )
})
