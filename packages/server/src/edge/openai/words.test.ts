// Every error of `/v1` is in API English, never in a shopper's sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError, errorCodes } from '@mangaassist/protocol'
import { Compile } from 'typebox/compile'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { Refusal } from '#domain/refusal.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { UnfinishedAnswer } from './answer.ts'
import { FAILURES, OpenAiError, openAiRefuser } from './error.ts'
import { refuser } from '../http/refuse.ts'

const isError = Compile(OpenAiError)
const refuse = openAiRefuser(refuser(memoryTelemetry()))
/** Wording of the catalogue for shoppers: “we” and “you”, shopping, politeness. */
const SHOPPERS =
  /\b(we|us|our|you|your|please|shop|shopper|store|shopping|manga|sign in|conversation|today’s)\b|[ぁ-ん一-龠]/i
const SHOPPERS_SENTENCES = new Set(
  errorCodes.flatMap((code) =>
    (['en', 'ja'] as const).flatMap((language) => [
      describeError(code, language).message,
      describeError(code, language, { scope: 'session-output' }).message,
    ]),
  ),
)

function assertApiEnglish(error: unknown): void {
  const { body, status } = refuse(error)
  assert.ok(isError.Check(body))
  const { message } = body.error
  assert.ok(status >= 400 && message.length >= 10, message)
  assert.doesNotMatch(message, SHOPPERS)
  assert.match(message, /^[A-Z].*\.$/)
  for (const sentence of SHOPPERS_SENTENCES) assert.ok(!message.includes(sentence), message)
}

const DETAILS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { scope: 'requests-per-minute' },
  { scope: 'session-output' },
  { scope: 'day-cost', resetsAt: '2026-11-16T15:00:00.000Z' },
  { reason: 'state-unavailable' },
  { reason: 'key-required' },
  { field: 'messages.0', reason: 'lone-surrogate' },
  { field: 'messages', reason: 'context-too-long', limit: 1, length: 2 },
  { field: 'model', reason: 'not-configured' },
]

for (const code of errorCodes) {
  test(`${code} on /v1 has an API message`, () => {
    for (const details of DETAILS) assertApiEnglish(new Refusal(code, { details }))
  })
}

for (const failure of [...Object.keys(FAILURES), 'stream-broken', 'empty']) {
  test(`an answer that failed as ${failure} has an API message`, () => {
    assertApiEnglish(new UnfinishedAnswer(failure))
  })
}

test('errors of the framework and of defects have API messages too', () => {
  for (const statusCode of [400, 404, 413, 415, 500]) assertApiEnglish(Object.assign(new Error('x'), { statusCode }))
  assertApiEnglish(new TypeError('a defect'))
})

test('a quota error has its reset time', () => {
  const details = { scope: 'day-cost', resetsAt: '2026-11-16T15:00:00.000Z' }
  const { message } = refuse(new Refusal('QUOTA_EXCEEDED', { details })).body.error
  assert.equal(message, 'Quota exceeded (day-cost). It resets at 2026-11-16T15:00:00.000Z.')
})

for (const url of ['/v1', '/v1?x', '/v1/%zz', '/v1/nothing', '/v1/models/none']) {
  test(`${url} is refused in OpenAI’s format`, async () => {
    await using doors = await openDoors()
    const response = await doors.http.inject({ url, headers: { authorization: 'Bearer guest' } })
    assert.ok(response.statusCode === 404 || response.statusCode === 400, String(response.statusCode))
    assert.ok(isError.Check(response.json()), response.body)
    assert.doesNotMatch(response.json().error.message, SHOPPERS)
  })
}
