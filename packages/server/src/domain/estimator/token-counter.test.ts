// The token estimate: whole, never nothing for something, and the same for a text in pieces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyDeltas, anyText } from '#fixtures/shop/texts.ts'
import { genericCounter } from './token-counter.ts'

test('any text is estimated at a whole number of tokens, and at something', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.ok(Number.isSafeInteger(genericCounter.text(text)))
      assert.equal(genericCounter.text(text) > 0, text !== '')
    }),
  )
})

test('another line is never estimated at less', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, line) => {
      assert.ok(genericCounter.text(`${text}.\n${line}`) >= genericCounter.text(`${text}.`))
    }),
  )
})

test('a meter that is fed in pieces shows what the whole takes', () => {
  fc.assert(
    fc.property(anyDeltas, ({ text, deltas }) => {
      const meter = genericCounter.meter()
      for (const delta of deltas) meter.add(delta)
      assert.equal(meter.tokens(), genericCounter.text(text))
    }),
  )
})

test('every message has its price beside its text, and so has the prompt', () => {
  assert.equal(genericCounter.messages([]), 0)
  assert.equal(genericCounter.messages([{ content: '' }]), 5)
  const messages = [{ content: 'こんにちは' }, { content: 'hello' }]
  assert.equal(genericCounter.prompt({ system: '', messages }), genericCounter.messages(messages) + 5)
  assert.equal(
    genericCounter.prompt({ system: 'Be brief.', messages }),
    genericCounter.messages([{ content: 'Be brief.' }, ...messages]) + 5,
  )
})

test('a prompt in slices takes what it takes in one go, and is paused at least every so many characters', async () => {
  const long = 'The quick brown fox, 12,345 times.\n進撃の巨人😀 '.repeat(3000)
  const short = Array.from({ length: 2000 }, (_, index) => ({ content: `message ${index} of many, and short` }))
  const prompts = [
    { system: '', messages: [] },
    { system: 'Be brief.', messages: [{ content: 'hello' }] },
    { system: long, messages: [{ content: long }, { content: long }] },
    { system: '', messages: short },
  ]
  for (const prompt of prompts) {
    let pauses = 0
    const tokens = await genericCounter.promptInSlices(prompt, async () => void (pauses += 1))
    assert.equal(tokens, genericCounter.prompt(prompt))
    const units = [prompt.system, ...prompt.messages.map(({ content }) => content)].join('').length
    assert.equal(pauses, Math.floor(units / 16_384))
  }
  // A word without end may be ended by a slice.
  const endless = { system: '', messages: [{ content: 'a'.repeat(163_840) }] }
  const inOneGo = genericCounter.prompt(endless)
  assert.ok(Math.abs((await genericCounter.promptInSlices(endless, async () => {})) - inOneGo) <= 10)
})
