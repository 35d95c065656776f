// Usage in every shape that a provider has used, and values that are no usage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokensOf, usageOf, UsageTally, usageGap } from './model-usage.ts'

test('a figure is read from a number, from digits, and from total, value or count', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (tokens) => {
      const shapes = [tokens, String(tokens), { total: tokens }, { value: String(tokens) }, { count: tokens }]
      for (const shape of shapes) assert.equal(tokensOf(shape), tokens)
    }),
  )
})

test('any other value is unknown, never zero or less', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const tokens = tokensOf(value)
      assert.ok(tokens === undefined || (Number.isSafeInteger(tokens) && tokens > 0) || tokens > 2 ** 53)
    }),
  )
  for (const value of [0, -5, '0', '-5', 'many', Number.NaN, null, undefined, [], { total: 0 }]) {
    assert.equal(tokensOf(value), undefined)
  }
})

test('tokens read from or written to a cache are added to the input, unless they are included already', () => {
  const anthropic = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 7 }
  const expected = { inputTokens: 115, outputTokens: 7, cacheReadTokens: 100 }
  assert.deepEqual(usageOf(anthropic), { ...expected, cacheWriteTokens: 5 })
  const converse = { inputTokens: 0, cacheReadInputTokens: 100, cacheWriteInputTokens: 5 }
  assert.deepEqual(usageOf(converse), { inputTokens: 105, cacheReadTokens: 100, cacheWriteTokens: 5 })
  const openAi = { prompt_tokens: 115, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } }
  assert.deepEqual(usageOf(openAi), expected)
  const aiSdk = { inputTokens: { total: 115, cacheRead: 100, cacheWrite: 5 }, outputTokens: { total: 7 } }
  assert.deepEqual(usageOf(aiSdk), { ...expected, cacheWriteTokens: 5 })
  assert.deepEqual(usageOf({ cache_read_input_tokens: 100 }), { cacheReadTokens: 100 })
})

test('the figures of a stream only grow', () => {
  const tally = new UsageTally()
  for (const output_tokens of [5, 9, 3]) tally.see({ input_tokens: 20, output_tokens })
  assert.deepEqual(tally.part(4), { type: 'usage', inputTokens: 20, outputTokens: 9 })
  tally.see({ input_tokens: 20, cache_read_input_tokens: 10 })
  assert.deepEqual(tally.part(4), { type: 'usage', inputTokens: 30, outputTokens: 9, cacheReadTokens: 10 })
})

test('the output figure of a message’s first event is ignored, unless it is plausible and the only one', () => {
  const tally = new UsageTally()
  tally.seeAtStart({ input_tokens: 20, output_tokens: 2 })
  // The structure of what cannot be used is kept for operators.
  const raw = '{"input_tokens":20,"output_tokens":2}'
  assert.deepEqual(tally.part(50), { type: 'usage', inputTokens: 20, raw })
  assert.deepEqual(tally.part(2), { type: 'usage', inputTokens: 20, outputTokens: 2 })
  tally.see({ output_tokens: 64 })
  assert.deepEqual(tally.part(50), { type: 'usage', inputTokens: 20, outputTokens: 64 })
  assert.equal(new UsageTally().part(3), undefined)
})

test('usage that cannot be used is missing, in another structure, or zero', () => {
  const rawOf = (usage: unknown) => {
    const tally = new UsageTally()
    tally.see(usage)
    const part = tally.part(3)
    return part?.type === 'usage' ? part.raw : undefined
  }
  assert.equal(usageGap(rawOf(undefined)), 'missing')
  assert.equal(usageGap(rawOf({ tokens_in: 12, cache_read_input_tokens: 0 })), 'missing')
  assert.equal(usageGap(rawOf({ prompt_tokens: 12, completion_tokens: 0 })), 'zero')
  assert.equal(rawOf({ prompt_tokens: 12, completion_tokens: 5 }), undefined)
  assert.equal(rawOf({ note: 'my name is Hanako' }), '{"note":"xx xxxx xx xxxxxx"}')
  assert.ok((rawOf(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, at]))) ?? '').length <= 300)
})
