// The views of a budget for clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QuotaView } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { sampleQuota } from '#fixtures/turns/turns.ts'
import { NO_SESSION_LIMIT, NOTHING } from './quota.ts'
import { quotaView, quotaWarning, quotaWarningHeader } from './quota-view.ts'

const HEAVY = { ...NOTHING, outputTokens: 45_000 }

test('every line has the used, reserved and allowed amount, in the shape of the protocol', () => {
  const view = quotaView(sampleQuota({ used: HEAVY, reserved: { ...NOTHING, outputTokens: 512 } }))
  assert.ok(Value.Check(QuotaView, view))
  assert.deepEqual(view.output, { used: 45_000, reserved: 512, limit: 50_000 })
  assert.deepEqual(view.requestsPerMinute, { used: 1, reserved: 0, limit: 10 })
  assert.equal(view.resetsAt, '2026-11-04T15:00:00.000Z')
})

test('the warning is in the shopper’s language, and there is none below 80 %', () => {
  assert.equal(
    quotaWarning(sampleQuota({ used: HEAVY }), 'ja'),
    '本日ご利用いただける分が少なくなっています（残り約10％）。',
  )
  assert.match(quotaWarning(sampleQuota({ used: HEAVY }), 'en') ?? '', /near today’s limit .* about 10 % is left/)
  assert.equal(quotaWarning(sampleQuota(), 'ja'), undefined)
})

test('the warning states the share that remains, and neither tokens nor money', () => {
  const { limit } = sampleQuota()
  const spent = { ...NOTHING, costMicroUsd: Math.round(limit.costMicroUsd * 0.88) }
  for (const used of [HEAVY, spent]) {
    assert.doesNotMatch(quotaWarning(sampleQuota({ used }), 'en') ?? '', /token|\$|,\d/i)
    assert.doesNotMatch(quotaWarning(sampleQuota({ used }), 'ja') ?? '', /トークン|ドル|,\d/)
  }
  assert.match(quotaWarning(sampleQuota({ used: spent }), 'en') ?? '', /about 12 % is left/)
  assert.match(quotaWarning(sampleQuota({ used: spent }), 'ja') ?? '', /残り約12％/)
})

const conversation = {
  used: { inputTokens: 8200, outputTokens: 100 },
  limit: { inputTokens: 10_000, outputTokens: 5000 },
}

test('the warning for a nearly used up conversation suggests a new one', () => {
  const quota = sampleQuota({ conversation })
  assert.match(quotaWarning(quota, 'en') ?? '', /conversation is near its limit: about 18 % is left.* new conversation/)
  assert.match(quotaWarning(quota, 'ja') ?? '', /この会話.*残り約18％.*新しい会話/)
  assert.deepEqual(quotaView(quota).conversation?.input, { used: 8200, reserved: 0, limit: 10_000 })
  assert.ok(Value.Check(QuotaView, quotaView(quota)))
  const unlimited = { ...conversation, limit: NO_SESSION_LIMIT }
  assert.equal(quotaView(sampleQuota({ conversation: unlimited })).conversation, undefined)
})

test('the header names each line that is nearly used up, and is absent otherwise', () => {
  assert.equal(quotaWarningHeader(sampleQuota()), undefined)
  assert.equal(
    quotaWarningHeader(sampleQuota({ used: HEAVY, conversation })),
    'day-output; step=90; remaining=5000; limit=50000; resets="2026-11-04T15:00:00.000Z", ' +
      'conversation-input; step=80; remaining=1800; limit=10000',
  )
})
