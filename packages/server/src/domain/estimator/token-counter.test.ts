// The token estimate: a whole number, positive for any text, and the same for a text in pieces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyDeltas, anyText } from '#fixtures/shop/texts.ts'
import { messageText, textMessage, textPart } from '../model/model-message.ts'
import { GENERIC } from './families.ts'
import { FEATURES } from './features.ts'
import { Scan } from './scan.ts'
import { genericCounter, weigh } from './token-counter.ts'

test('the estimate of any text is a positive whole number', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.ok(Number.isSafeInteger(genericCounter.text(text)))
      assert.equal(genericCounter.text(text) > 0, text !== '')
    }),
  )
})

test('a further line never lowers the estimate', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, line) => {
      assert.ok(genericCounter.text(`${text}.\n${line}`) >= genericCounter.text(`${text}.`))
    }),
  )
})

test('a meter that gets a text in pieces gives the estimate of the whole', () => {
  fc.assert(
    fc.property(anyDeltas, ({ text, deltas }) => {
      const meter = genericCounter.meter()
      for (const delta of deltas) meter.add(delta)
      assert.equal(meter.tokens(), genericCounter.text(text))
    }),
  )
})

test('every message and the prompt cost tokens in addition to their text', () => {
  assert.equal(genericCounter.messages([]), 0)
  assert.equal(genericCounter.messages([textMessage('user', '')]), 5)
  const messages = [textMessage('user', 'こんにちは'), textMessage('user', 'hello')]
  assert.equal(genericCounter.prompt({ system: '', messages }), genericCounter.messages(messages) + 5)
  assert.equal(
    genericCounter.prompt({ system: 'Be brief.', messages }),
    genericCounter.messages([textMessage('user', 'Be brief.'), ...messages]) + 5,
  )
})

test('a message of one text costs its text and one message', () => {
  const weight = GENERIC.weights[FEATURES.indexOf('message')]!
  fc.assert(
    fc.property(anyText, (text) => {
      const scan = new Scan()
      scan.add(text)
      const tokens = Math.ceil(weigh(scan.counts(), GENERIC.weights) + weight - 1e-9)
      assert.equal(genericCounter.messages([textMessage('user', text)]), tokens)
    }),
  )
})

test('a text costs the same in one part as in several, also in slices', async () => {
  await fc.assert(
    fc.asyncProperty(anyDeltas, async ({ text, deltas }) => {
      const [whole, parted] = [textMessage('user', text), { content: deltas.map(textPart) }]
      assert.equal(genericCounter.messages([parted]), genericCounter.messages([whole]))
      const inSlices = await genericCounter.promptInSlices({ system: '', messages: [parted] }, async () => {})
      assert.equal(inSlices, genericCounter.prompt({ system: '', messages: [whole] }))
    }),
  )
})

test('a prompt in slices gives the same estimate, with a pause at least once per slice length', async () => {
  const long = 'The quick brown fox, 12,345 times.\n進撃の巨人😀 '.repeat(3000)
  const short = Array.from({ length: 2000 }, (_, index) => textMessage('user', `message ${index} of many, and short`))
  const prompts = [
    { system: '', messages: [] },
    { system: 'Be brief.', messages: [textMessage('user', 'hello')] },
    { system: long, messages: [textMessage('user', long), textMessage('user', long)] },
    { system: '', messages: short },
  ]
  for (const prompt of prompts) {
    let pauses = 0
    const tokens = await genericCounter.promptInSlices(prompt, async () => void (pauses += 1))
    assert.equal(tokens, genericCounter.prompt(prompt))
    const units = [prompt.system, ...prompt.messages.map(messageText)].join('').length
    assert.equal(pauses, Math.floor(units / 16_384))
  }
  // A word without end may be ended by a slice.
  const endless = { system: '', messages: [textMessage('user', 'a'.repeat(163_840))] }
  const inOneGo = genericCounter.prompt(endless)
  assert.ok(Math.abs((await genericCounter.promptInSlices(endless, async () => {})) - inOneGo) <= 10)
})
