// doctor --models asks each vendor's model once; --live connects to what else is configured, sends it nothing, and compares clocks.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const ANSWER = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 22, completion_tokens: 2, total_tokens: 24 } },
]

async function vendor(context: TestContext, answer: RequestListener) {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  context.after(() => server.close().closeAllConnections())
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { baseURL, calls: () => calls }
}

function check(context: TestContext, baseURL: string, flags: readonly string[]) {
  const model = { PROVIDER: 'openai-compatible', ID: 'm', BASEURL: baseURL, PRICE: '[0,0]', APIKEYENV: 'SHOP_KEY' }
  const settings = Object.entries(model).map(([key, value]) => [`MANGA_MODELS__PRIMARY__${key}`, value])
  const terminal = fakeTerminal(context, { env: { ...Object.fromEntries(settings), SHOP_KEY: 'sk-hunter2' } })
  return { terminal, code: main(['doctor', ...flags], terminal) }
}

const good: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/event-stream')
  for (const event of ANSWER) response.write(`data: ${JSON.stringify({ id: 'x', ...event })}\n\n`)
  response.end('data: [DONE]\n\n')
}

const refusing: RequestListener = (request, response) => {
  const message = `Incorrect key: ${request.headers.authorization}\u0007`
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
}

test('a model that answers is reported, and is asked only with --models', async (context) => {
  const { baseURL, calls } = await vendor(context, good)
  const quiet = check(context, baseURL, [])
  assert.equal(await quiet.code, 0, quiet.terminal.printed.out)
  assert.equal(calls(), 0)
  const live = check(context, baseURL, ['--models'])
  assert.equal(await live.code, 0, live.terminal.printed.out)
  assert.match(live.terminal.printed.out, /✓ model primary: answered/)
  assert.equal(calls(), 1)
})

test('a refusal fails the check with the vendor’s message, without the key', async (context) => {
  const { baseURL } = await vendor(context, refusing)
  const { code, terminal } = check(context, baseURL, ['--models'])
  assert.equal(await code, 1)
  assert.match(terminal.printed.out, /✗ model primary: access-denied: .*Incorrect key: Bearer \(hidden\)/)
  assert.doesNotMatch(terminal.printed.out, /hunter2|\u0007/)
})

test('an unknown model fails the check', async (context) => {
  const { code, terminal } = check(context, 'http://127.0.0.1:1/v1', ['--models'])
  assert.equal(await code, 1)
  assert.match(terminal.printed.out, /✗ model primary: connection: /)
})

const DAY_MS = 86_400_000

test('--live compares the clock of a vendor, which only a signature makes a failure', async (context) => {
  const { baseURL } = await vendor(context, (_request, response) => {
    response.setHeader('date', new Date(Date.now() - DAY_MS).toUTCString())
    response.end()
  })
  const { code, terminal } = check(context, baseURL, ['--live'])
  assert.equal(await code, 0, terminal.printed.out)
  assert.match(terminal.printed.out, /^! clock of 127\.0\.0\.1:\d+: 86\d{3}\.\d s behind this machine.*\n.*chrony/m)
  const env = {
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    MANGA_MODELS__PRIMARY__PROVIDER: 'bedrock',
    MANGA_MODELS__PRIMARY__ID: 'anthropic.claude-3-haiku-20240307-v1:0',
    MANGA_MODELS__PRIMARY__BASEURL: baseURL,
  }
  const signed = fakeTerminal(context, { env })
  assert.equal(await main(['doctor', '--live'], signed), 1)
  assert.match(signed.printed.out, /^✗ clock of 127\.0\.0\.1:\d+: .*AWS refuses/m)
})

test('--live reaches hand-over, senders of alarms and collectors without sending anything', async (context) => {
  const { baseURL, calls } = await vendor(context, good)
  const env = {
    MANGA_STORE__HANDOVER__URLENV: 'DESK_URL',
    DESK_URL: `${baseURL}/secret-path`,
    MANGA_ALARMS__WEBHOOKS: JSON.stringify([
      { name: 'desk', url: baseURL },
      { name: 'gone', url: 'http://127.0.0.1:1/x' },
    ]),
    MANGA_ALARMS__COMMANDS: JSON.stringify([
      { name: 'pager', argv: [process.execPath] },
      { name: 'none', argv: ['/nowhere/pager'] },
    ]),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  }
  const quiet = fakeTerminal(context, { env })
  assert.equal(await main(['doctor'], quiet), 0, quiet.printed.out)
  const live = fakeTerminal(context, { env })
  assert.equal(await main(['doctor', '--live'], live), 1)
  assert.match(live.printed.out, /^✓ hand-over reachable: the address in DESK_URL; nothing was sent$/m)
  assert.match(live.printed.out, /^✓ alarm webhook desk reachable: 127/m)
  assert.match(live.printed.out, /^✗ alarm webhook gone reachable: 127\.0\.0\.1:1: ECONNREFUSED$/m)
  assert.match(live.printed.out, /^✗ OTLP collector reachable: .*ECONNREFUSED$/m)
  assert.match(live.printed.out, /^✓ alarm command pager: .*it was not run$/m)
  assert.match(live.printed.out, /^✗ alarm command none: \/nowhere\/pager cannot be run$/m)
  assert.doesNotMatch(live.printed.out, /secret-path/)
  assert.equal(calls(), 0)
})
