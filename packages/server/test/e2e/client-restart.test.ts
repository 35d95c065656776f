// The first example of the client's README, unchanged: no headers, no cookie, and a server that dies meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@mangaassist/client'
import { SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const QUESTION = '進撃の巨人が好きなら次は何を読む？'

test('an answer read in Node without headers is complete although its server is killed and restarted', async (t) => {
  // The backoff is random: long waits leave a busy machine the time to start a server.
  t.mock.method(Math, 'random', () => 0.9)
  await using folder = await temporaryFolder()
  await using first = await startServer({ dataDir: folder.path, env: SLOWLY })
  const restart = async () => {
    await first.kill()
    return startServer({ dataDir: folder.path, env: { PORT: new URL(first.address).port } })
  }
  let second: ReturnType<typeof restart> | undefined
  const states: string[] = []
  const client = createClient({ url: first.address, onState: (state) => states.push(state) })
  await using taken = new AsyncDisposableStack()
  taken.defer(async () => (await second)?.[Symbol.asyncDispose]())
  taken.defer(() => client.close())

  let text = ''
  let parts = 0
  let verified = false
  for await (const part of client.chat({ message: QUESTION })) {
    if (part.type === 'text') {
      assert.equal(part.offset, text.length)
      text += part.text
      parts += 1
      // Not awaited: the client finds no server, and keeps trying.
      if (parts === 2) second = restart()
    }
    if (part.type !== 'done') continue
    assert.deepEqual([part.text, part.done.finishReason], [text, 'stop'])
    verified = part.verified
  }
  assert.ok(verified)
  assert.ok(second !== undefined && parts > 2)
  assert.deepEqual(states, ['connecting', 'open', 'lost', 'open'])
})
