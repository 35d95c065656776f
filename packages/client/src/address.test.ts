// The address as a function: it is called before each attempt, so that each connection can carry a fresh ticket.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { resumeFrame } from './testing/resume-frame.ts'
import { startFakeServer } from './testing/fake-server.ts'
import { ChatError, createClient } from './index.ts'
import type { Client } from './index.ts'

async function setUp(t: TestContext, address: (serverUrl: string) => Promise<string>) {
  // Backoff is random between zero and its ceiling: without jitter there is no wait.
  t.mock.method(Math, 'random', () => 0)
  const server = await startFakeServer()
  const client = createClient({ url: () => address(server.url) })
  t.after(async () => {
    client.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, client }
}

async function ask(client: Client): Promise<string> {
  for await (const part of client.chat({ message: 'a' })) {
    if (part.type === 'done' && part.verified) return part.text
  }
  throw new Error('the answer had no verified end')
}

for (const code of [1001, 4401])
  test(`after ${code} the function is called again, and the answer is resumed`, async (t) => {
    let tickets = 0
    const { server, client } = await setUp(t, async (url) => `${url}/ws?ticket=${(tickets += 1)}`)
    const answer = ask(client)
    const first = await server.connection()
    await first.accept()
    first.chunk(0, 'ab')
    first.close(code)
    const second = await server.connection()
    assert.deepEqual(await second.next(), resumeFrame('ab'))
    second.done('ab')
    assert.equal(await answer, 'ab')
    assert.deepEqual([first.url, second.url], ['/ws?ticket=1', '/ws?ticket=2'])
  })

test('a function that fails is called again', async (t) => {
  let asked = 0
  const { server, client } = await setUp(t, async (url) => {
    asked += 1
    if (asked < 3) throw new TypeError('Failed to fetch')
    return url
  })
  const answer = ask(client)
  const peer = await server.connection()
  await peer.accept()
  peer.chunk(0, 'ab')
  peer.done('ab')
  assert.equal(await answer, 'ab')
  assert.equal(asked, 3)
})

test('a ChatError of the function is thrown to the caller without another attempt', async (t) => {
  const refusal = new ChatError({ code: 'FORBIDDEN', message: 'Not from this page.' })
  const { client } = await setUp(t, () => Promise.reject(refusal))
  await assert.rejects(ask(client), refusal)
})
