// Shoppers' turns over real vendors' wire formats, seen from the vendor's side: stop ends the call there, the next vendor
// follows a failing one, and the cost is reported.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { startServer, temporaryFolder } from './server-process.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'

const ANSWER = '当店では取り扱いがございます。'.repeat(12)

const simulator = await startSimulator({ clock: systemClock(), identicalText: ANSWER, pace: { tokensPerSecond: 60 } })
const folder = await temporaryFolder()
const server = await startServer({
  dataDir: folder.path,
  env: {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    MANGA_PROBE__EVERYMS: '0',
    MANGA_MODELS__PRIMARY__PROVIDER: 'bedrock',
    MANGA_MODELS__PRIMARY__ID: 'anthropic.claude-3-sonnet-20240229-v1:0',
    MANGA_MODELS__PRIMARY__BASEURL: simulator.url,
    MANGA_MODELS__PRIMARY__STALLMS: '20000',
    // On a busy machine a vendor must not give way to the built-in responder.
    MANGA_DEADLINES__USEFULMS: '20000',
    MANGA_MODELS__ECONOMY__PROVIDER: 'openai-compatible',
    MANGA_MODELS__ECONOMY__ID: 'qwen3:4b',
    MANGA_MODELS__ECONOMY__BASEURL: `${simulator.url}/v1`,
    MANGA_MODELS__ECONOMY__PRICE: '1,2',
  },
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await simulator.close()
  await folder[Symbol.asyncDispose]()
})
afterEach(() => simulator.reset())

const chat = (requestId: string) => ({ type: 'chat', requestId, message: `おすすめは？ ${requestId}` })

test('stop closes the vendor’s connection at once, and the text so far is charged and stored', async () => {
  // It sends nothing more by itself: only the stop can end the call.
  simulator.faults({ fault: 'stall', afterTokens: 12 })
  const shopper = await server.connect()
  shopper.send(chat('r1'))
  const { turnId } = await shopper.until('chunk')
  shopper.send({ type: 'stop', turnId })
  const done = await shopper.until('done')
  assert.equal(done.finishReason, 'stopped')
  assert.ok(done.costMicroUsd > 0 && done.usage.estimated)
  // bench/stop.ts measures how soon; here only that it is closed at all.
  await waitUntil('the call has ended', () => simulator.attempts()[0]?.outcome !== 'running')
  assert.equal(simulator.attempts()[0]?.outcome, 'abandoned')
})

test('after a throttling vendor the next one answers, with the reason and at its own price', async () => {
  simulator.faults({ fault: 'error', error: 'throttled', api: 'converse-stream' })
  const shopper = await server.connect()
  shopper.send(chat('r2'))
  const meta = await shopper.until('meta')
  assert.deepEqual([meta.tier, meta.model, meta.degraded, meta.reason], ['economy', 'qwen3:4b', true, 'throttled'])
  const done = await shopper.until('done')
  assert.equal(done.finishReason, 'stop')
  const { inputTokens, outputTokens } = done.usage
  assert.equal(done.costMicroUsd, inputTokens + 2 * outputTokens)
})
