// Streamed answers, heard by the vendors' own clients: in full, and broken in every way that a stream can break.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '@mangaassist/server/fixtures/time/manual-clock'
import { waitUntil } from '@mangaassist/server/fixtures/time/wait-until'
import type { VendorFault, VendorFaultOf } from './faults.ts'
import { simulatorFor } from './testing/clients.ts'
import { listener, MODEL, STREAM_APIS } from './testing/listeners.ts'
import type { Heard, StreamApi } from './testing/listeners.ts'

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
    const hear = async (context: Parameters<typeof simulatorFor>[0], ...faults: VendorFault[]) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE, faults })
      const heard = await listener(context, simulator, api)()
      const [attempt] = simulator.attempts()
      assert.ok(attempt)
      assert.equal(attempt.api, api)
      return { attempt, heard }
    }
    const assertBroken = (heard: Heard, text: string) => {
      assert.equal(heard.text, text)
      assert.equal(heard.isEnded, false)
    }

    test('an answer arrives whole, properly ended and counted', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: TEXT })
      const ask = listener(context, simulator, api)
      for (const heard of [await ask(), await ask()]) {
        assert.equal(heard.text, TEXT)
        assert.equal(heard.stop, stops[api].end)
        assert.equal(heard.isEnded, true)
        assert.equal(heard.error, undefined)
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

    test('what is longer than asked for ends at the limit', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE })
      const heard = await listener(context, simulator, api)({ maxTokens: 2 })
      assert.equal(heard.text, 'one two')
      assert.equal(heard.stop, stops[api].length)
    })

    test('a trailing assistant message is gone on from', async (context) => {
      const simulator = await simulatorFor(context, { identicalText: FIVE })
      const heard = await listener(context, simulator, api)({ prefill: 'one two' })
      assert.equal(heard.text, ' three four five')
    })

    test('a destroyed connection is an error after the words that came', async (context) => {
      const { attempt, heard } = await hear(context, { fault: 'cut', afterTokens: 3 })
      assertBroken(heard, 'one two three')
      assert.ok(heard.error)
      assert.deepEqual(
        [attempt.outcome, attempt.tokensSent, attempt.clientClosedAt, attempt.faults],
        ['broken', 3, undefined, ['cut']],
      )
    })

    test('a body that is cleanly truncated is silent: only the missing end tells', async (context) => {
      const { attempt, heard } = await hear(context, { fault: 'cut', afterTokens: 3, how: 'end' })
      assertBroken(heard, 'one two three')
      assert.equal(heard.error, undefined)
      assert.equal(attempt.outcome, 'broken')
    })

    test('a body that ends in the middle of an event is an error', async (context) => {
      const { heard } = await hear(context, { fault: 'cut', afterTokens: 3, how: 'mid-event' })
      assertBroken(heard, 'one two three')
      assert.match(heard.error?.message ?? '', /Truncated|malformed/)
    })

    test('a fault beyond the answer strikes at its end', async (context) => {
      const { heard } = await hear(context, { fault: 'cut', afterTokens: 50, how: 'end' })
      assertBroken(heard, FIVE)
    })

    test('a stalled stream stays silent until the client goes, and that is seen', async (context) => {
      const simulator = await simulatorFor(context, {
        identicalText: FIVE,
        faults: [{ fault: 'stall', afterTokens: 2 }],
      })
      const leaving = new AbortController()
      const onText = (text: string) => text === 'one two' && leaving.abort()
      const heard = await listener(context, simulator, api)({ signal: leaving.signal, onText })
      assertBroken(heard, 'one two')
      await waitUntil('the call is abandoned', () => simulator.attempts()[0]?.outcome === 'abandoned')
      assert.deepEqual(simulator.attempts()[0]?.faults, ['stall'])
    })

    test('an abort is seen without any time passing, with how far the answer had come', async (context) => {
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

    test('a malformed event comes in the middle, and the rest after it', async (context) => {
      const { attempt, heard } = await hear(context, { fault: 'malformed', afterTokens: 2 })
      // Bedrock's SDK hands an Anthropic event on as it is; it reads those of Converse itself, and gives up, as OpenAI's does.
      assert.equal(heard.text, api === 'invoke-stream' ? FIVE : 'one two')
      assert.equal(heard.error?.name, api === 'invoke-stream' ? undefined : 'SyntaxError')
      assert.equal(attempt.faults[0], 'malformed')
    })

    test('an event of an unknown type disturbs nobody', async (context) => {
      const { heard } = await hear(context, { fault: 'unknown-event', afterTokens: 2 })
      assert.equal(heard.text, FIVE)
      assert.equal(heard.isEnded, true)
    })

    test('an answer can lack its end', async (context) => {
      const { heard } = await hear(context, { fault: 'missing-end' })
      assertBroken(heard, FIVE)
      assert.equal(heard.stop, undefined)
      assert.equal(heard.error, undefined)
    })

    test('an answer can lack its very last event only', async (context) => {
      const { attempt, heard } = await hear(context, { fault: 'missing-end', only: 'last' })
      assert.equal(heard.stop, stops[api].end)
      assert.equal(heard.usage === undefined, api === 'converse-stream')
      assert.equal(heard.isEnded, api !== 'invoke-stream')
      assert.equal(attempt.outcome, 'broken')
    })

    test('a guardrail or a content filter ends the answer', async (context) => {
      const guarded = await hear(context, { fault: 'blocked', afterTokens: 2 })
      assert.equal(guarded.heard.text, 'one two')
      assert.equal(guarded.heard.stop, stops[api].guardrail)
      const action = JSON.stringify(guarded.heard.events).includes('"amazon-bedrock-guardrailAction":"INTERVENED"')
      assert.equal(action, api === 'invoke-stream')
      const filtered = await hear(context, { fault: 'blocked', by: 'content-filter' })
      assert.equal(filtered.heard.text, '')
      assert.equal(filtered.heard.stop, stops[api].filter)
    })

    test('a tool call ends the answer', async (context) => {
      const { heard } = await hear(context, { fault: 'tool-use', afterTokens: 2 })
      assert.equal(heard.text, 'one two')
      assert.equal(heard.stop, stops[api].tool)
      assert.match(JSON.stringify(heard.events), /check_stock/)
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

    test('the pace is kept: the first token, then so many a second', async (context) => {
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
        for (const place of [{ beforeStart: true }, { afterTokens: 0 }, { afterTokens: 2 }]) {
          const { attempt, heard } = await hear(context, { fault: 'exception', error, ...place })
          assertBroken(heard, place.afterTokens === 2 ? 'one two' : '')
          assert.equal(heard.events.length > 0, place.beforeStart !== true)
          assert.equal(api === 'chat-stream' ? heard.error?.code : heard.error?.name, name)
          assert.deepEqual([attempt.outcome, attempt.status], ['broken', 200])
        }
      })
  })

test('a checksum that lies is caught by the SDK', async (context) => {
  const faults = [{ fault: 'malformed', how: 'crc', afterTokens: 1 }] as const
  const simulator = await simulatorFor(context, { identicalText: FIVE, faults })
  for (const api of ['converse-stream', 'invoke-stream'] as const) {
    const heard = await listener(context, simulator, api)()
    assert.equal(heard.text, 'one')
    assert.match(heard.error?.message ?? '', /checksum/)
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
    // Converse does not know this one, so the SDK passes it on under its name on the wire.
    ['timeout', api === 'invoke-stream' ? 'ModelTimeoutException' : 'modelTimeoutException'],
  ]
}
