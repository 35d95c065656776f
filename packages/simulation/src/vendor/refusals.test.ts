// Refusals, resets and silence before any answer, as the vendors' own clients receive them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitUntil } from '@mangaassist/server/fixtures/time/wait-until'
import { simulatorFor } from './testing/clients.ts'
import { listener, MODEL, STREAM_APIS } from './testing/listeners.ts'
import type { ErrorName } from './vendor-errors.ts'

/** Status and error name of Bedrock, status and code of OpenAI. */
const expected: Readonly<Record<ErrorName, readonly [number, string, number, string | null]>> = {
  throttled: [429, 'ThrottlingException', 429, 'rate_limit_exceeded'],
  'quota-exhausted': [400, 'ServiceQuotaExceededException', 429, 'insufficient_quota'],
  'not-ready': [429, 'ModelNotReadyException', 503, null],
  unavailable: [503, 'ServiceUnavailableException', 503, null],
  internal: [500, 'InternalServerException', 500, null],
  timeout: [408, 'ModelTimeoutException', 408, null],
  'model-error': [424, 'ModelErrorException', 502, null],
  validation: [400, 'ValidationException', 400, null],
  'access-denied': [403, 'AccessDeniedException', 401, 'invalid_api_key'],
  'not-found': [404, 'ResourceNotFoundException', 404, 'model_not_found'],
  'context-too-long': [400, 'ValidationException', 400, 'context_length_exceeded'],
  'no-prefill': [400, 'ValidationException', 400, null],
}

for (const api of STREAM_APIS)
  describe(api, () => {
    const isOpenai = api === 'chat-stream'

    for (const [error, [status, name, openaiStatus, code]] of Object.entries(expected))
      test(`${error} has the vendor's status and name`, async (context) => {
        const simulator = await simulatorFor(context, { faults: [{ fault: 'error', error: error as ErrorName }] })
        const received = await listener(context, simulator, api)()
        assert.equal(received.error?.status, isOpenai ? openaiStatus : status)
        assert.equal(isOpenai ? received.error?.code : received.error?.name, isOpenai ? code : name)
        const [attempt] = simulator.attempts()
        assert.deepEqual(
          [attempt?.outcome, attempt?.status, attempt?.tokensSent],
          ['refused', received.error?.status, 0],
        )
      })

    test('an error can have another message, another status and a Retry-After', async (context) => {
      const simulator = await simulatorFor(context)
      const message = 'The provided model identifier is invalid.'
      simulator.faults({ fault: 'error', error: 'not-found', status: 400, type: 'ValidationException', message })
      simulator.faults({ fault: 'error', error: 'throttled', retryAfterSeconds: 7 })
      const ask = listener(context, simulator, api)
      const invalid = await ask()
      assert.equal(invalid.error?.status, 400)
      assert.match(invalid.error?.message ?? '', /model identifier is invalid/)
      simulator.heal()
      simulator.faults({ fault: 'error', error: 'throttled', retryAfterSeconds: 7 })
      assert.equal((await ask()).error?.retryAfter, '7')
    })

    test('a connection reset before the headers is an error without a status', async (context) => {
      const simulator = await simulatorFor(context, { faults: [{ fault: 'reset' }] })
      const received = await listener(context, simulator, api)()
      assert.ok(received.error)
      assert.equal(received.error.status, undefined)
      const [attempt] = simulator.attempts()
      assert.deepEqual([attempt?.outcome, attempt?.status, attempt?.clientClosedAt], ['broken', undefined, undefined])
    })

    test('silence lasts until the client disconnects, before or after the headers', async (context) => {
      const simulator = await simulatorFor(context)
      for (const after of ['request', 'headers'] as const) {
        simulator.reset()
        simulator.faults({ fault: 'silence', after })
        const leaving = new AbortController()
        const asking = listener(context, simulator, api)({ signal: leaving.signal })
        await waitUntil('the request has arrived', () => simulator.attempts().length === 1)
        leaving.abort()
        const received = await asking
        assert.equal(received.isEnded, false)
        await waitUntil('the call is abandoned', () => simulator.attempts()[0]?.outcome === 'abandoned')
        assert.notEqual(simulator.attempts()[0]?.clientClosedAt, undefined)
        assert.equal(simulator.attempts()[0]?.status, after === 'headers' ? 200 : undefined)
      }
    })

    test('a prompt is refused when it exceeds the window together with its max tokens', async (context) => {
      const simulator = await simulatorFor(context, { faults: [{ fault: 'context-window', tokens: 109 }] })
      const ask = listener(context, simulator, api)
      assert.equal((await ask({ maxTokens: 100 })).error, undefined)
      assert.match((await ask({ maxTokens: 101 })).error?.message ?? '', /too long|maximum context/)
    })

    test('a trailing assistant message can be rejected', async (context) => {
      const simulator = await simulatorFor(context, { faults: [{ fault: 'no-prefill' }] })
      const ask = listener(context, simulator, api)
      assert.equal((await ask()).error, undefined)
      assert.equal((await ask({ prefill: 'Well' })).error?.status, 400)
    })

    test('a fault hits only its models and its api', async (context) => {
      const simulator = await simulatorFor(context)
      simulator.faults({ fault: 'error', error: 'internal', model: 'anthropic.*-v1:0', api })
      const ask = listener(context, simulator, api)
      assert.equal((await ask({ model: MODEL })).error?.status, 500)
      assert.equal((await ask({ model: `${MODEL}0` })).error, undefined)
      for (const other of STREAM_APIS.filter((name) => name !== api))
        assert.equal((await listener(context, simulator, other)({ model: MODEL })).error, undefined)
    })

    test('a model that is not listed gets not-found', async (context) => {
      const simulator = await simulatorFor(context, { models: [MODEL] })
      const ask = listener(context, simulator, api)
      assert.equal((await ask()).error, undefined)
      assert.equal((await ask({ model: 'other' })).error?.status, 404)
    })

    test('an invalid request is refused and uses no quota', async (context) => {
      const simulator = await simulatorFor(context, { faults: [{ fault: 'quota', requests: 1 }] })
      const ask = listener(context, simulator, api)
      assert.equal((await ask({ question: ' ' })).error?.status, 400)
      assert.equal((await ask()).error, undefined)
      assert.equal((await ask()).error?.status, 429)
    })

    test('a call reserves input and max tokens from a quota, and is settled to its usage', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: 'one two three four five' })
      simulator.faults({ fault: 'quota', tokens: 120, windowMs: 60_000 })
      const ask = listener(context, simulator, api)
      // Each call uses 9 in and 5 out; the third would need 9 + 100 on top of 28.
      for (const _ of [1, 2]) assert.equal((await ask({ maxTokens: 80 })).error, undefined)
      const { error } = await ask({ maxTokens: 100 })
      assert.equal(error?.status, 429)
      assert.equal(error?.retryAfter, '60')
      assert.equal((await ask({ maxTokens: 80 })).error, undefined)
      assert.deepEqual(
        simulator.attempts().map(({ outcome }) => outcome),
        ['answered', 'answered', 'refused', 'answered'],
      )
    })
  })
