// A client that is connected to a fake server; both are closed at the end of the test.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createClient } from '../index.ts'
import type { ChatPart, ClientOptions } from '../index.ts'
import { startFakeServer } from './fake-server.ts'
import type { Serving } from './fake-server.ts'

export async function setUp(t: TestContext, options: Partial<ClientOptions> = {}, serving: Serving = {}) {
  // Backoff is random between zero and its ceiling: without jitter there is no wait.
  t.mock.method(Math, 'random', () => 0)
  const server = await startFakeServer(serving)
  const client = createClient({ url: server.url, ...options })
  t.after(async () => {
    client.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, client }
}

export async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of parts) all.push(part)
  return all
}

export const endOf = (parts: ChatPart[]): ChatPart & { type: 'done' } => {
  const last = parts.at(-1)
  assert.ok(last?.type === 'done')
  return last
}
