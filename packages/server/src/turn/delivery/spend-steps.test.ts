// Which steps of a day's limit a turn has reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendSteps } from './spend-steps.ts'

const tokens = { inputTokens: 0, outputTokens: 0 }
const quota = (used: number, limit = 1000) => ({
  used: { ...tokens, costMicroUsd: used },
  limit: { ...tokens, costMicroUsd: limit },
})

test('a step counts for the turn that reaches it, several for a dear turn, and none without cost or limit', () => {
  assert.deepEqual(spendSteps(quota(400), 50), [])
  assert.deepEqual(spendSteps(quota(400), 100), [50])
  assert.deepEqual(spendSteps(quota(500), 100), [])
  assert.deepEqual(spendSteps(quota(400), 700), [50, 80, 100])
  assert.deepEqual(spendSteps(quota(999), 0), [])
  assert.deepEqual(spendSteps(quota(0, 0), 10), [])
})
