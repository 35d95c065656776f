// Which servers on this machine are recognised as model servers, and that the search is bounded in time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock } from '#adapters/system/clock.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { findLocalServers, usualAddresses } from './local-servers.ts'

async function listen(context: TestContext, answer: RequestListener): Promise<{ address: string; server: Server }> {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  context.after(() => server.close().closeAllConnections())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const list = (...ids: unknown[]) => JSON.stringify({ data: ids.map((id) => ({ id })) })

test('a server is found with its models, each address once', async (context) => {
  const { address } = await listen(context, (request, response) =>
    response.writeHead(request.url === '/v1/models' ? 200 : 404).end(list('a', 'b:1', 'text-embed', 7, null, 'no\nid')),
  )
  const found = await findLocalServers([address, address], systemClock())
  assert.deepEqual(found, [{ baseURL: `${address}/v1`, models: ['a', 'b:1'] }])
})

test('a MangaAssist, a server without models and servers with other protocols are left out', async (context) => {
  const answers: RequestListener[] = [
    (request, response) => {
      const body = { '/v1/models': list('primary'), '/healthz': '{"status":"alive"}', '/readyz': '{"status":"ready"}' }
      response.end(body[request.url as keyof typeof body])
    },
    (_request, response) => response.end(list()),
    (_request, response) => response.end('<html>'),
    (_request, response) => response.end('null'),
    (_request, response) => response.writeHead(401).end(list('a')),
    (_request, response) => response.writeHead(302, { location: 'http://203.0.113.7/' }).end(),
    (_request, response) => response.end(list('a', 'x'.repeat(300 * 1024))),
    (request) => request.socket.destroy(),
  ]
  const addresses = await Promise.all(answers.map(async (answer) => (await listen(context, answer)).address))
  assert.deepEqual(await findLocalServers([...addresses, 'http://127.0.0.1:1'], systemClock()), [])
})

test('a server that never answers is left out after a timeout', async (context) => {
  const { address, server } = await listen(context, () => {})
  const clock = manualClock()
  const asked = once(server, 'request')
  const finding = findLocalServers([address], clock)
  await asked
  await clock.advance(1000)
  assert.deepEqual(await finding, [])
})

test('OLLAMA_HOST changes the address at which Ollama is expected', () => {
  const first = (host: string | undefined) => usualAddresses(host)[0]
  assert.equal(first(undefined), 'http://127.0.0.1:11434')
  assert.equal(first(''), 'http://127.0.0.1:11434')
  assert.equal(first('0.0.0.0'), 'http://127.0.0.1:11434')
  assert.equal(first('127.0.0.1:4000'), 'http://127.0.0.1:4000')
  assert.equal(first('http://box:4000'), 'http://box:4000')
  assert.equal(first(':::'), 'http://127.0.0.1:11434')
})
