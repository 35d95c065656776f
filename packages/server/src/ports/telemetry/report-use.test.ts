// What calls used and cost, as counters: by model, kind and payer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import { reportUse } from './report-use.ts'

const call: AttemptRecord = {
  attempt: 1,
  model: 'vendor.big-1',
  name: 'primary',
  tier: 'primary',
  usage: { inputTokens: 100, outputTokens: 40, estimated: false },
  cacheReadTokens: 60,
  reasoningTokens: 7,
  costMicroUsd: 900,
  outcome: 'end',
}

test('tokens by kind and money by payer, under the configured name', () => {
  const telemetry = memoryTelemetry()
  reportUse(telemetry, 'key', [call])
  assert.deepEqual(
    telemetry.counted.map(({ by, fields, name }) => [name, fields['model'], fields['kind'] ?? fields['payer'], by]),
    [
      ['model_tokens_total', 'primary', 'input', 100],
      ['model_tokens_total', 'primary', 'output', 40],
      ['model_tokens_total', 'primary', 'cache-read', 60],
      ['model_tokens_total', 'primary', 'reasoning', 7],
      ['model_cost_usd_total', 'primary', 'key', 900],
    ],
  )
})

test('a call that used nothing is not counted, and one without a configured name is counted as none', () => {
  const telemetry = memoryTelemetry()
  const { name: _, ...unnamed } = call
  const usage = { inputTokens: 0, outputTokens: 0, estimated: false }
  reportUse(telemetry, 'shop', [
    { attempt: 1, model: 'm', tier: 'primary', usage, costMicroUsd: 0, outcome: 'timeout' },
  ])
  assert.equal(telemetry.counted.length, 0)
  reportUse(telemetry, 'shop', [unnamed])
  assert.ok(telemetry.counted.every(({ fields }) => fields['model'] === 'none'))
})
