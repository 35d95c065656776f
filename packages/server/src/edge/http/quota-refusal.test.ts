// The text of a quota refusal names what helps.
import assert from 'node:assert/strict'
import test from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { Refusal } from '#domain/refusal.ts'
import { refuser } from './refuse.ts'

test('a used-up conversation is refused with "start a new one" in both languages, without a retry time', () => {
  const refuse = refuser(memoryTelemetry())
  const scopes = ['session-input', 'session-output'] as const
  for (const scope of scopes) {
    const refusal = new Refusal('QUOTA_EXCEEDED', { details: { scope, retryable: false } })
    const [ja, en] = [refuse(refusal, 'ja'), refuse(refusal, 'en')]
    assert.match(ja.body.message, /新しい会話/u)
    assert.match(en.body.message, /start a new one/u)
    assert.doesNotMatch(ja.body.message + en.body.message, /本日|today|day/u)
    assert.deepEqual([en.status, en.body.retryAfterMs, en.headers['retry-after']], [429, undefined, undefined])
  }
})

test('a used-up day is refused with the time when it ends', () => {
  const refuse = refuser(memoryTelemetry())
  const refusal = new Refusal('QUOTA_EXCEEDED', { retryAfterMs: 3_600_000, details: { scope: 'day-output' } })
  const { body, headers } = refuse(refusal, 'en')
  assert.match(body.message, /today/u)
  assert.deepEqual([body.retryAfterMs, headers['retry-after']], [3_600_000, '3600'])
})
