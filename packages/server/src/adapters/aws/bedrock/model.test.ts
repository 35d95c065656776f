// Both streaming APIs of Bedrock through the real AWS SDK against the simulator: the contract, every fault, every shape
// of usage.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { modelContract, sampleModelRequest } from '#ports/model/contract.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '../../system/clock.ts'
import { collect } from '#fixtures/time/streams.ts'
import { ask, endOf, faultSuite, textOf, usageSuite } from '#fixtures/models/vendor-faults.contract.ts'
import { overBedrock, SAMPLE_FACTS, SHORT_LIMITS } from '#fixtures/models/vendor-models.ts'
import { traceSuite } from '#fixtures/models/vendor-trace.contract.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { bedrockClient } from './client.ts'
import { countTokens } from './count-tokens.ts'
import { bedrockModel } from './model.ts'

suite('both APIs', { concurrency: 2 }, () => {
  for (const api of ['converse', 'invoke'] as const)
    suite(api, () => {
      const make = overBedrock(api)
      modelContract(`bedrock ${api}`, async (context) => {
        const simulator = await startSimulator({ clock: systemClock() })
        context.after(() => simulator.close())
        return (await make(simulator.url)).model
      })
      faultSuite(`bedrock ${api}`, make)
      usageSuite(`bedrock ${api}`, make)
      traceSuite(`bedrock ${api}`, make, { isAws: true })

      test(`bedrock ${api}: a frame whose checksum is wrong breaks the stream`, async () => {
        const { parts } = await ask(make, { fault: 'malformed', afterTokens: 5, how: 'crc' })
        assert.equal(endOf(parts), 'stream-broken')
      })

      test(`bedrock ${api}: a guardrail is requested, and its intervention ends the message as blocked`, async () => {
        const guarded = overBedrock(api, { id: 'gr-1', version: '3' })
        const { parts, attempts } = await ask(guarded, { fault: 'blocked', afterTokens: 3, by: 'guardrail' })
        assert.equal(endOf(parts), 'blocked')
        assert.deepEqual(attempts[0]?.guardrail, { id: 'gr-1', version: '3' })
      })

      test(`bedrock ${api}: a complete answer stays complete when only later events are lost`, async () => {
        const { parts } = await ask(make, { fault: 'missing-end', only: 'last' })
        assert.equal(endOf(parts), api === 'converse' ? 'end' : 'stream-broken')
      })

      test(`bedrock ${api}: a model without a temperature parameter is sent none`, async () => {
        await using simulator = await startSimulator({ clock: systemClock() })
        const model = bedrockModel({
          id: 'anthropic.claude-sonnet-5-5',
          api,
          facts: { ...SAMPLE_FACTS, temperature: false },
          region: 'ap-northeast-1',
          baseURL: simulator.url,
          credentials: { kind: 'bearer', token: 'simulated' },
          limits: SHORT_LIMITS,
          clock: systemClock(),
          onAnomaly: () => {},
        })
        assert.notEqual(textOf(await collect(model.stream(sampleModelRequest()))), '')
        assert.doesNotMatch(JSON.stringify(simulator.attempts()[0]?.body), /temperature/)
      })
    })
})

test('CountTokens is called with the id of the base model', async () => {
  await using simulator = await startSimulator({ clock: systemClock() })
  const client = bedrockClient({
    region: 'ap-northeast-1',
    baseURL: simulator.url,
    credentials: { kind: 'keys', accessKeyId: 'simulated', secretAccessKey: 'simulated' },
    limits: SHORT_LIMITS,
    clock: systemClock(),
    onAnomaly: () => {},
  })
  const counted = await countTokens(client, 'global.anthropic.claude-haiku-4-5-20251001-v1:0', sampleModelRequest())
  assert.ok(counted !== undefined && counted > 0)
  simulator.faults({ fault: 'error', error: 'validation' })
  assert.equal(await countTokens(client, 'other', sampleModelRequest()), undefined)
  simulator.heal()
  simulator.faults({ fault: 'error', error: 'throttled' })
  await assert.rejects(countTokens(client, 'other', sampleModelRequest()))
})

test('time in which this process was too busy to read does not count as silence of the model', async () => {
  await using simulator = await startSimulator({ clock: systemClock() })
  const limits = { ...SHORT_LIMITS, firstByteMs: 200, stallMs: 200 }
  const model = bedrockModel({
    id: 'anthropic.claude-3-haiku-20240307-v1:0',
    api: 'converse',
    facts: SAMPLE_FACTS,
    region: 'ap-northeast-1',
    baseURL: simulator.url,
    credentials: { kind: 'bearer', token: 'simulated' },
    limits,
    clock: systemClock(),
    onAnomaly: () => {},
  })
  const parts = collect(model.stream(sampleModelRequest()))
  // The request is in flight when the process stops reading for longer than the timeouts.
  await waitUntil('the request has arrived', () => simulator.attempts().length > 0)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * limits.firstByteMs)
  assert.equal(endOf(await parts), 'end')
})
