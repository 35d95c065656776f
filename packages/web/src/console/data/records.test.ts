// Why a request was refused, as lists say it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefusalView } from '@mangaassist/protocol/admin'
import { whyRefused } from './records.ts'

const refused = (over: Partial<RefusalView>): RefusalView => ({
  kind: 'refusal',
  refusalId: 'ref_1',
  code: 'FORBIDDEN',
  principalId: 'guest_1',
  sessionId: '',
  door: 'http POST /api/chat',
  count: 1,
  at: '2026-11-18T00:00:00.000Z',
  since: '2026-11-18T00:00:00.000Z',
  ...over,
})

test('a refusal has the limit that refused it, or its reason, or neither', () => {
  assert.equal(whyRefused(refused({ code: 'RATE_LIMITED', scope: 'requests-per-minute' })), 'requests-per-minute')
  assert.equal(whyRefused(refused({ reason: 'blocked' })), 'blocked')
  assert.equal(whyRefused(refused({})), undefined)
})
