// doctor --live asks each vendor's model once, and reports errors with the vendor's message.
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

test('a model that answers is reported, and is asked only with --live', async (context) => {
  const { baseURL, calls } = await vendor(context, good)
  const quiet = check(context, baseURL, [])
  assert.equal(await quiet.code, 0, quiet.terminal.printed.out)
  assert.equal(calls(), 0)
  const live = check(context, baseURL, ['--live'])
  assert.equal(await live.code, 0, live.terminal.printed.out)
  assert.match(live.terminal.printed.out, /✓ model primary: answered/)
  assert.equal(calls(), 1)
})

test('a refusal fails the check with the vendor’s message, without the key', async (context) => {
  const { baseURL } = await vendor(context, refusing)
  const { code, terminal } = check(context, baseURL, ['--live'])
  assert.equal(await code, 1)
  assert.match(terminal.printed.out, /✗ model primary: access-denied: .*Incorrect key: Bearer \(hidden\)/)
  assert.doesNotMatch(terminal.printed.out, /hunter2|\u0007/)
})

test('an unknown model fails the check', async (context) => {
  const { code, terminal } = check(context, 'http://127.0.0.1:1/v1', ['--live'])
  assert.equal(await code, 1)
  assert.match(terminal.printed.out, /✗ model primary: connection: /)
})
