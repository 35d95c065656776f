// Streamed answers as the vendors' own clients receive them: complete, and broken in every way that a stream can break.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { waitUntil } from '@mangaassist/server/fixtures/time/wait-until'
import type { VendorFault, VendorFaultOf } from './faults.ts'
import { simulatorFor } from './testing/clients.ts'
import { listener, MODEL, STREAM_APIS } from './testing/listeners.ts'
import type { Received, StreamApi } from './testing/listeners.ts'

const TEXT = '『葬送のフリーレン』は全巻そろっています。 It is 550 yen a volume, and 🎉 all of them are here.'
const FIVE = 'one two three four five'

const stops: Readonly<Record<StreamApi, Readonly<Record<string, string>>>> = {
  'converse-stream': {
    end: 'end_turn',
    length: 'max_tokens',
    tool: 'tool_use',
    guardrail: 'guardrail_intervened',
    filter: 'content_filtered',
  },
  'invoke-stream': {
    end: 'end_turn',
    length: 'max_tokens',
    tool: 'tool_use',
    guardrail: 'end_turn',
    filter: 'refusal',
  },
  'chat-stream': {
    end: 'stop',
    length: 'length',
    tool: 'tool_calls',
    guardrail: 'content_filter',
    filter: 'content_filter',
  },
}

for (const api of STREAM_APIS)
  describe(api, () => {
    const receive = async (context: Parameters<typeof simulatorFor>[0], ...faults: VendorFault[]) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE, faults })
      const received = await listener(context, simulator, api)()
      const [attempt] = simulator.attempts()
      assert.ok(attempt)
      assert.equal(attempt.api, api)
      return { attempt, received }
    }
    const assertBroken = (received: Received, text: string) => {
      assert.equal(received.text, text)
      assert.equal(received.isEnded, false)
    }

    test('an answer arrives whole, properly ended and counted', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: TEXT })
      const ask = listener(context, simulator, api)
      for (const received of [await ask(), await ask()]) {
        assert.equal(received.text, TEXT)
        assert.equal(received.stop, stops[api].end)
        assert.equal(received.isEnded, true)
        assert.equal(received.error, undefined)
      }
      const [attempt] = simulator.attempts()
      const { at: _at, endedAt: _endedAt, body: _body, ...seen } = attempt ?? assert.fail('nothing was seen')
      assert.deepEqual(seen, {
        number: 1,
        api,
        model: MODEL,
        promptTokens: 9,
        maxTokens: 500,
        faults: [],
        outcome: 'answered',
        status: 200,
        tokensSent: seen.tokensSent,
      })
      assert.ok(seen.tokensSent > 30)
    })

    test('an answer longer than the token limit ends at the limit', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE })
      const received = await listener(context, simulator, api)({ maxTokens: 2 })
      assert.equal(received.text, 'one two')
      assert.equal(received.stop, stops[api].length)
    })

    test('an answer continues a trailing assistant message', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE })
      const received = await listener(context, simulator, api)({ prefill: 'one two' })
      assert.equal(received.text, ' three four five')
    })

    test('a destroyed connection is an error after the words that arrived', async (context) => {
      const { attempt, received } = await receive(context, { fault: 'cut', afterTokens: 3 })
      assertBroken(received, 'one two three')
      assert.ok(received.error)
      assert.deepEqual(
        [attempt.outcome, attempt.tokensSent, attempt.clientClosedAt, attempt.faults],
        ['broken', 3, undefined, ['cut']],
      )
    })

    test('a cleanly truncated body gives no error, only a missing end', async (context) => {
      const { attempt, received } = await receive(context, { fault: 'cut', afterTokens: 3, how: 'end' })
      assertBroken(received, 'one two three')
      assert.equal(received.error, undefined)
      assert.equal(attempt.outcome, 'broken')
    })

    test('a body that ends in the middle of an event is an error', async (context) => {
      const { received } = await receive(context, { fault: 'cut', afterTokens: 3, how: 'mid-event' })
      assertBroken(received, 'one two three')
      assert.match(received.error?.message ?? '', /Truncated|malformed/)
    })

    test('a fault planned beyond the answer applies at its end', async (context) => {
      const { received } = await receive(context, { fault: 'cut', afterTokens: 50, how: 'end' })
      assertBroken(received, FIVE)
    })

    test('a stalled stream stays silent until the client disconnects, which is recorded', async (context) => {
      const simulator = await simulatorFor(context, {
        identicalText: FIVE,
        faults: [{ fault: 'stall', afterTokens: 2 }],
      })
      const leaving = new AbortController()
      const onText = (text: string) => text === 'one two' && leaving.abort()
      const received = await listener(context, simulator, api)({ signal: leaving.signal, onText })
      assertBroken(received, 'one two')
      await waitUntil('the attempt is abandoned', () => simulator.attempts()[0]?.outcome === 'abandoned')
      assert.deepEqual(simulator.attempts()[0]?.faults, ['stall'])
    })

    test('an abort is recorded at once, with the number of tokens sent', async (context) => {
      const simulator = await simulatorFor(context, {
        clock: manualClock(),
        identicalText: FIVE,
        pace: { tokensPerSecond: 5 },
      })
      const leaving = new AbortController()
      await listener(context, simulator, api)({ signal: leaving.signal, onText: () => leaving.abort() })
      await waitUntil('the call is abandoned', () => simulator.attempts()[0]?.outcome === 'abandoned')
      const [attempt] = simulator.attempts()
      assert.equal(attempt?.tokensSent, 1)
      assert.equal(attempt.clientClosedAt, attempt.at)
    })

    test('a malformed event comes in the middle, and the stream continues after it', async (context) => {
      const { attempt, received } = await receive(context, { fault: 'malformed', afterTokens: 2 })
      // Bedrock's SDK passes an Anthropic event on unparsed; it parses those of Converse itself and fails, as OpenAI's
      // does.
      assert.equal(received.text, api === 'invoke-stream' ? FIVE : 'one two')
      assert.equal(received.error?.name, api === 'invoke-stream' ? undefined : 'SyntaxError')
      assert.equal(attempt.faults[0], 'malformed')
    })

    test('clients ignore an event of an unknown type', async (context) => {
      const { received } = await receive(context, { fault: 'unknown-event', afterTokens: 2 })
      assert.equal(received.text, FIVE)
      assert.equal(received.isEnded, true)
    })

    test('an answer can lack its end', async (context) => {
      const { received } = await receive(context, { fault: 'missing-end' })
      assertBroken(received, FIVE)
      assert.equal(received.stop, undefined)
      assert.equal(received.error, undefined)
    })

    test('an answer can lack only its last event', async (context) => {
      const { attempt, received } = await receive(context, { fault: 'missing-end', only: 'last' })
      assert.equal(received.stop, stops[api].end)
      assert.equal(received.usage === undefined, api === 'converse-stream')
      assert.equal(received.isEnded, api !== 'invoke-stream')
      assert.equal(attempt.outcome, 'broken')
    })

    test('a guardrail or a content filter ends the answer', async (context) => {
      const guarded = await receive(context, { fault: 'blocked', afterTokens: 2 })
      assert.equal(guarded.received.text, 'one two')
      assert.equal(guarded.received.stop, stops[api].guardrail)
      const action = JSON.stringify(guarded.received.events).includes('"amazon-bedrock-guardrailAction":"INTERVENED"')
      assert.equal(action, api === 'invoke-stream')
      const filtered = await receive(context, { fault: 'blocked', by: 'content-filter' })
      assert.equal(filtered.received.text, '')
      assert.equal(filtered.received.stop, stops[api].filter)
    })

    test('a tool call ends the answer', async (context) => {
      const { received } = await receive(context, { fault: 'tool-use', afterTokens: 2 })
      assert.equal(received.text, 'one two')
      assert.equal(received.stop, stops[api].tool)
      assert.match(JSON.stringify(received.events), /check_stock/)
    })

    test('a slow first token is slow after the headers and the start of the message', async (context) => {
      const clock = manualClock()
      const faults: VendorFault[] = [{ fault: 'slow-first-token', ms: 9000 }]
      const simulator = await simulatorFor(context, { clock, identicalText: FIVE, faults })
      const asking = listener(context, simulator, api)()
      await waitUntil('the pace is waited for', () => clock.timers() === 1)
      assert.equal(simulator.attempts()[0]?.status, 200)
      await clock.advance(8999)
      assert.equal(simulator.attempts()[0]?.tokensSent, 0)
      await clock.advance(1)
      assert.equal((await asking).text, FIVE)
    })

    test('tokens come at the given pace: the first one, then a fixed number per second', async (context) => {
      const clock = manualClock()
      const pace = { firstTokenMs: 400, tokensPerSecond: 10 }
      const simulator = await simulatorFor(context, { clock, identicalText: FIVE, pace })
      const asking = listener(context, simulator, api)()
      const sent = async (afterMs: number) => {
        await waitUntil('the pace is waited for', () => clock.timers() === 1)
        await clock.advance(afterMs)
        return simulator.attempts()[0]?.tokensSent
      }
      assert.deepEqual([await sent(399), await sent(1), await sent(99), await sent(1)], [0, 1, 1, 2])
      await sent(300)
      assert.equal((await asking).text, FIVE)
    })

    for (const [error, name] of exceptionNames(api))
      test(`${error} inside a 200 stream: before the start, before and after content`, async (context) => {
        for (const position of [{ beforeStart: true }, { afterTokens: 0 }, { afterTokens: 2 }]) {
          const { attempt, received } = await receive(context, { fault: 'exception', error, ...position })
          assertBroken(received, position.afterTokens === 2 ? 'one two' : '')
          assert.equal(received.events.length > 0, position.beforeStart !== true)
          assert.equal(api === 'chat-stream' ? received.error?.code : received.error?.name, name)
          assert.deepEqual([attempt.outcome, attempt.status], ['broken', 200])
        }
      })
  })

test('the SDK detects a wrong checksum', async (context) => {
  const faults = [{ fault: 'malformed', how: 'crc', afterTokens: 1 }] as const
  const simulator = await simulatorFor(context, { identicalText: FIVE, faults })
  for (const api of ['converse-stream', 'invoke-stream'] as const) {
    const received = await listener(context, simulator, api)()
    assert.equal(received.text, 'one')
    assert.match(received.error?.message ?? '', /checksum/)
  }
})

function exceptionNames(api: StreamApi): readonly (readonly [VendorFaultOf<'exception'>['error'], string | null])[] {
  if (api === 'chat-stream')
    return [
      ['throttled', 'rate_limit_exceeded'],
      ['internal', null],
    ]
  return [
    ['throttled', 'ThrottlingException'],
    ['unavailable', 'ServiceUnavailableException'],
    ['internal', 'InternalServerException'],
    ['model-error', 'ModelStreamErrorException'],
    ['validation', 'ValidationException'],
    // Converse has no such exception, so the SDK passes it on under its name on the wire.
    ['timeout', api === 'invoke-stream' ? 'ModelTimeoutException' : 'modelTimeoutException'],
  ]
}
