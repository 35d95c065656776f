// The terminal chat with a real server that the command starts itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '#main.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'

const slow = { MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded', MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '5' }

interface Line {
  sessionId: string
  text: string
  products: unknown[]
  done: { finishReason: string; length: number; sessionVersion: number }
  verified: boolean
}

const linesOf = ({ printed }: FakeTerminal) =>
  printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('a message is answered as text, with the products', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['chat', '--message', '進撃の巨人はありますか'], terminal), 0)
  assert.match(terminal.printed.out, /進撃の巨人[^]*• 進撃の巨人 \/ Attack on Titan/)
  assert.equal(terminal.printed.err, '')
})

test('lines on standard input are one conversation, with a line of JSON for each answer', async (context) => {
  const terminal = fakeTerminal(context, { typed: 'Do you have Attack on Titan?\n\nHow long does shipping take?\n' })
  assert.equal(await main(['chat', '--json'], terminal), 0)
  const [first, second, ...more] = linesOf(terminal)
  assert.equal(more.length, 0)
  assert.ok(first?.verified && first.products.length > 0 && first.text.length === first.done.length)
  assert.equal(second?.sessionId, first.sessionId)
  assert.deepEqual([first.done.sessionVersion, second?.done.sessionVersion], [1, 2])
})

test('a later command continues the conversation as the same guest', async (context) => {
  const terminal = fakeTerminal(context)
  await main(['chat', '--json', '--message', 'hello'], terminal)
  const sessionId = linesOf(terminal)[0]?.sessionId ?? ''
  assert.equal(await main(['chat', '--json', '--message', 'shipping?', '--session', sessionId], terminal), 0)
  assert.deepEqual(
    linesOf(terminal).map((line) => line.sessionId),
    [sessionId, sessionId],
  )
})

test('a conversation that does not exist is an error', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['chat', '--message', 'hello', '--session', 'sess_nobody'], terminal), 1)
  assert.notEqual(terminal.printed.err, '')
})

test('an interrupt stops the answer after the text so far', async (context) => {
  const terminal = fakeTerminal(context, { env: slow })
  terminal.onOutput = () => terminal.signal()
  assert.equal(await main(['chat', '--message', '進撃の巨人が好きなら次は何を読む？'], terminal), 1)
  assert.match(terminal.printed.out, /\(stopped\)/)
  assert.equal(terminal.printed.err, 'Stopped.\n')
})

test('--url selects the server, and one that does not answer is reported', async (context) => {
  const terminal = fakeTerminal(context, { env: { MANGA_SERVER__LOGLEVEL: 'silent' } })
  const server = await serve({ ...terminal, print: () => {} })
  context.after(() => server.close())
  assert.equal(await main(['chat', '--message', 'hello', '--url', server.address], terminal), 0)
  for (const url of ['http://127.0.0.1:1', 'nonsense']) {
    const other = fakeTerminal(context)
    assert.equal(await main(['chat', '--message', 'hello', '--url', url], other), 1)
    assert.match(other.printed.err, /No MangaAssist answers/)
  }
})
