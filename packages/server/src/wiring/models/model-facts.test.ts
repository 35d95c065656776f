// The price list and model facts that come with the program.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readModelBook } from './model-facts.ts'

const book = await readModelBook()
const factsOf = (id: string, over: object = {}) => book.factsOf({ provider: 'bedrock', id, ...over })

test('the reference models have their prices, in whole micro-dollars', () => {
  const sonnet = factsOf('anthropic.claude-3-sonnet-20240229-v1:0')
  assert.deepEqual(sonnet?.price, { inputMicroUsdPerMillion: 3_000_000, outputMicroUsdPerMillion: 15_000_000 })
  const haiku = factsOf('anthropic.claude-3-haiku-20240307-v1:0')
  assert.deepEqual(haiku?.price, { inputMicroUsdPerMillion: 250_000, outputMicroUsdPerMillion: 1_250_000 })
  assert.equal(haiku?.contextTokensMax, 200_000)
})

test('a Bedrock inference profile has the facts of its model, and the global profile its own price', () => {
  const id = 'anthropic.claude-haiku-4-5-20251001-v1:0'
  assert.deepEqual(factsOf(`jp.${id}`), factsOf(id))
  assert.equal(factsOf(`global.${id}`)?.price.inputMicroUsdPerMillion, 1_000_000)
})

test('an unknown model has no price unless one is configured, and then cautious limits', () => {
  assert.equal(factsOf('qwen3:4b'), undefined)
  const facts = factsOf('qwen3:4b', { price: [0.1, 0.07], contextWindow: 8192 })
  assert.deepEqual(facts?.price, { inputMicroUsdPerMillion: 100_000, outputMicroUsdPerMillion: 70_000 })
  assert.deepEqual([facts?.contextTokensMax, facts?.trailingAssistant], [8192, false])
})

test('the configuration overrides the known facts', () => {
  const facts = factsOf('anthropic.claude-3-haiku-20240307-v1:0', { price: [0, 0], maxOutput: 100 })
  assert.deepEqual([facts?.price.outputMicroUsdPerMillion, facts?.outputTokensMax], [0, 100])
  assert.equal(book.nearestTo('anthropic.claude-3-haiku-20240307'), 'anthropic.claude-3-haiku-20240307-v1:0')
})

test('the newest Claude models accept neither a trailing assistant message nor a temperature', () => {
  for (const id of ['anthropic.claude-sonnet-5-5', 'claude-haiku-5-5']) {
    const facts = factsOf(id)
    assert.deepEqual([facts?.trailingAssistant, facts?.temperature], [false, false])
  }
})
