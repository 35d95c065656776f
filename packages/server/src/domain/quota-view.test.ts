// A budget as clients are told it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QuotaView } from '@mangaassist/protocol'
import Value from 'typebox/value'
import { sampleQuota } from '../../test/fixtures/turns.ts'
import { NOTHING } from './quota.ts'
import { quotaView, quotaWarning } from './quota-view.ts'

const HEAVY = { ...NOTHING, outputTokens: 45_000 }

test('every line tells what is used, reserved and allowed, in the shape of the protocol', () => {
  const view = quotaView(sampleQuota({ used: HEAVY, reserved: { ...NOTHING, outputTokens: 512 } }))
  assert.ok(Value.Check(QuotaView, view))
  assert.deepEqual(view.output, { used: 45_000, reserved: 512, limit: 50_000 })
  assert.deepEqual(view.requestsPerMinute, { used: 1, reserved: 0, limit: 10 })
  assert.equal(view.resetsAt, '2026-11-04T15:00:00.000Z')
})

test('the warning is in the shopper’s language, and there is none before it is due', () => {
  assert.match(quotaWarning(sampleQuota({ used: HEAVY }), 'ja') ?? '', /90％/)
  assert.match(quotaWarning(sampleQuota({ used: HEAVY }), 'en') ?? '', /90 %/)
  assert.equal(quotaWarning(sampleQuota(), 'ja'), undefined)
})
