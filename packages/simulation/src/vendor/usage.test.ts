// Usage in every shape that a reader must handle, as the vendors' own clients pass it on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatorFor } from './testing/clients.ts'
import { listener, STREAM_APIS } from './testing/listeners.ts'
import type { Usage } from './usage.ts'

/** Expected values for converse, invoke and OpenAI. */
const shapes: readonly (readonly [Usage, unknown, unknown, unknown])[] = [
  [{ shape: 'missing' }, undefined, undefined, undefined],
  [
    { shape: 'zero' },
    { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    { input_tokens: 0, output_tokens: 0 },
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  ],
  [
    { shape: 'negative' },
    { inputTokens: -9, outputTokens: -5, totalTokens: -14 },
    { input_tokens: -9, output_tokens: -5 },
    { prompt_tokens: -9, completion_tokens: -5, total_tokens: -14 },
  ],
  [
    { shape: 'string' },
    { inputTokens: '9', outputTokens: '5', totalTokens: '14' },
    { input_tokens: '9', output_tokens: '5' },
    { prompt_tokens: '9', completion_tokens: '5', total_tokens: '14' },
  ],
  [
    { shape: 'nested' },
    { inputTokens: { total: 9 }, outputTokens: { total: 5 }, totalTokens: { total: 14 } },
    { input_tokens: { total: 9 }, output_tokens: { total: 5 } },
    { prompt_tokens: { total: 9 }, completion_tokens: { total: 5 }, total_tokens: { total: 14 } },
  ],
  [
    { shape: 'nested', key: 'value' },
    { inputTokens: { value: 9 }, outputTokens: { value: 5 }, totalTokens: { value: 14 } },
    { input_tokens: { value: 9 }, output_tokens: { value: 5 } },
    { prompt_tokens: { value: 9 }, completion_tokens: { value: 5 }, total_tokens: { value: 14 } },
  ],
  [
    // The SDK drops fields that Converse does not define.
    { shape: 'other-case' },
    {},
    { inputTokens: 9, outputTokens: 5 },
    { promptTokens: 9, completionTokens: 5, totalTokens: 14 },
  ],
  [
    { shape: 'renamed' },
    {},
    { input_tokens_v2: 9, output_tokens_v2: 5 },
    { prompt_tokens_v2: 9, completion_tokens_v2: 5, total_tokens_v2: 14 },
  ],
  [
    { shape: 'cached' },
    { inputTokens: 3, outputTokens: 5, totalTokens: 14, cacheReadInputTokens: 4, cacheWriteInputTokens: 2 },
    { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
    { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, prompt_tokens_details: { cached_tokens: 4 } },
  ],
]

for (const [usage, ...expected] of shapes)
  test(`usage that is ${Object.values(usage).join(' ')}`, async (context) => {
    const { shape = 'zero', key } = usage
    const fault = { fault: 'usage' as const, shape, ...(key ? { key } : {}) }
    const simulator = await simulatorFor(context, { identicalText: 'one two three four five', faults: [fault] })
    for (const [index, api] of STREAM_APIS.entries()) {
      const received = await listener(context, simulator, api)()
      assert.equal(received.isEnded, true)
      assert.deepEqual(received.usage, expected[index])
      assert.doesNotMatch(JSON.stringify(received.events), /invocationMetrics/)
    }
  })
