// What operators learn of one call: its time by try and outcome, the words of its vendor, and usage that cannot be used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAttempt } from '#fixtures/turns/samples.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { Attempted } from './attempt.ts'
import { reportCall } from './report-call.ts'

const rung = sampleRung(scriptedModel(manualClock(), answering('a')), { name: 'primary' })

function reported(tries: number, end: Attempted['end'], over: Partial<Attempted> = {}) {
  const telemetry = memoryTelemetry()
  const record = { ...sampleAttempt(), tookMs: 1500, fault: { status: 503, code: 'server_error', requestId: 'req_1' } }
  const made = { end, record, spoke: false, thought: false, spokeMs: 0, ...over }
  reportCall(telemetry, { ...sampleRouted(), rung, shown: '', tries }, made)
  return telemetry
}

const ENDED = { kind: 'ended', stopReason: 'end' } as const
const FAILED = { kind: 'failed', class: 'unavailable' } as const

test('a call is measured by the number of its try and how it ended', () => {
  const labels = (tries: number, end: Attempted['end']) => {
    const [seen] = reported(tries, end).observed
    assert.deepEqual([seen?.name, seen?.value], ['model_attempt_seconds', 1.5])
    return seen?.fields
  }
  assert.deepEqual(labels(1, ENDED), { model: 'primary', attempt: '1', outcome: 'ok' })
  assert.deepEqual(labels(2, FAILED), { model: 'primary', attempt: '2', outcome: 'failed' })
  assert.deepEqual(labels(7, FAILED), { model: 'primary', attempt: '4+', outcome: 'failed' })
  assert.equal(labels(1, { kind: 'aborted', abort: new TurnAbort('stopped') })?.['outcome'], 'stopped')
  assert.equal(labels(1, { kind: 'failed', class: 'cancelled' })?.['outcome'], 'stopped')
})

test('a failed call is logged with the words of its vendor; a call that was stopped is not', () => {
  const [line] = reported(1, FAILED).logged
  const { fields = {} } = line ?? {}
  assert.deepEqual(
    [line?.event, fields['class'], fields['vendorStatus'], fields['vendorCode'], fields['vendorRequestId']],
    ['model.attempt-failed', 'unavailable', 503, 'server_error', 'req_1'],
  )
  assert.deepEqual(reported(1, { kind: 'failed', class: 'cancelled' }).logged, [])
})

test('usage that is missing or zero is counted at once, and logged with what was reported', () => {
  const record = sampleAttempt({ usage: { inputTokens: 5, outputTokens: 5, estimated: true } })
  const zero = reported(1, ENDED, { record, usageReported: '{"prompt_tokens":12,"completion_tokens":0}' })
  const gap = (telemetry: typeof zero) =>
    telemetry.counted.find(({ name }) => name === 'model_usage_estimated_total')?.fields
  assert.deepEqual(gap(zero), { model: 'primary', reason: 'zero' })
  assert.equal(zero.logged[0]?.fields['reported'], '{"prompt_tokens":12,"completion_tokens":0}')
  const missing = reported(1, ENDED, { record })
  assert.deepEqual(gap(missing), { model: 'primary', reason: 'missing' })
  assert.equal(missing.logged[0]?.fields['reported'], 'nothing')
  assert.equal(gap(reported(1, ENDED)), undefined)
})
