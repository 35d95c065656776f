// What an operator reads in the log of a real process: start, turns, refusals, the words of vendors, stop; all of it JSON.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator } from '@mangaassist/simulation/vendor/start-simulator'
import { systemClock } from '#adapters/system/clock.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { postChat, startServer, temporaryFolder } from './server-process.ts'

/** Nothing that catalogue or FAQ could answer. */
const QUESTION = 'カレーの作り方を教えて'
const KEY = 'sk-test-abcdefghijklmnopqrstuvwx1234'

type Line = Readonly<Record<string, unknown>>

/** Every line has to be JSON. */
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

async function startLogging(baseURL: string) {
  const folder = await temporaryFolder()
  const server = await startServer({
    dataDir: folder.path,
    env: {
      MANGA_SERVER__LOGLEVEL: 'info',
      MANGA_PROBE__EVERYMS: '0',
      MANGA_RETRIES__ATTEMPTSPERMODELMAX: '1',
      MANGA_MODELS__PRIMARY__PROVIDER: 'openai-compatible',
      MANGA_MODELS__PRIMARY__ID: 'big-model-1',
      MANGA_MODELS__PRIMARY__BASEURL: baseURL,
      MANGA_MODELS__PRIMARY__PRICE: '1,2',
      MANGA_MODELS__PRIMARY__APIKEYENV: 'BIG_MODEL_KEY',
      BIG_MODEL_KEY: KEY,
    },
  })
  const lines = () => linesOf(server.stderr())
  const named = (event: string) => lines().filter((line) => line.event === event)
  const dispose = async () => {
    await server[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  }
  return { server, lines, named, [Symbol.asyncDispose]: dispose }
}

test('a process says what it is, what it answered and refused, and how it ended', async () => {
  await using simulator = await startSimulator({ clock: systemClock(), identicalText: 'Curry takes an hour.' })
  await using started = await startLogging(`${simulator.url}/v1`)
  const { server, named } = started
  await waitUntil('the configuration is logged', () => named('config.effective').length === 1)
  const [start] = named('server.started')
  assert.deepEqual(
    [start?.profile, start?.models, start?.address],
    ['one-machine', 'primary=openai-compatible:big-model-1', server.address],
  )
  assert.match(String(start?.stores), /sessions=sqlite/)
  const settings = JSON.parse(String(named('config.effective')[0]?.settings))
  assert.equal(settings['models.primary.apiKeyEnv'], 'BIG_MODEL_KEY')

  const response = await postChat(server.address, { message: QUESTION }, { 'x-request-id': 'order-page-42' })
  assert.equal(response.headers.get('x-request-id'), 'order-page-42')
  await waitUntil('the turn is logged', () => named('turn.ended').length === 1)
  const [turn] = named('turn.ended')
  assert.deepEqual(
    [turn?.requestId, turn?.model, turn?.modelId, turn?.door, turn?.tier, turn?.attempts, turn?.degraded],
    ['order-page-42', 'primary', 'big-model-1', 'rest', 'primary', 1, false],
  )
  assert.ok(Number(turn?.inputTokens) > 0 && Number(turn?.outputTokens) > 0 && Number(turn?.costMicroUsd) > 0)
  assert.match(String(turn?.user), /^acct_[0-9a-f]{32}$/)
  assert.match(String(turn?.traceId), /^[0-9a-f]{32}$/)

  const refused = await postChat(server.address, { message: '' }, { 'x-request-id': 'order-page-43' })
  assert.equal(refused.status, 400)
  await waitUntil('the refusal is logged', () => named('request.refused').length === 1)
  const [refusal] = named('request.refused')
  assert.deepEqual([refusal?.requestId, refusal?.code], ['order-page-43', 'INVALID_REQUEST'])

  server.child.kill('SIGTERM')
  await server.exited
  assert.deepEqual([named('server.stopping')[0]?.reason, named('server.stopped')[0]?.leftTurns], ['SIGTERM', 0])
  const written = server.stderr()
  assert.ok(!written.includes(KEY) && !written.includes(QUESTION) && !written.includes('Curry takes an hour'))
  // On stdout there is only what callers of the command wait for.
  assert.match(server.stdout(), /^MangaAssist is ready at http:\S+ \(data in .*\)\n$/)
})

/** The line of the one failed call of a question. */
async function failedCall(baseURL: string): Promise<Line> {
  await using started = await startLogging(baseURL)
  await postChat(started.server.address, { message: QUESTION }, { 'x-request-id': 'order-page-44' })
  await waitUntil('the failure is logged', () => started.named('model.attempt-failed').length > 0)
  const [line = {}] = started.named('model.attempt-failed')
  assert.deepEqual([line.requestId, line.model, line.modelId], ['order-page-44', 'primary', 'big-model-1'])
  assert.ok(!started.server.stderr().includes(KEY) && !started.server.stderr().includes(QUESTION))
  return line
}

test('a wrong key, a wrong path and a refused port are in the log with the words of the vendor or the network', async () => {
  const message = `Incorrect API key provided: ${KEY}. You can find your key in the settings.`
  const faults = [{ fault: 'error', error: 'access-denied', message } as const]
  const simulator = await startSimulator({ clock: systemClock(), faults })
  const vendorHost = new URL(simulator.url).host
  const denied = await failedCall(`${simulator.url}/v1`)
  assert.deepEqual(
    [denied.class, denied.vendorStatus, denied.vendorCode, denied.vendorHost, denied.vendorRequestId],
    ['access-denied', 401, 'invalid_api_key', vendorHost, 'sim-1'],
  )
  assert.equal(denied.vendorMessage, 'Incorrect API key provided: [secret]. You can find your key in the settings.')

  const lost = await failedCall(`${simulator.url}/wrong/v1`)
  assert.deepEqual([lost.class, lost.vendorStatus, lost.vendorHost], ['not-found', 404, vendorHost])

  await simulator.close()
  const refused = await failedCall(`${simulator.url}/v1`)
  assert.deepEqual([refused.class, refused.vendorCode, refused.vendorHost], ['connection', 'ECONNREFUSED', vendorHost])
})
