// The verdict on a probe's answer, and how long it holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { END, failure, say, START, usage } from '#fixtures/models/scripted-model.ts'
import type { ModelPart } from './model-part.ts'
import { judgeProbe, probeView, recordProbe } from './probe.ts'

const LENGTH: ModelPart = { type: 'message-end', stopReason: 'length' }
const BLOCKED: ModelPart = { type: 'message-end', stopReason: 'blocked' }
const TOOL: ModelPart = { type: 'message-end', stopReason: 'tool-use' }
const HELLO = [START, say('Hel'), say('lo!')]

const judge = (parts: readonly ModelPart[], undecodableEvents = 0) =>
  judgeProbe({ parts, inputTokensEstimated: 20, outputTokensMax: 10, undecodableEvents })

const expected: Readonly<Record<string, readonly [readonly ModelPart[], string, string, boolean]>> = {
  'a whole answer': [[...HELLO, usage(22, 3), END], 'ok', 'ok', false],
  'an answer that used up its ten tokens': [[...HELLO, usage(22, 10), LENGTH], 'ok', 'ok', false],
  'a model that thought for ten tokens': [[START, usage(22, 10), LENGTH], 'ok', 'ok', false],
  'no words': [[START, usage(22, 1), END], 'degraded', 'no-text', false],
  'a call of a tool': [[START, usage(22, 5), TOOL], 'degraded', 'tool-use', false],
  'a refusal by a filter': [[START, usage(22, 1), BLOCKED], 'error', 'blocked', false],
  throttling: [[failure('throttled')], 'degraded', 'throttled', false],
  'no access': [[failure('access-denied')], 'error', 'access-denied', false],
  'a stream that broke': [[...HELLO, failure('stream-broken')], 'error', 'stream-broken', false],
  'no usage': [[...HELLO, END], 'degraded', 'usage-missing', true],
  'usage of the input only': [[...HELLO, { type: 'usage', inputTokens: 22 }, END], 'degraded', 'usage-missing', true],
  'zero usage': [[...HELLO, usage(0, 0), END], 'degraded', 'usage-missing', true],
  'too much input': [[...HELLO, usage(5000, 3), END], 'degraded', 'usage-high', false],
  'too much output': [[...HELLO, usage(22, 300), END], 'degraded', 'usage-high', false],
  'too little input': [[...HELLO, usage(2, 3), END], 'degraded', 'usage-low', false],
  'no parts': [[], 'error', 'grammar', true],
  'no start': [[say('Hello'), END], 'error', 'grammar', true],
  'no end': [HELLO, 'error', 'grammar', true],
  'two ends': [[...HELLO, END, END], 'error', 'grammar', true],
}

for (const [what, [parts, status, reason, isSchemaAlert]] of Object.entries(expected)) {
  test(`${what} is ${status}: ${reason}`, () => assert.deepEqual(judge(parts), { status, reason, isSchemaAlert }))
}

test('events that could not be read are a schema alert, even with a good answer', () => {
  const judged = judge([...HELLO, usage(22, 3), END], 1)
  assert.deepEqual(judged, { status: 'degraded', reason: 'undecodable-event', isSchemaAlert: true })
})

test('if usage is reported twice, the last report counts', () => {
  assert.equal(judge([START, usage(22, 1), say('Hello'), usage(22, 3000), END]).reason, 'usage-high')
})

const good = judge([...HELLO, usage(22, 3), END])
const quiet = judge([...HELLO, END])

test('a model is pending before its first probe, and stale when the last one is too old', () => {
  assert.equal(probeView(undefined, 0, 100).status, 'pending')
  const record = recordProbe(undefined, good, { at: 1000, alertHeldMs: 500 })
  assert.equal(probeView(record, 1100, 100).status, 'ok')
  assert.equal(probeView(record, 1101, 100).status, 'stale')
})

test('a schema alert stays for its time, even after a good probe', () => {
  const first = recordProbe(undefined, quiet, { at: 1000, alertHeldMs: 500 })
  const second = recordProbe(first, good, { at: 1200, alertHeldMs: 500 })
  assert.deepEqual(probeView(second, 1499, 9999), { status: 'degraded', reason: 'schema-alert: usage-missing' })
  assert.deepEqual(probeView(second, 1500, 9999), { status: 'ok', reason: 'ok' })
  assert.equal(recordProbe(second, good, { at: 1500, alertHeldMs: 500 }).alert, undefined)
})

test('an error has precedence over an alert that is held', () => {
  const first = recordProbe(undefined, quiet, { at: 1000, alertHeldMs: 500 })
  const second = recordProbe(first, judge([failure('unavailable')]), { at: 1200, alertHeldMs: 500 })
  assert.deepEqual(probeView(second, 1300, 9999), { status: 'error', reason: 'unavailable' })
})
